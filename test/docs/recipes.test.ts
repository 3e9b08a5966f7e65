import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const RECIPES = join(ROOT, 'docs/recipes');

/** Biome's, and what it leaves out. */
const SETTINGS = ['biome.json', 'web/biome.json', '.gitignore'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'daguerre-recipes-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Whoever follows a recipe applies its diff: a change of the code that it touches has to change the recipe as well. It is
 * applied to copies of the files it touches, so that what Biome then finds is the recipe's.
 */
it.each(readdirSync(RECIPES))(
  '%s => its diff applies to this tree, and leaves files as Biome wants them',
  (name) => {
    const page = readFileSync(join(RECIPES, name), 'utf8');
    const diff = [...page.matchAll(/^```diff\n(.*?)^```$/gms)].map(([, block]) => block).join('');
    const touched = [...diff.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, file = '']) => file);
    expect(touched).not.toEqual([]);
    const copy = join(folder, name);
    for (const file of [...touched, ...SETTINGS]) {
      if (existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(copy, file));
    }
    expect(run(copy, 'git', ['apply', '-'], diff)).toEqual({ status: 0, said: '' });
    const { status, said } = run(copy, join(ROOT, 'node_modules/.bin/biome'), [
      'check',
      '--error-on-warnings',
      '.',
    ]);
    expect(status, said).toBe(0);
  },
);

it('add-a-catalog-table.md => the version and the digest in its diff belong together', () => {
  const copy = join(folder, 'add-a-catalog-table.md');
  cpSync(join(ROOT, 'src/catalog/columns.ts'), join(copy, 'src/catalog/columns.ts'));
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const vitest = join(ROOT, 'node_modules/.bin/vitest');
  const { status, said } = run(copy, vitest, ['run', '--root', copy, 'src/catalog/tables.test.ts']);
  expect(status, said).toBe(0);
}, 60_000);

function run(
  cwd: string,
  program: string,
  args: readonly string[],
  input = '',
): { readonly status: number | null; readonly said: string } {
  // In a folder of a repository `git apply` would leave out what it does not know.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: folder };
  const { status, stderr } = spawnSync(program, args, { cwd, input, env, encoding: 'utf8' });
  return { status, said: stderr };
}
