import { isWebCapture } from '../../model/capture.ts';
import type { CaptureCatalog } from '../../ports/catalog.ts';
import type { ProblemPlace } from '../../warc/read-options.ts';
import type { CertificateCheck } from './verify-certificates.ts';

/** Files listed by name; the others are counted. */
const NAMED = 10;

/**
 * One note on the captures that no certificate covers: those from imports, from files put there by hand, from
 * unfinished crawls, robots.txt, and what was fetched besides the pages. They are no worse for it, but nothing here
 * vouches for them. What a visit brought along with its page counts as covered with it.
 */
export async function uncoveredCaptures(
  catalog: CaptureCatalog,
  { records, events }: CertificateCheck['covered'],
): Promise<ProblemPlace[]> {
  const byFile = new Map<string, number>();
  for await (const capture of catalog.captures({})) {
    const { file, recordId, eventId } = capture;
    if (!isWebCapture(capture) || records.has(recordId)) continue;
    if (eventId === undefined || !events.has(eventId)) byFile.set(file, (byFile.get(file) ?? 0) + 1);
  }
  const files = [...byFile].sort(([, a], [, b]) => b - a);
  const [first] = files;
  if (!first) return [];
  const sum = files.reduce((total, [, count]) => total + count, 0);
  const listed = files.slice(0, NAMED).map(([file, count]) => `${count} in ${file}`);
  const more = files.length > NAMED ? `, and ${files.length - NAMED} more files` : '';
  const reason = `${sum} captures that no certificate of this archive covers: ${listed.join(', ')}${more}`;
  return [{ file: first[0], offset: 0, reason }];
}
