import type { FileSignature } from '../archive/import/import-files.ts';

/** Who signed a WACZ, when, and what that is worth. */
export function signatureText(
  file: string,
  { verdict, by, timestamp, created, reasons }: Omit<FileSignature, 'file'>,
): string {
  if (verdict === 'none') return `${file}: not signed`;
  const who = by === undefined ? '' : ` by ${by}`;
  const when = timestamp ? `, stamped ${timestamp}` : created ? `, ${created} by its own word` : '';
  const why = reasons.length > 0 ? ` (${reasons.join('; ')})` : '';
  return `${file}: signed${who}${when}: ${verdict}${why}`;
}
