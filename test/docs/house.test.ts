import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** Not the web page: it is a project of its own. */
const files = execFileSync('git', ['ls-files', 'src'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file.endsWith('.ts') && !/\.(test|conformance)\.ts$/.test(file))
  .map((name) => ({ name, text: readFileSync(join(ROOT, name), 'utf8') }));
const parsed = files.map(({ name, text }) => ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));

function* nodesOf(node: ts.Node): Iterable<ts.Node> {
  yield node;
  for (const child of node.getChildren()) yield* nodesOf(child);
}

it('files => at most 300 lines, but the table of tables', () => {
  const long = files.filter(({ text }) => text.split('\n').length - 1 > 300).map(({ name }) => name);
  expect(long).toEqual(['src/catalog/tables.ts']);
});

it('functions => at most five parameters', () => {
  expect(files.length).toBeGreaterThan(1000);
  const wide = parsed.flatMap((source) =>
    [...nodesOf(source)]
      .filter((node) => ts.isFunctionLike(node) && node.parameters.length > 5)
      .map((node) => `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`),
  );
  expect(wide).toEqual([]);
}, 120_000);

it('exported types => each name has one meaning', () => {
  const places = new Map<string, string[]>();
  for (const source of parsed)
    for (const node of source.statements) {
      if (
        !ts.isInterfaceDeclaration(node) &&
        !ts.isTypeAliasDeclaration(node) &&
        !ts.isClassDeclaration(node)
      )
        continue;
      if (!node.name || !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
      places.set(node.name.text, [...(places.get(node.name.text) ?? []), source.fileName]);
    }
  expect([...places].filter(([, where]) => where.length > 1)).toEqual([]);
});
