import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkPageFile } from './page-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const check = async (content: Buffer): Promise<void> => {
  const path = join(folder, 'page.html');
  await writeFile(path, content);
  await checkPageFile(path);
};

it.each([
  ['\x89PNG\r\n\x1a\n', 'a picture (PNG)'],
  ['\x1f\x8b\x08', 'packed with gzip: unpack it first'],
  ['%PDF-1.7', 'it is a PDF'],
  ['<p>a\0b', 'binary data'],
])('%j => an error that says what it is', async (begin, what) => {
  await expect(check(Buffer.from(begin, 'latin1'))).rejects.toThrow(what);
});

it('HTML, of any encoding, and nothing at all => no error', async () => {
  await check(Buffer.from('<p>Grüße</p>'));
  await check(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<p>Grüße</p>', 'utf16le')]));
  await check(Buffer.from([0x3c, 0x70, 0x3e, 0xfc]));
  await check(Buffer.alloc(0));
});
