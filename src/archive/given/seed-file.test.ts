import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSeedFile } from './seed-file.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daguerre-seeds-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function seedFile(text: string): Promise<string> {
  const path = join(folder, 'seeds.txt');
  await writeFile(path, text);
  return path;
}

test('addresses, comments, empty lines, CRLF, a byte order mark, one twice => each address once, as given', async () => {
  const path = await seedFile(
    '\uFEFFhttps://a.example/\r\n\r\n# a comment\r\nb.org/x\r\nhttps://a.example/\r\n',
  );
  expect(await readSeedFile(path)).toEqual(['https://a.example/', 'b.org/x']);
});

test('lines that are no address => refused with file and line, the first ten of them', async () => {
  const path = await seedFile(
    `https://a.example/\nnot an address\nftp://x/\nhttps://b.example/ a label\n${'?\n'.repeat(20)}`,
  );
  await expect(readSeedFile(path)).rejects.toThrow(
    new RegExp(
      `${path}:2: 'not an address' is no address.*\\n.*:3: 'ftp://x/'[\\s\\S]*:4: 'https://b.example/ a label'[\\s\\S]*and 13 more lines$`,
    ),
  );
});

test('no address at all, or no file => said', async () => {
  await expect(readSeedFile(await seedFile('# nothing\n'))).rejects.toThrow(/there is no address in it/);
  await expect(readSeedFile(join(folder, 'none.txt'))).rejects.toThrow(/none\.txt/);
});
