import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parseCdxjLine } from '../cdxj.ts';
import { lineBatches } from './line-batches.ts';
import { isWarc, type Wacz } from './read.ts';
import { ZipFault } from './zip-reader.ts';

/** Record files that the package lists, or that its index names, and that are not in it. */
export async function missingWarcs(wacz: Wacz): Promise<readonly string[]> {
  const named = new Set((wacz.datapackage?.resources ?? []).map(({ path }) => path).filter(isWarc));
  for (const entry of wacz.zip.entries) {
    if (entry.refused !== undefined || !/^indexes\/.*\.cdxj?(\.gz)?$/.test(entry.name)) continue;
    const chunks = wacz.zip.chunks(entry);
    try {
      const lines = entry.name.endsWith('.gz')
        ? (Readable.from(chunks).pipe(createGunzip()) as AsyncIterable<Uint8Array>)
        : chunks;
      for await (const batch of lineBatches(lines)) {
        for (const line of batch) {
          const { filename } = parseCdxjLine(line) ?? {};
          if (filename) named.add(filename.startsWith('archive/') ? filename : `archive/${filename}`);
        }
      }
    } catch (error) {
      // An index that cannot be read names nothing; the records are indexed anew in any case.
      const isDamage = error instanceof ZipFault || (error as NodeJS.ErrnoException).code?.startsWith('Z_');
      if (!isDamage) throw error;
    }
  }
  return [...named].filter((name) => wacz.entry(name) === undefined).sort();
}
