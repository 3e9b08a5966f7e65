import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { complaints, daguerre, FAST, temporaryFolder } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

interface Exported {
  readonly out: string;
  readonly sites: number;
  readonly pages: number;
  readonly documents: number;
  readonly bytes: number;
}

let folder: string;
let archive: string;
let site: SmallSite;

const home = page('Home', ['/a', '/b', '/copy', '/gone', '/shaky']);
const pages = { '/': home, '/a': page('A'), '/b': page('B'), '/copy': page('B'), '/gone': page('Gone') };

beforeAll(async () => {
  folder = await temporaryFolder();
  archive = join(folder, 'archive');
  const shaky = { status: 503, body: 'later' };
  site = await startSite({ ...pages, '/shaky': shaky });
  const crawl = async () => {
    const run = await daguerre(['archive', `${site.url}/`, '--archive', archive, '--attempts', '1', ...FAST]);
    expect(run.code).toBe(0);
  };
  await crawl();
  await crawl();
  const { '/gone': _, ...left } = pages;
  site.become({ ...left, '/a': page('A, otherwise'), '/shaky': page('Up again') });
  await crawl();
}, 60_000);
afterAll(() => site.close());

async function exported(
  from: string,
  name: string,
  ...more: string[]
): Promise<{ text: string; report: Exported }> {
  const out = join(folder, name);
  const run = await daguerre([
    'export',
    '--format',
    'site-delta',
    '--archive',
    from,
    '--out',
    out,
    '--json',
    ...more,
  ]);
  expect([run.stderr, run.code]).toEqual([expect.any(String), 0]);
  return { text: await readFile(out, 'utf8'), report: run.json<Exported>() };
}

/** Statuses of the accesses to each page, by its path. */
function statuses(text: string): Record<string, string> {
  const found = [...text.matchAll(/<page url="http:\/\/[^/]+([^"]*)".*?<\/page>/gs)];
  return Object.fromEntries(
    found.map(([all, path]) => [path, [...all.matchAll(/ status="(\w+)"/g)].map(([, one]) => one).join(' ')]),
  );
}

describe('three crawls of a site', () => {
  test('export --format site-delta => every access, with its record; valid by the schema', async () => {
    const { text, report } = await exported(archive, 'one.xml');
    expect(report).toMatchObject({ sites: 1, pages: 6, documents: 18 });
    expect(statuses(text)).toEqual({
      '/': 'new unchanged unchanged',
      '/a': 'new unchanged updated',
      '/b': 'new unchanged unchanged',
      '/copy': 'new unchanged unchanged',
      '/gone': 'new unchanged deleted',
      '/shaky': 'error error new',
    });
    expect(text.match(/<crawl archive="[^"]+" start="[^"]+" end="[^"]+"\/>/g)).toHaveLength(3);
    // Its bytes are those of /b, and stored once.
    expect(text).toMatch(/same-as="http:\/\/[^"]+\/b"/);
    expect(
      text.match(/ record="urn:uuid:[^"]+" file="[^"]+\.warc\.gz" offset="\d+"/g)?.length,
    ).toBeGreaterThan(15);
    const schema = await readFile(new URL('../../schemas/site-delta.xsd', import.meta.url), 'utf8');
    const { errors } = await validateXML({ xml: text, schema: [schema] });
    expect(errors).toEqual([]);
  });

  test('imported into an empty archive and exported again => the same bytes; so after reindex; twice is once', async () => {
    const { text, report } = await exported(archive, 'two.xml');
    const other = join(folder, 'other');
    const run = await daguerre(['import', join(folder, 'two.xml'), '--archive', other, '--json']);
    expect(run.json()).toMatchObject({
      files: 0,
      captures: 0,
      histories: { files: 1, sites: 1, pages: report.pages, documents: report.documents },
      errors: [],
    });
    expect((await exported(other, 'three.xml')).text).toBe(text);
    const again = await daguerre(['import', join(folder, 'two.xml'), '--archive', other, '--json']);
    expect(again.json()).toMatchObject({ already: 1 });
    await rm(join(other, 'catalog.sqlite'));
    expect((await daguerre(['reindex', '--archive', other])).code).toBe(0);
    expect((await exported(other, 'four.xml')).text).toBe(text);
    expect(await complaints(other)).toEqual([]);
  });

  test('its own history imported again => nothing stands there twice', async () => {
    const { text } = await exported(archive, 'own.xml');
    await daguerre(['import', join(folder, 'own.xml'), '--archive', archive]);
    expect((await exported(archive, 'own-again.xml')).text).toBe(text);
  });

  test('--site of a site that is not there, or a filter that cuts histories => exit code 2', async () => {
    const run = (...more: string[]) =>
      daguerre(['export', '--format', 'site-delta', '--archive', archive, ...more]);
    const [other, cut] = [await run('--site', 'other.example'), await run('--from', '2020')];
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('nothing of other.example')]);
    expect([cut.code, cut.stderr]).toEqual([2, expect.stringContaining('choose with --site alone')]);
  });
});

