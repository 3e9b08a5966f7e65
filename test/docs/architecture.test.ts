import { existsSync, readFileSync } from 'node:fs';
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
