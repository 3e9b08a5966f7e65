import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const RECIPES = join(ROOT, 'docs/recipes');

/** Whoever follows a recipe applies its diff: a change of the code that it touches has to change the recipe as well. */
it.each(readdirSync(RECIPES))('%s => its diff applies to this tree', (name) => {
  const page = readFileSync(join(RECIPES, name), 'utf8');
  const diff = [...page.matchAll(/^```diff\n(.*?)^```$/gms)].map(([, block]) => block).join('');
  expect(diff).toContain('+++ b/');
  const { status, stderr } = spawnSync('git', ['apply', '--check', '-'], {
    cwd: ROOT,
    input: diff,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