describe('import of what is no site-delta', () => {
  const importing = async (text: string) => {
    const file = join(folder, 'bad.xml');
    await writeFile(file, text);
    const other = join(await temporaryFolder(), 'archive');
    const run = await daguerre(['import', file, '--archive', other]);
    return [run.code, run.stdout + run.stderr] as const;
  };

  test('billion laughs => refused by line and column; nothing is stored', async () => {
    const [code, said] = await importing(
      '<!DOCTYPE a [<!ENTITY b "b">]>\n<site-delta version="1">&b;</site-delta>',
    );
    expect(said).toMatch(
      /bad\.xml is no site-delta that can be read: line 1, column \d+: a DOCTYPE is refused/,
    );
    expect(said).not.toContain('    at ');
    expect(code).toBe(6);
  });

  test('a history in an archive without a page => why tells what it knows of the page; sites and rules name the site', async () => {
    const file = join(folder, 'told.xml');
    await writeFile(
      file,
      `<site-delta version="1"><website url="example.org">
<page url="http://example.org/a"><document date="2020-01-01" status="new"/><document date="2020-01-02" status="unchanged"/>
<document date="2020-01-03" status="skipped"/></page></website></site-delta>`,
    );
    const other = join(await temporaryFolder(), 'archive');
    const said = async (...words: string[]) => {
      const { stdout, stderr } = await daguerre([...words, '--archive', other]);
      return stdout + stderr;
    };
    expect(await said('import', file)).toContain(
      '3 documents (visits, and times a page was left out) of 1 page',
    );
    expect(await said('why', 'http://example.org/a')).toContain(
      'An imported history of the archive unnamed tells of it: 3 documents, shown last 2020-01-02T00:00:00.000Z (unchanged) to unnamed.',
    );
    expect(await said('why', 'http://example.org/b')).not.toContain('imported history');
    expect(await said('sites')).toContain('imported histories tell of one site');
    expect(await said('rules')).toContain('imported histories tell of one site');
  });

  test('a document of unknown status => told by line and column, the others are taken; exit code 6', async () => {
    const [code, said] = await importing(`<site-delta version="1"><website url="example.org">
<page url="/"><document date="2020-01-01" status="new"/><document date="2020-01-02" status="burnt"/></page></website></site-delta>`);
    expect(said).toContain("'burnt' is no status of a document");
    expect(said).toContain(
      '1 history imported: 1 document (visits, and times a page was left out) of 1 page of 1 site',
    );
    expect(code).toBe(6);
  });
});

test('a site that was seen with secrets alone => not even its name is written, without --include-private', async () => {
  const own = join(await temporaryFolder(), 'archive');
  const crawl = (url: string, ...more: string[]) =>
    daguerre(['archive', url, '--archive', own, ...more, ...FAST]);
  expect((await crawl(`${site.url}/`)).code).toBe(0);
  const members = `http://localhost:${site.port}`;
  expect((await crawl(`${members}/`, '--cookie', 'login=yes')).code).toBe(0);
  const { text, report } = await exported(own, 'public.xml');
  expect(report.sites).toBe(1);
  expect(text).toContain('127.0.0.1');
  expect(text).not.toContain('localhost');
  const all = await exported(own, 'private.xml', '--include-private');
  expect(all.report.sites).toBe(2);
  expect(all.text).toContain('localhost');
  const asked = ['--site', `localhost:${site.port}`, '--out', join(folder, 'none.xml')];
  const refused = await daguerre(['export', '--format', 'site-delta', '--archive', own, ...asked]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--include-private')]);
});
