import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** Files that the package holds, as npm itself tells. */
function packedFiles(): readonly string[] {
  const told = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * 1024 * 1024,
  });
  const [{ files }] = JSON.parse(told) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}

/** Relative targets of links and pictures, without what stands in code. */
function linksOf(markdown: string): readonly string[] {
  const prose = markdown.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/i.test(target));
}

it('documents of the package => no link leads to a file that the package does not hold', () => {
  const files = packedFiles();
  const documents = files.filter((file) => file.endsWith('.md'));
  const isThere = (target: string): boolean =>
    files.some((file) => file === target || file.startsWith(`${target.replace(/\/$/, '')}/`));
  expect(documents).toContain('README.md');
  const dead = documents.flatMap((file) =>
    linksOf(readFileSync(join(ROOT, file), 'utf8')).flatMap((link) => {
      const target = posix.normalize(posix.join(posix.dirname(file), link));
      return isThere(target) ? [] : [`${file}: ${link}`];
    }),
  );
  expect(dead).toEqual([]);
});
