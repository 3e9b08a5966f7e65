import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { de } from './de.ts';
import { en } from './en.ts';
import { chosen } from './language.ts';

const WEB = fileURLToPath(new URL('..', import.meta.url));

/** Names of all texts: `crawl.tiles.new`. */
function names(texts: object, before = ''): string[] {
  return Object.entries(texts).flatMap(([name, value]) =>
    typeof value === 'object' ? names(value as object, `${before}${name}.`) : [`${before}${name}`],
  );
}

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? files(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

/** Names that components ask for; components are not type-checked. */
const used = files(WEB)
  .filter((file) => file.endsWith('.svelte'))
  .flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bt((?:\.[a-zA-Z]+)+)/g)].map((match) => ({
      file: file.slice(WEB.length),
      name: (match[1] as string).slice(1),
    })),
  );

it('every text that a component names => is there', () => {
  const has = (name: string): boolean =>
    name
      .split('.')
      .reduce<unknown>((held, part) => (held as Record<string, unknown> | undefined)?.[part], en) !==
    undefined;
  expect(used.length).toBeGreaterThan(200);
  expect(used.filter(({ name }) => !has(name))).toEqual([]);
});

it('every text => is used somewhere', () => {
  const code = files(WEB)
    .filter((file) => /\.(svelte|ts)$/.test(file) && !file.includes('/text/'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const isUsed = (name: string): boolean => {
    const parts = name.split('.');
    // `t.crawl.tiles[choice]`: the group is named, its texts are not.
    return (
      code.includes(`t.${name}`) || (parts.length > 1 && code.includes(`t.${parts.slice(0, -1).join('.')}[`))
    );
  };
  expect(names(en).filter((name) => !isUsed(name))).toEqual([]);
});

it('German => the same names, and hardly a text left in English', () => {
  expect(names(de).sort()).toEqual(names(en).sort());
  const text = (texts: object, name: string): unknown =>
    name.split('.').reduce<unknown>((held, part) => (held as Record<string, unknown>)[part], texts);
  const same = names(en).filter(
    (name) => typeof text(en, name) === 'string' && text(en, name) === text(de, name),
  );
  expect(same.length).toBeLessThan(20);
});

it('chosen: kept before, wanted by the browser, none known => that one, the first known, English', () => {
  expect(chosen('de', ['en-GB'])).toBe('de');
  expect(chosen(null, ['fr-FR', 'de-AT', 'en'])).toBe('de');
  expect(chosen('klingon', ['fr'])).toBe('en');
});
