import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parseCdxjLine } from '../cdxj.ts';
import { lineBatches } from './line-batches.ts';
import { isWarc, type Wacz, type WaczProblem } from './read.ts';
import { ZipFault } from './zip-reader.ts';

/** Kept in the archive with the import: `verify` recognises the loss by these words. */
export const MISSING_WARC = 'the WACZ names this file, and does not hold it';

/**
 * Record files that the package lists, or that its index names, but that are not in it. For an unreadable index we do
 * not know what it names; the records themselves are always indexed again.
 */
export async function missingWarcs(wacz: Wacz): Promise<readonly WaczProblem[]> {
  const unread: WaczProblem[] = [];
  const named = new Set((wacz.datapackage?.resources ?? []).map(({ path }) => path).filter(isWarc));
  for (const entry of wacz.zip.entries) {
    if (entry.refused !== undefined || !/^indexes\/.*\.cdxj?(\.gz)?$/.test(entry.name)) continue;
    const tell = (what: string): void => {
      const reason = `${what}: whether all record files that it names are here is not known`;
      unread.push({ file: wacz.path, entry: entry.name, reason, severity: 'warning' });
    };
    const chunks = wacz.zip.chunks(entry);
    let faulty = 0;
    try {
      const lines = entry.name.endsWith('.gz')
        ? (Readable.from(chunks).pipe(createGunzip()) as AsyncIterable<Uint8Array>)
        : chunks;
      for await (const batch of lineBatches(lines)) {
        for (const line of batch) {
          const parsed = parseCdxjLine(line);
          if (!parsed && line.trim() !== '' && !/^[! ]/.test(line)) faulty++;
          const { filename } = parsed ?? {};
          if (filename) named.add(filename.startsWith('archive/') ? filename : `archive/${filename}`);
        }
      }
    } catch (error) {
      const isDamage = error instanceof ZipFault || (error as NodeJS.ErrnoException).code?.startsWith('Z_');
      if (!isDamage) throw error;
      tell(`cannot be read to its end (${(error as Error).message})`);
    }
    if (faulty > 0) tell(`${faulty} of its lines are no CDXJ`);
  }
  const missing = [...named].filter((name) => wacz.entry(name) === undefined).sort();
  return [...missing.map((entry) => ({ file: wacz.path, entry, reason: MISSING_WARC })), ...unread];
}
