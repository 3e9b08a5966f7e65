import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CaptureFact } from '../src/model/capture.ts';

/**
 * Takes records out of the files of an archive: each is a gzip member, so that the file is whole without it. Catalog and indexes go
 * too; `daguerre reindex` makes them of what is left.
 */
export function cutRecords(archive: string, gone: readonly CaptureFact[]): void {
  const folder = join(archive, 'warc');
  for (const file of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, file));
    const parts: Buffer[] = [];
    let from = 0;
    for (const { offset, length } of gone
      .filter((fact) => fact.file === file)
      .sort((a, b) => a.offset - b.offset)) {
      if (offset < from) continue;
      parts.push(bytes.subarray(from, offset));
      from = offset + length;
    }
    writeFileSync(join(folder, file), Buffer.concat([...parts, bytes.subarray(from)]));
  }
  for (const name of readdirSync(archive))
    if (/^catalog|^indexes$/.test(name)) rmSync(join(archive, name), { recursive: true });
}

/** Turns bytes inside of records, as a bad disk does. Catalog and indexes stay as they are. */
export function flipBytes(archive: string, damaged: readonly CaptureFact[]): void {
  for (const { file, offset, length } of damaged) {
    const path = join(archive, 'warc', file);
    const bytes = readFileSync(path);
    for (let at = offset + Math.floor(length / 2); at < offset + length - 8; at += 7)
      bytes[at] = ~(bytes[at] ?? 0);
    writeFileSync(path, bytes);
  }
}
