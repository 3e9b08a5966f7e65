import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AnalysisReport } from '../../src/archive/analyse/analyse-archive.ts';
import { findChromium } from '../../src/capture/browser/find-chromium.ts';
import { openSqliteCatalog } from '../../src/catalog/engines/sqlite.ts';
import { ANALYSIS } from '../../src/model/derived-uris.ts';
import type { ChangeSummary } from '../../src/ports/catalog.ts';
import { capturesOf, daguerre, FAST, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { type RecordedAnswer, writeWithWarcio } from './other-tools.ts';
import { startSite } from './small-site.ts';

const noChromium = await findChromium().then(
  () => false,
  () => true,
);
if (noChromium) console.warn('skipped: analysis of stored captures, because there is no Chromium');

const HOME = 'http://daily.test/';
const STORIES = [
  'Rain all day at the harbour',
  'Mayor resigns over the harbour contract',
  'Ferry sold to Denmark',
];

/** A front page of one story, with a token that no reader sees. */
const front = (story: string, token: string): string =>
  `<!doctype html><html lang="en"><title>The Daily</title><link rel="stylesheet" href="/style.css">
  <!-- ${token} --><header><h1>The Daily</h1><a href="/about">About</a></header>
  <main><h2>${story}</h2><p>The council met on Monday evening, and said nothing else all week.</p></main>
  <footer>All rights reserved.</footer>`;

const day = (number: number): string => `2020-03-0${number}T12:00:00Z`;
const edition = (number: number, story: string, token = String(number)): RecordedAnswer => ({
  url: HOME,
  date: day(number),
  body: front(story, token),
});
const STYLE: RecordedAnswer = {
  url: `${HOME}style.css`,
  date: day(1),
  body: 'body{margin:0} header,footer{background:#ddd;padding:20px} main{width:700px;padding:20px}',
  type: 'text/css',
};

describe.skipIf(noChromium)('analyse', () => {
  const run = (archive: string, ...args: string[]) => daguerre([...args, '--archive', archive]);
  async function analyse(
    archive: string,
    ...args: string[]
  ): Promise<AnalysisReport & { code: number | undefined }> {
    const done = await run(archive, 'analyse', '--json', ...args);
    expect(done.stderr).not.toMatch(/^\s+at /m);
    return { ...done.json<AnalysisReport>(), code: done.code };
  }
  async function imported(answers: readonly RecordedAnswer[]): Promise<string> {
    const folder = await temporaryFolder();
    const archive = join(folder, 'archive');
    await writeWithWarcio(join(folder, 'other.warc.gz'), answers);
    expect((await run(archive, 'import', join(folder, 'other.warc.gz'))).code).toBe(0);
    return archive;
  }
  async function changes(archive: string): Promise<ChangeSummary[]> {
    const { stdout } = await run(archive, 'changes', '--json', '--sort', 'time');
    return stdout
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ChangeSummary)
      .reverse();
  }
  const days = (list: readonly ChangeSummary[]) =>
    list.map(({ from, to }) => [new Date(from).getUTCDate(), new Date(to).getUTCDate()]);
  /** Times of the captures that are analysed, by the catalog. */
  const analysed = async (archive: string): Promise<number[]> =>
    (await capturesOf(archive))
      .filter(({ url }) => url.startsWith(ANALYSIS))
      .map(({ at }) => new Date(at).getUTCDate());

  describe('a WARC of another tool', () => {
    let archive: string;
    let report: AnalysisReport & { code: number | undefined };
    beforeAll(async () => {
      const [rain = '', mayor = '', ferry = ''] = STORIES;
      archive = await imported([
        STYLE,
        edition(1, rain),
        edition(2, mayor),
        edition(3, mayor, 'other bytes'),
        edition(4, mayor, 'other bytes'),
        edition(5, ferry),
      ]);
      report = await analyse(archive);
    }, 120_000);

    it('five versions => a layout, two changes, one that looks the same, one with the same bytes', async () => {
      expect(report).toMatchObject({
        state: 'finished',
        pages: 1,
        versions: 4,
        layouts: 1,
        deltas: 2,
        same: 1,
        failed: 0,
      });
      expect([report.repeated, report.code]).toEqual([1, 0]);
      expect(days(await changes(archive))).toEqual([
        [1, 2],
        [2, 5],
      ]);
    });

    it('changes, query, patterns => know it', async () => {
      const [first] = await changes(archive);
      expect(JSON.stringify(first?.operations)).toContain('Mayor resigns');
      const asked = await run(archive, 'query', '//txt/string()', '--kind', 'layouts', '--url', HOME);
      expect(asked.stdout).toContain('Ferry sold to Denmark');
      const { stdout } = await run(archive, 'patterns', '--json', '--url', HOME);
      // By what readers see: bytes changed three times.
      expect(JSON.parse(stdout)).toMatchObject({ observations: 5, changes: 2 });
    });

    it('again => nothing to do; verify is clean; reindex gives it all back', async () => {
      expect(await analyse(archive)).toMatchObject({ versions: 0, code: 0 });
      expect((await run(archive, 'verify')).code).toBe(0);
      const tell = async () => ({
        changes: await changes(archive),
        patterns: (await run(archive, 'patterns', '--json')).stdout,
        analysed: await analysed(archive),
      });
      const before = await tell();
      expect((await run(archive, 'reindex')).code).toBe(0);
      expect(await tell()).toEqual(before);
      expect(await analyse(archive)).toMatchObject({ versions: 0 });
    });
  });

  it('a version that comes in later => only its successor is compared again, and reindex agrees', async () => {
    const [rain = '', mayor = '', ferry = ''] = STORIES;
    const archive = await imported([STYLE, edition(1, rain), edition(5, mayor), edition(8, ferry)]);
    await analyse(archive);
    const folder = await temporaryFolder();
    await writeWithWarcio(join(folder, 'late.warc.gz'), [edition(3, 'Fire in the old town')]);
    await run(archive, 'import', join(folder, 'late.warc.gz'));
    expect(await analyse(archive)).toMatchObject({ versions: 2, successors: 1, deltas: 2 });
    const chain = [
      [1, 3],
      [3, 5],
      [5, 8],
    ];
    expect(days(await changes(archive))).toEqual(chain);
    const deltas = await run(archive, 'query', 'string(/Delta/@from)', '--json');
    expect(deltas.stdout.trim().split('\n')).toHaveLength(3);
    expect(await analyse(archive)).toMatchObject({ versions: 0 });
    await run(archive, 'reindex');
    expect(days(await changes(archive))).toEqual(chain);
    expect((await run(archive, 'verify')).code).toBe(0);
  }, 120_000);

  it('killed, again and again => each version once, and nothing is lost', async () => {
    const pages = Array.from({ length: 6 }, (_, page) =>
      [1, 2, 3].map((number) => ({
        ...edition(number, STORIES[number - 1] ?? ''),
        url: `${HOME}page${page}`,
      })),
    ).flat();
    const archive = await imported([STYLE, ...pages]);
    for (const wait of [1, 4, 9]) {
      const { child, ended } = spawnDaguerre(['analyse', '--workers', '2', '--archive', archive]);
      while ((await analysed(archive)).length < wait && child.exitCode === null)
        await new Promise((resolve) => setTimeout(resolve, 30));
      child.kill('SIGKILL');
      await ended;
    }
    const done = (await analysed(archive)).length;
    const rest = await analyse(archive);
    expect(done).toBeGreaterThan(0);
    expect(rest).toMatchObject({ state: 'finished', failed: 0 });
    expect((await analysed(archive)).length).toBe(18);
    expect(await changes(archive)).toHaveLength(12);
    expect((await run(archive, 'verify')).code).toBe(0);
    expect(await analyse(archive)).toMatchObject({ versions: 0 });
  }, 240_000);

  it('--again => layouts by another segmenter are made anew, out of their snapshots; the newest counts', async () => {
    const [rain = '', mayor = ''] = STORIES;
    const archive = await imported([STYLE, edition(1, rain), edition(2, mayor)]);
    await analyse(archive);
    expect(await analyse(archive, '--again')).toMatchObject({ versions: 0 });
    // As an earlier segmenter would have left them.
    const catalog = await openSqliteCatalog(join(archive, 'catalog.sqlite'));
    const stale = [];
    for await (const { url, versions } of catalog.storedVersions({}))
      for (const { at, look } of versions)
        if (look) {
          const { madeAt, layoutAt, comparedAt } = look;
          const times = {
            ...(layoutAt !== undefined && { layoutAt }),
            ...(comparedAt !== undefined && { comparedAt }),
          };
          const analysis = { url, at, madeAt: madeAt + 1, analyser: 'older/1', ...times, facts: [] };
          const [own] = (await capturesOf(archive)).filter(
            (fact) => fact.at === at && fact.url.startsWith(ANALYSIS),
          );
          stale.push({ analysis, eventId: own?.eventId ?? '' });
        }
    await catalog.index({ captures: [], pages: [], analyses: stale, fileLengths: new Map() });
    await catalog.close();
    expect(await analyse(archive)).toMatchObject({ versions: 0 });
    expect(await analyse(archive, '--again')).toMatchObject({
      versions: 2,
      deltas: 1,
      layouts: 1,
      failed: 0,
    });
    expect(await analyse(archive, '--again')).toMatchObject({ versions: 0 });
    expect(days(await changes(archive))).toEqual([[1, 2]]);
    const layouts = (await capturesOf(archive)).filter(({ url }) => url.startsWith('urn:layout:'));
    expect(layouts).toHaveLength(2);
    await run(archive, 'reindex');
    expect((await capturesOf(archive)).filter(({ url }) => url.startsWith('urn:layout:'))).toEqual(
      layouts.map((layout) => expect.objectContaining({ recordId: layout.recordId })),
    );
  }, 120_000);

  it('a damaged record, a page that never ends, a page without its style => facts, and the others are analysed', async () => {
    const [rain = '', mayor = '', ferry = ''] = STORIES;
    const folder = await temporaryFolder();
    const archive = join(folder, 'archive');
    const endless = `${front('Endless', 'x')}<script>for (;;) {}</script>`;
    const offsets = await writeWithWarcio(join(folder, 'other.warc.gz'), [
      edition(1, rain),
      edition(3, mayor),
      edition(4, ferry),
      { url: `${HOME}endless`, date: day(1), body: endless },
    ]);
    await run(archive, 'import', join(folder, 'other.warc.gz'));
    const [name = ''] = (await readdir(join(archive, 'warc'))).filter((file) => file.startsWith('other'));
    const file = await open(join(archive, 'warc', name), 'r+');
    await file.write(Buffer.alloc(40, 0x55), 0, 40, (offsets[1] ?? 0) + 60);
    await file.close();
    const report = await analyse(archive, '--time-limit', '5s');
    expect(report).toMatchObject({ versions: 4, failed: 1, layouts: 2, deltas: 1, code: 8 });
    const facts = (at: number, url = HOME) =>
      report.facts.find((one) => one.url === url && new Date(one.at).getUTCDate() === at)?.facts.join('\n');
    // The nearest other version, which came later, is not taken for the damaged one.
    expect(facts(3)).toMatch(/no layout: its record cannot be read: other\.warc\.gz at \d+/);
    expect(facts(4)).toContain('1 style sheet that the page asks for is not kept');
    expect(facts(1, `${HOME}endless`)).toContain('a script ran without end');
    expect(days(await changes(archive))).toEqual([[1, 4]]);
    // Kept as facts: not tried again, unless that is asked for.
    expect(await analyse(archive)).toMatchObject({ versions: 0, code: 0 });
    expect(await analyse(archive, '--retry')).toMatchObject({ versions: 1, failed: 1 });
  }, 120_000);

  it('what the page asks for is not asked for on the network', async () => {
    const site = await startSite({ '/x.png': 'x' });
    try {
      const archive = await imported([
        {
          url: HOME,
          date: day(1),
          body: `${front('Out', 'x')}<img src="${site.url}/x.png"><iframe src="${site.url}/f"></iframe><script>
            fetch('${site.url}/f'); new WebSocket('${site.url.replace('http', 'ws')}/w'); navigator.sendBeacon('${site.url}/b')</script>`,
        },
      ]);
      expect(await analyse(archive)).toMatchObject({ versions: 1, layouts: 1 });
      expect([site.asked, site.connections]).toEqual([[], 0]);
    } finally {
      await site.close();
    }
  }, 60_000);

  it('beside a crawl => the crawl does it; limits and selections hold', async () => {
    const site = await startSite((path) => ({
      body: front(path, path),
      after: path === '/slow' ? 20_000 : 0,
    }));
    try {
      const folder = await temporaryFolder();
      const archive = await imported([
        STYLE,
        ...[1, 2, 3].map((number) => edition(number, STORIES[number - 1] ?? '')),
      ]);
      const crawl = spawnDaguerre(['archive', `${site.url}/slow`, '--archive', archive, ...FAST]);
      await site.seen(1);
      const report = await analyse(archive, '--limit', '1', '--url', HOME, '--from', '2020-03-02');
      expect(report).toMatchObject({ versions: 1, left: 1, state: 'limit' });
      expect(await analysed(archive)).toEqual([2]);
      const asked = await Promise.all([analyse(archive), analyse(archive)]);
      expect(asked.map(({ versions }) => versions).sort()).toEqual([0, 3]);
      expect(days(await changes(archive))).toEqual([
        [1, 2],
        [2, 3],
      ]);
      crawl.child.kill('SIGINT');
      await crawl.ended;
      expect((await stat(folder)).isDirectory()).toBe(true);
    } finally {
      await site.close();
    }
  }, 120_000);

  it('captures made without a browser => analysed like those of other tools', async () => {
    const site = await startSite({ '/': front(STORIES[0] ?? '', 'a') });
    const archive = join(await temporaryFolder(), 'archive');
    try {
      for (const story of STORIES.slice(0, 2)) {
        site.become({ '/': front(story, 'a') });
        expect((await daguerre(['archive', `${site.url}/`, '--archive', archive, ...FAST])).code).toBe(0);
      }
    } finally {
      await site.close();
    }
    expect(await analyse(archive)).toMatchObject({ layouts: 1, deltas: 1 });
    expect(await changes(archive)).toHaveLength(1);
    expect((await run(archive, 'verify')).code).toBe(0);
  }, 60_000);
});
