import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

/** What docs/web.md says of the weight of the web page, on the build in `dist`. */
const ROOT = fileURLToPath(new URL('../../dist/web', import.meta.url));
const ASSETS = join(ROOT, 'assets');
const KB = 1000;

const zipped = (file: string): number => gzipSync(readFileSync(join(ASSETS, file))).length;

/** Files that one leads to by its own imports; those that are fetched later are not among them. */
function closure(first: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [...first];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file) || !existsSync(join(ASSETS, file))) continue;
    found.add(file);
    const code = file.endsWith('.js') ? readFileSync(join(ASSETS, file), 'utf8') : '';
    for (const [, name] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g))
      waiting.push(name as string);
  }
  return found;
}

const named = (html: string): string[] =>
  [...readFileSync(join(ROOT, html), 'utf8').matchAll(/assets\/([^"']+)["']/g)].map(
    ([, name]) => name as string,
  );

describe.skipIf(!existsSync(ASSETS))('the build of the web page', () => {
  const replay = new Set([...closure(named('replay/index.html')), ...closure(named('replay/entry.html'))]);
  const first = closure(named('index.html'));
  const all = readdirSync(ASSETS).filter(
    (file) => /\.(js|css)$/.test(file) && (first.has(file) || !replay.has(file)),
  );
  const sum = (files: Iterable<string>): number =>
    [...files].reduce((bytes, file) => bytes + zipped(file), 0);

  it('all of it without replay => at most 250 kB gzipped', () => {
    expect(all.length).toBeGreaterThan(10);
    expect(sum(all)).toBeLessThanOrEqual(250 * KB);
  });

  it('what every place needs => at most 60 kB gzipped', () => {
    expect(sum([...first].filter((file) => /\.(js|css)$/.test(file)))).toBeLessThanOrEqual(60 * KB);
  });

  it('no address of another host is fetched from, whatever the policy says', () => {
    const foreign = all.filter((file) =>
      /(?:fetch|import)\(["'`]https?:/.test(readFileSync(join(ASSETS, file), 'utf8')),
    );
    expect(foreign).toEqual([]);
  });
});
