import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { extractWarcs } from '../../../src/warc/wacz/extract.ts';
import { sharedData } from '../../shared-data.ts';
import { flipped, isWarcPart, type Part, partsOf, writeParts } from './damaged.ts';
import { validateWacz } from './validate-wacz.ts';

// py-wacz's own examples; skipped where its fixtures are not at hand.
const fixtures = sharedData('fixtures/py-wacz/tests/fixtures');
const at = (name: string) => join(fixtures ?? '', name);

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'daguerre-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** What the list of a signed package does not name is not extracted at all. */
const unsigned = <Part extends { readonly name: string }>(parts: readonly Part[]): Part[] =>
  parts.filter(({ name }) => name !== 'datapackage-digest.json');

describe.skipIf(!fixtures)('damaged copies', () => {
  const name = 'valid_signed_example_1.wacz';
  const out = () => join(dir, 'damaged.wacz');
  const warcEntry = /^archive\/rec-.*\.warc\.gz$/;

  async function altered(alter: (parts: Part[]) => Part[]): Promise<string> {
    return writeParts(out(), alter(await partsOf(at(name))));
  }

  async function reasons(path: string): Promise<string[]> {
    const { errors } = await validateWacz(path);
    for (const error of errors) expect(error.file).toBe(path);
    return errors.map(({ entry, reason }) => `${entry}: ${reason}`);
  }

  it('rewritten unchanged => still no errors', async () => {
    expect(await reasons(await altered((parts) => parts))).toEqual([]);
  });

  it('one bit of the WARC flipped => hash and CRC of that entry; still extracted, with the reason', async () => {
    const warc = (await partsOf(at(name))).find(isWarcPart);
    await writeFile(out(), await flipped(at(name), warc?.content ?? Buffer.alloc(0)));
    const found = await reasons(out());
    expect(found).toHaveLength(2);
    expect(found[0]).toMatch(
      /^archive\/rec-.*: does not match its hash: found sha256:.*expected sha256:cadb03c7/,
    );
    expect(found[1]).toMatch(/CRC-32/);

    const { warcs, problems, signature } = await extractWarcs(out(), await mkdtemp(join(dir, 'x-')));
    expect(warcs).toHaveLength(1);
    // The package was signed, with other bytes in it.
    expect(problems.map(({ entry }) => entry)).toEqual([warc?.name, warc?.name, 'datapackage-digest.json']);
    expect(signature.verdict).toBe('invalid');
  });

  it('wrong hash in datapackage.json => that entry, and the digest file', async () => {
    const path = await altered((parts) =>
      parts.map((part) =>
        part.name === 'datapackage.json'
          ? { ...part, content: Buffer.from(part.content.toString().replace('sha256:cadb', 'sha256:beef')) }
          : part,
      ),
    );
    const found = await reasons(path);
    expect(found).toHaveLength(2);
    expect(found[0]).toMatch(/^archive\/.*does not match its hash/);
    expect(found[1]).toMatch(/^datapackage-digest\.json: datapackage\.json does not match it/);
  });

  it('wrong size in datapackage.json => both sizes told', async () => {
    const path = await altered((parts) =>
      parts.map((part) =>
        part.name === 'datapackage.json'
          ? {
              ...part,
              content: Buffer.from(part.content.toString().replace('"bytes": 3878', '"bytes": 3879')),
            }
          : part,
      ),
    );
    expect((await reasons(path))[0]).toMatch(/has 3878 bytes, datapackage\.json says 3879/);
  });

  it('datapackage.json missing => told; the WARC still comes out', async () => {
    const path = await altered((parts) => parts.filter((part) => part.name !== 'datapackage.json'));
    expect(await reasons(path)).toEqual([
      'datapackage.json: missing: the ZIP is not a WACZ, or not a whole one',
    ]);
    expect((await extractWarcs(path, await mkdtemp(join(dir, 'x-')))).warcs).toHaveLength(1);
  });

  it('datapackage.json is no JSON, or of version 2.0.0 => told', async () => {
    const packageWith = (change: (text: string) => string) =>
      altered((parts) =>
        parts.map((part) =>
          part.name === 'datapackage.json'
            ? { ...part, content: Buffer.from(change(part.content.toString())) }
            : part,
        ),
      );
    expect(await reasons(await packageWith((text) => text.slice(0, 100)))).toContain(
      'datapackage.json: is not a JSON object',
    );
    expect(await reasons(await packageWith((text) => text.replace('"1.1.1"', '"2.0.0"')))).toContain(
      'datapackage.json: WACZ version 2.0.0 is not supported (1.0.0 to 1.1.1 are)',
    );
  });

  it('ZIP cut off at three quarters => not a readable ZIP, nothing extracted', async () => {
    const bytes = await readFile(at(name));
    await writeFile(out(), bytes.subarray(0, Math.floor(bytes.length * 0.75)));
    const found = await reasons(out());
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^: not a readable ZIP file: .*truncated/);
    expect((await extractWarcs(out(), await mkdtemp(join(dir, 'x-')))).warcs).toEqual([]);
  });

  it('empty file, and text => not a readable ZIP', async () => {
    for (const content of ['', 'hello, this is no ZIP'.repeat(10)]) {
      await writeFile(out(), content);
      expect((await reasons(out()))[0]).toMatch(/^: not a readable ZIP file/);
    }
  });

  it('WARC or index deflated in the ZIP => told; extracted the same', async () => {
    const path = await altered((parts) => parts.map((part) => ({ ...part, method: 'deflate' as const })));
    const found = await reasons(path);
    expect(found).toHaveLength(2);
    expect(found[0]).toMatch(/^archive\/.*is deflated in the ZIP: WARC files must be stored$/);
    expect(found[1]).toBe('indexes/index.cdx.gz: is deflated in the ZIP: it must be stored');
    const { warcs } = await extractWarcs(path, await mkdtemp(join(dir, 'x-')));
    const warc = (await partsOf(at(name))).find(isWarcPart);
    expect((await readFile(warcs[0]?.path ?? '')).equals(warc?.content ?? Buffer.alloc(0))).toBe(true);
  });

  it('names that lead out of the folder => refused, nothing is written outside', async () => {
    const inner = join(dir, 'a', 'b');
    const { mkdir } = await import('node:fs/promises');
    await mkdir(inner, { recursive: true });
    const slips = [
      'archive/../../evil.warc.gz',
      '/tmp/evil.warc.gz',
      'archive/..\\..\\evil.warc.gz',
      'C:/evil.warc',
    ];
    const path = await altered((parts) => [
      ...parts,
      ...slips.map((slip) => ({ name: slip, content: Buffer.from('x'), method: 'store' as const })),
    ]);
    const found = await reasons(path);
    expect(found.filter((reason) => reason.includes('leads out of the folder'))).toHaveLength(slips.length);
    const { warcs } = await extractWarcs(path, inner);
    expect(warcs.map(({ entry }) => warcEntry.test(entry))).toEqual([true]);
    expect(await readdir(join(dir, 'a'))).toEqual(['b']);
    expect((await readdir(inner)).filter((file) => file.includes('evil'))).toEqual([]);
  });

  it('two WARC entries of one file name => both extracted, one with a number; an older file stays', async () => {
    const path = await altered((parts) => [
      ...unsigned(parts),
      { name: 'archive/x.warc.gz', content: Buffer.from('one'), method: 'store' },
      { name: 'archive/sub/x.warc.gz', content: Buffer.from('two'), method: 'store' },
    ]);
    const target = await mkdtemp(join(dir, 'x-'));
    await writeFile(join(target, 'x.warc.gz'), 'older');
    const { warcs } = await extractWarcs(path, target);
    expect(warcs.slice(1).map((warc) => basename(warc.path))).toEqual(['x-2.warc.gz', 'x-3.warc.gz']);
    expect(await readFile(join(target, 'x.warc.gz'), 'utf8')).toBe('older');
    expect(await readFile(join(target, 'x-3.warc.gz'), 'utf8')).toBe('two');
    expect(await reasons(path)).toContain('archive/x.warc.gz: is not listed in datapackage.json');
  });

  it('a WARC that unpacks past the limit => not extracted, the limit told', async () => {
    const path = await altered((parts) => [
      ...unsigned(parts),
      { name: 'archive/bomb.warc', content: Buffer.alloc(2_000_000), method: 'deflate' },
    ]);
    const { warcs, problems } = await extractWarcs(path, await mkdtemp(join(dir, 'x-')), {
      maxBytes: 1_000_000,
    });
    expect(warcs).toHaveLength(1);
    expect(problems.map(({ entry, reason }) => `${entry} ${reason}`).join()).toMatch(
      /archive\/bomb\.warc not extracted: its 2000000 bytes pass the limit/,
    );
  });

  it('an entry that holds more than it declares => not extracted', async () => {
    const path = await altered((parts) => [
      ...unsigned(parts),
      { name: 'archive/liar.warc', content: Buffer.alloc(300_000), method: 'deflate' },
    ]);
    const bytes = await readFile(path);
    // The last mention of the name is in the central directory; its uncompressed size stands 22 bytes before.
    const central = bytes.lastIndexOf('archive/liar.warc') - 46;
    expect(bytes.readUInt32LE(central + 24)).toBe(300_000);
    bytes.writeUInt32LE(1000, central + 24);
    await writeFile(path, bytes);
    const target = await mkdtemp(join(dir, 'x-'));
    const { problems } = await extractWarcs(path, target);
    expect(problems.map(({ reason }) => reason)).toContain(
      'not extracted: holds more than the 1000 bytes it declares',
    );
    expect(await readdir(target)).toHaveLength(1);
  });

  it('index unsorted, or pointing past the WARC or to another => told by line', async () => {
    const { gzipSync, gunzipSync } = await import('node:zlib');
    const withIndex = (change: (lines: string[]) => string[]) =>
      altered((parts) =>
        parts.flatMap((part) => {
          if (part.name === 'indexes/index.idx') return [];
          if (part.name !== 'indexes/index.cdx.gz') return [part];
          const lines = change(gunzipSync(part.content).toString().trimEnd().split('\n'));
          return [{ ...part, content: gzipSync(`${lines.join('\n')}\n`) }];
        }),
      );
    const unsorted = await reasons(await withIndex((lines) => lines.reverse()));
    expect(unsorted.join('\n')).toMatch(
      /line 2 is not sorted: "com,example\)\/ 20220118190009" stands after "com,example\)\/favicon.ico/,
    );
    expect(unsorted.join('\n')).toMatch(/index\.cdx\.gz: has no \.idx beside it/);
    const astray = await reasons(
      await withIndex(([a = '', b = '']) => [a.replace('"0"', '"9999"'), b.replace('rec-', 'sec-')]),
    );
    expect(astray.join('\n')).toMatch(/line 1 points to bytes 9999\+1282 of rec-.*, which has 3878/);
    expect(astray.join('\n')).toMatch(/line 2 names sec-.*, which is not in archive\//);
  });

  it('.idx with a wrong digest or a gap => told', async () => {
    const withIdx = (change: (text: string) => string) =>
      altered((parts) =>
        parts.map((part) =>
          part.name === 'indexes/index.idx'
            ? { ...part, content: Buffer.from(change(part.content.toString())) }
            : part,
        ),
      );
    const digest = await reasons(await withIdx((text) => text.replace('sha256:28', 'sha256:29')));
    expect(digest).toContain('indexes/index.idx: block at 0 does not match its digest');
    const gap = await reasons(await withIdx((text) => text.replace('"length": 397', '"length": 390')));
    expect(gap).toContain('indexes/index.idx: its blocks end at byte 390, indexes/index.cdx.gz at 397');
  });

  it('pages without header, with a bad line, missing; index and WARC missing => each told', async () => {
    const withPages = (content: string) =>
      altered((parts) =>
        parts.map((part) =>
          part.name === 'pages/pages.jsonl' ? { ...part, content: Buffer.from(content) } : part,
        ),
      );
    expect(
      (await reasons(await withPages('{"id":"1","url":"http://a/","ts":"2026-01-01T00:00:00Z"}\n'))).join(),
    ).toMatch(/pages\/pages\.jsonl: line 1 is not the header: "format" must be "json-pages-1\.0"/);
    const header = '{"format":"json-pages-1.0","id":"pages","title":"All Pages"}';
    const lines = await reasons(await withPages(`${header}\n{"url":"http://a/"}\nnonsense\n`));
    expect(lines).toContain('pages/pages.jsonl: line 2 has no readable "ts" (http://a/)');
    expect(lines).toContain('pages/pages.jsonl: line 3 is not a JSON object');
    const bare = await reasons(
      await altered((parts) => parts.filter((part) => part.name.startsWith('datapackage'))),
    );
    expect(bare).toContain('pages/pages.jsonl: missing: a WACZ lists its pages there');
    expect(bare).toContain('archive/: no WARC file: at least one .warc or .warc.gz is needed');
    expect(bare.join()).toMatch(/indexes\/: no index/);
    expect(bare.join()).toMatch(
      /pages\/pages\.jsonl: is listed in datapackage\.json and missing from the ZIP/,
    );
  });

  it('signature of another time => told', async () => {
    const path = await altered((parts) =>
      parts.map((part) =>
        part.name === 'datapackage-digest.json'
          ? {
              ...part,
              content: Buffer.from(
                part.content.toString().replace('2022-01-18T19:00:12Z', '2022-01-19T19:00:12Z'),
              ),
            }
          : part,
      ),
    );
    expect((await reasons(path)).join()).toMatch(
      /the signature is of 2022-01-19T19:00:12Z, the package of 2022-01-18/,
    );
  });
});
