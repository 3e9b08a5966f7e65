import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { writeViXml } from '../../src/science/layout/vi-xml.ts';
import { layout, text } from '../small-layout.ts';
import { complaints, temporaryFolder } from './daguerre.ts';
import { page, startSite } from './small-site.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

it('the program of docs/library.md => archives a site and finds nothing wrong', async () => {
  const [, shown = ''] =
    /```js\n(.*?)```/s.exec(await readFile(join(REPOSITORY, 'docs/library.md'), 'utf8')) ?? [];
  const site = await startSite({ '/': page('Home', ['/a']), '/a': page('A') });
  const archive = join(await temporaryFolder(), 'archive');
  const settings = `seeds: ['${site.url}/'], render: 'never', allowPrivate: true, delay: 0`;
  const program = shown
    .replace("seeds: ['https://example.org/']", settings)
    .replace("'./archive'", JSON.stringify(archive));
  try {
    // The package by its own name, as whoever has installed it would import it.
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { cwd: REPOSITORY },
    );
    expect([stdout, stderr]).toEqual(['[]\n', '']);
    expect(site.asked.toSorted()).toEqual(['/', '/a', '/robots.txt']);
    expect(await complaints(archive)).toEqual([]);
  } finally {
    await site.close();
  }
});

it('the examples of the sub-paths in docs/library.md => have types, and print what the papers say', async () => {
  const examples = [
    ...(await readFile(join(REPOSITORY, 'docs/library.md'), 'utf8')).matchAll(/```ts\n(.*?)```/gs),
  ];
  expect(examples).toHaveLength(3);
  // Inside the package: there its own name leads to what it exports.
  const folder = await mkdtemp(join(REPOSITORY, 'dist/examples-'));
  try {
    const leaf = (words: string) => layout([{ importance: 1, texts: [text(words)] }]);
    await writeFile(join(folder, 'old.xml'), writeViXml(leaf('The sea was calm and blue')));
    await writeFile(join(folder, 'new.xml'), writeViXml(leaf('The sea was rough and blue')));
    await writeFile(join(folder, 'example.warc'), WARC);
    const files = await Promise.all(
      examples.map(async ([, source = ''], i) => {
        const file = join(folder, `example${i}.ts`);
        await writeFile(file, source);
        return file;
      }),
    );
    const program = ts.createProgram(files, {
      ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
      ...{
        target: ts.ScriptTarget.ES2023,
        strict: true,
        rootDir: folder,
        outDir: folder,
        skipLibCheck: true,
        types: ['node'],
      },
    });
    const problems = ts.getPreEmitDiagnostics(program);
    expect(ts.formatDiagnostics(problems, FORMAT)).toBe('');
    program.emit();
    const printed = await Promise.all(
      files.map(async (file) => {
        const { stdout } = await promisify(execFile)(process.execPath, [file.replace('.ts', '.js')], {
          cwd: folder,
        });
        return stdout.trim();
      }),
    );
    expect(printed[0]).toMatch(/^\[ 'update' \] 0\.\d+$/);
    expect(printed[1]).toBe('22.7');
    expect(printed[2]).toMatch(
      /^0\.\d\d 0\.\d\d 0\.05\n\{ completeness: 0\.206\d+, .*\}\nresource http:\/\/a\.test\/$/,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

const WARC = [
  ...['WARC/1.1', 'WARC-Type: resource', 'WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>'],
  ...['WARC-Date: 2026-01-01T00:00:00Z', 'WARC-Target-URI: http://a.test/', 'Content-Type: text/plain'],
  ...['Content-Length: 2', '', 'hi', '', ''],
].join('\r\n');

const FORMAT: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => REPOSITORY,
  getNewLine: () => '\n',
};
