import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import yauzl from 'yauzl';
import { openZip } from './zip-reader.ts';
import { createZip } from './zip-writer.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'daguerre-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function* pieces(content: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < content.length; i += size) yield content.subarray(i, i + size);
}

/** Bytes without a short period, so that a misplaced block shows. */
function noise(length: number): Buffer {
  const out = Buffer.alloc(length);
  for (let i = 0, x = 1; i < length; i++) {
    x = (x * 1103515245 + 12345) & 0x7fffffff;
    out[i] = x >> 16;
  }
  return out;
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

describe('createZip', () => {
  const big = noise(2_500_000);
  const small = Buffer.from('small');

  for (const zip64From of [undefined, 100_000]) {
    it(`stored, deflated and copied entries, ZIP64 from ${zip64From ?? '4 GiB'} => all read back`, async () => {
      const source = join(dir, 'source.warc.gz');
      await writeFile(source, big);
      const path = join(dir, 'a.zip');
      const zip = await createZip(path, 0, zip64From);
      expect(await zip.add('streamed', pieces(big, 70_000), 'store')).toEqual({
        name: 'streamed',
        bytes: big.length,
        sha256: sha256(big),
      });
      await zip.add('deflated', pieces(big, 1_000_000), 'deflate');
      expect((await zip.addFile('copied', source, big.length)).sha256).toBe(sha256(big));
      await zip.add('small', pieces(small, 1), 'store');
      await zip.add('empty', pieces(Buffer.alloc(0), 1), 'deflate');
      await zip.finish();

      const archive = await openZip(path);
      const found = [];
      for (const entry of archive.entries) found.push([entry.name, await archive.scan(entry, 'sha256')]);
      await archive.close();
      const whole = (content: Buffer) => ({ bytes: content.length, hash: sha256(content), crcHolds: true });
      expect(found).toEqual([
        ['streamed', whole(big)],
        ['deflated', whole(big)],
        ['copied', whole(big)],
        ['small', whole(small)],
        ['empty', whole(Buffer.alloc(0))],
      ]);
    });
  }

  it('no extra field in the directory => none in the local header, as wabac.js supposes', async () => {
    const path = join(dir, 'a.zip');
    const zip = await createZip(path, 0, 1000);
    await zip.add('streamed', pieces(small, 2), 'store');
    await zip.add('outgrown', pieces(noise(2000), 500), 'store');
    await zip.finish();
    const archive = await yauzl.openPromise(path, { autoClose: false });
    const extras = [];
    for await (const entry of archive.eachEntry()) {
      const local = await archive.readLocalFileHeaderPromise(entry);
      extras.push([
        entry.fileName,
        entry.extraFieldLength > 0,
        local.extraFieldLength > 0,
        local.crc32 === entry.crc32,
      ]);
    }
    archive.close();
    expect(extras).toEqual([
      ['streamed', false, false, true],
      ['outgrown', true, true, true],
    ]);
  });

  it('aborted => nothing is left', async () => {
    const zip = await createZip(join(dir, 'a.zip'), 0);
    await zip.add('x', pieces(small, 2), 'deflate');
    expect(await readdir(dir)).toEqual(['a.zip.part']);
    await zip.abort();
    await zip.abort();
    expect(await readdir(dir)).toEqual([]);
  });
});
