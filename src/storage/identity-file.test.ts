import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isArchiveId, newArchiveId } from '../model/archive-identity.ts';
import { readIdentity, writeIdentity } from './identity-file.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'daguerre-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const file = { id: 'k7mq-2xrt-9hbd', name: 'Nachrichten', madeAt: Date.UTC(2026, 0, 2), opening: '8f2c' };

describe('archive.json', () => {
  test('written => read back, and nothing half-written is left', async () => {
    expect(await readIdentity(root)).toBeUndefined();
    await writeIdentity(root, file);
    expect(await readIdentity(root)).toEqual(file);
    await writeIdentity(root, { ...file, nextOpening: '9a1e' });
    expect(await readIdentity(root)).toEqual({ ...file, nextOpening: '9a1e' });
    expect(await readdir(root)).toEqual(['archive.json']);
    expect(await readFile(join(root, 'archive.json'), 'utf8')).toContain(
      '"madeAt": "2026-01-02T00:00:00.000Z"',
    );
  });

  test.each([
    ['empty', '', 'damaged', 'is empty'],
    ['cut', '{"format":1,"id":"k7mq-2x', 'damaged', 'is no JSON'],
    ['null', 'null', 'damaged', 'is no JSON object'],
    ['without an id', '{"format":1}', 'damaged', 'holds no id'],
    ['with an id that is a path', '{"format":1,"id":"../../../etc"}', 'damaged', 'holds no id'],
    ['of a later Daguerre', '{"format":2,"id":7}', 'newer', 'later Daguerre'],
  ])('%s => says so, and what to do', async (_, text, kind, message) => {
    await writeFile(join(root, 'archive.json'), text);
    await expect(readIdentity(root)).rejects.toMatchObject({ kind });
    await expect(readIdentity(root)).rejects.toThrow(message);
  });

  test('a name with line ends => one line; none at all => a word', async () => {
    await writeFile(join(root, 'archive.json'), '{"format":1,"id":"k7mq-2xrt-9hbd","name":"a\\r\\nb: c"}');
    expect(await readIdentity(root)).toMatchObject({ name: 'a b: c' });
    await writeFile(join(root, 'archive.json'), '{"format":1,"id":"k7mq-2xrt-9hbd"}');
    expect(await readIdentity(root)).toMatchObject({ name: 'archive' });
  });

  test('every number drawn makes an id that is recognised', () => {
    for (let first = 0; first < 27; first++) {
      let next = first;
      const id = newArchiveId((below) => next++ % below);
      expect(isArchiveId(id)).toBe(true);
    }
    expect(newArchiveId(() => 0)).toBe('2222-2222-2222');
  });
});
