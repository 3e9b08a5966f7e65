import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { REQUESTS } from '../../src/archive/writer/requests.ts';
import { daguerreProgram } from '../../src/cli/program.ts';

const ROOT = join(import.meta.dirname, '../..');
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

it('docs/README.md => lists every document, and only what is there', () => {
  const documents = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  const there = documents.filter((name) => name.endsWith('.md') && name !== 'README.md').sort();
  const listed = [...textOf('docs/README.md').matchAll(/\]\(([\w/-]+\.md)\)/g)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(there);
});

it('GLOSSARY.md => each word once, in alphabetical order', () => {
  const rows = textOf('GLOSSARY.md').matchAll(/^\| (?!word |---)(.+?) \|/gm);
  const words = [...rows].map(([, word = '']) =>
    word
      .replace('ρ', 'rho')
      .replaceAll(/[^a-z]+/gi, ' ')
      .trim(),
  );
  expect(words.length).toBeGreaterThan(50);
  expect(words).toEqual([...new Set(words)].sort());
});

it('docs/json.md => every command that has --json, once', async () => {
  const [table = ''] = textOf('docs/json.md').split('\n## ');
  const rows = [...table.matchAll(/^\| `([a-z ]+)(?: --[^`]+)?` \|/gm)].map(([, name = '']) => name);
  expect(rows).toEqual([...new Set(rows)]);
  const { commands } = await daguerreProgram();
  const withJson = commands
    .filter(({ options }) => options.some(({ long }) => long === '--json'))
    .map((command) => command.name());
  expect(withJson).toContain('diff');
  const told = new Set(rows.map((row) => row.split(' ')[0]));
  expect(withJson.filter((name) => !told.has(name))).toEqual([]);
}, 60_000);

it('docs/archives.md => the commands that a writer can be asked for, each once', () => {
  const [, row = ''] =
    /^\| are done by the one that writes \|(.*)\|$/m.exec(textOf('docs/archives.md')) ?? [];
  const named = [...row.matchAll(/`([a-z]+)`/g)].map(([, name]) => name);
  // What the web page asks for where somebody watches a tab; no command does.
  const others = Object.keys(REQUESTS).filter((name) => !['look', 'watching'].includes(name));
  expect(named.filter((name) => name !== 'watch').toSorted()).toEqual(others.toSorted());
});
