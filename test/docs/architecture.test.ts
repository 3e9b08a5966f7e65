import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

it("ARCHITECTURE's way of one datum => every file exists, and is named once", () => {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith("One datum's way")) ?? '';
  const named: string[] = [];
  for (const [, file = ''] of section.matchAll(/`([\w/.-]+\.ts)`/g)) {
    // A bare name lies beside the file before it.
    named.push(file.includes('/') ? file : join(dirname(named.at(-1) ?? ''), file));
  }
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((file) => !existsSync(join(ROOT, 'src', file)))).toEqual([]);
  expect(named.filter((file, i) => named.indexOf(file) !== i)).toEqual([]);
});

it('each room of src, and of the science => has its walls', () => {
  const { MAY_IMPORT, MAY_IMPORT_IN_SCIENCE } = createRequire(import.meta.url)(join(ROOT, 'walls.cjs'));
  const inside = (folder: string) => readdirSync(join(ROOT, folder), { withFileTypes: true });
  const rooms = (folder: string) =>
    inside(folder)
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .toSorted();
  expect(Object.keys(MAY_IMPORT).toSorted()).toEqual(rooms('src'));
  expect(Object.keys(MAY_IMPORT_IN_SCIENCE).toSorted()).toEqual(rooms('src/science'));
  const loose = (folder: string) => inside(folder).filter((entry) => entry.isFile());
  expect(loose('src').map(({ name }) => name)).toEqual(['index.ts']);
  expect(loose('src/science')).toEqual([]);
});
