/** The print edition: one A4 page of headlines, PDF 1.4, text uncompressed in a standard font. */
import type { NewsContent } from '../content.ts';

/** WinAnsi characters outside Latin-1 that the texts use. */
const WIN_ANSI: Readonly<Record<string, string>> = {
  '’': '\\222',
  '“': '\\223',
  '”': '\\224',
  '–': '\\226',
  '−': '-',
};

const pdfText = (text: string): string =>
  text.replace(/[\\()]/g, '\\$&').replace(/[’“”–−]/g, (c) => WIN_ANSI[c] ?? '?');

export function pdfOf({ title, blocks }: NewsContent): Buffer {
  const lines = ['BT /F1 22 Tf 50 790 Td', `(${pdfText(title)}) Tj`, '0 -34 Td'];
  for (const { label = '', text = '' } of blocks[0]?.items ?? []) {
    lines.push(
      '/F1 13 Tf',
      `(${pdfText(label)}) Tj`,
      '0 -16 Td',
      '/F2 10 Tf',
      `(${pdfText(text)}) Tj`,
      '0 -28 Td',
    );
  }
  lines.push('ET');
  const content = lines.join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
    `<< /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Bold /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>',
  ];
  let out = '%PDF-1.4\n';
  const offsets: number[] = [];
  for (const [i, object] of objects.entries()) {
    offsets.push(out.length);
    out += `${i + 1} 0 obj\n${object}\nendobj\n`;
  }
  const start = out.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  out += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(out, 'latin1');
}
