import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CRAWL_SETTINGS, crawlSpec } from '../../src/archive/crawl/crawl-settings.ts';
import { runCrawl } from '../../src/archive/crawl/run-crawl.ts';
import { importInto } from '../../src/archive/import/import-files.ts';
import { type OpenArchive, openForWriting } from '../../src/archive/open/open-archive.ts';
import { exportSiteDelta } from '../../src/archive/site-delta/export-site-delta.ts';
import { createNewspaper, fastClock, startNewspaper } from '../../src/lab/newspaper/index.ts';
import { complaints, daguerre, FAST, temporaryFolder } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

/** Statuses of the documents of a page in a site-delta, oldest first. */
function documents(text: string, url: string): readonly string[] {
  const from = text.indexOf(`<page url="${url}"`);
  const inside = from < 0 ? '' : text.slice(from, text.indexOf('</page>', from));
  return [...inside.matchAll(/ status="(\w+)"/g)].map(([, status]) => status ?? '');
}

describe('an archive that has the history of a site from another', () => {
  const old = Array.from({ length: 12 }, (_, i) => `/archive/${i}.html`);
  const news = Array.from({ length: 4 }, (_, i) => `/news/${i}.html`);
  let version = 1;
  let site: SmallSite;
  let folder: string;
  const pages =
    (extra: readonly string[] = []) =>
    (path: string) => {
      if (path === '/') return page(`Front ${version}`, [...old, ...news, ...extra]);
      if (news.includes(path)) return page(`${path} of version ${version}`);
      return [...old, ...extra].includes(path) ? page(path) : undefined;
    };
  const crawling = (archive: string, ...more: string[]) =>
    daguerre(['archive', `${site.url}/`, '--archive', join(folder, archive), ...FAST, ...more]);
  const exporting = async (archive: string, name: string): Promise<string> => {
    const out = join(folder, name);
    const at = ['--archive', join(folder, archive), '--out', out];
    expect((await daguerre(['export', '--format', 'site-delta', ...at])).code).toBe(0);
    return readFile(out, 'utf8');
  };

  beforeAll(async () => {
    folder = await temporaryFolder();
    site = await startSite(pages());
    for (version = 1; version <= 11; version++) expect((await crawling('first')).code).toBe(0);
    await exporting('first', 'history.xml');
  }, 240_000);
  afterAll(() => site.close());

  test('--skip-by-rules => what changes and what is new is fetched; the rest is virtual, told so, and no proof', async () => {
    const second = join(folder, 'second');
    expect((await daguerre(['import', join(folder, 'history.xml'), '--archive', second])).code).toBe(0);
    site.become(pages(['/archive/new.html']));
    const before = site.asked.length;
    const run = await crawling('second', '--skip-by-rules', '--miss-at-most', '20%');
    const asked = site.asked.slice(before).filter((path) => path !== '/robots.txt');
    expect(asked.toSorted()).toEqual(['/', '/archive/new.html', ...news]);
    const report = run.json<{ coverage: object; virtual: Record<string, number>; notes: string[] }>();
    expect(report.coverage).toEqual({ proven: 6, inferred: 0, skipped: 0, virtual: 12 });
    const [[archive, held] = ['', 0]] = Object.entries(report.virtual);
    expect(held).toBe(12);
    expect(report.notes.join()).toContain('12 pages that this archive does not hold are covered virtually');

    const verified = await daguerre(['verify', '--archive', second, '--json']);
    expect(verified.json()).toMatchObject({ errors: [], certificates: [{ pages: 6, inferred: 0 }] });
    const why = await daguerre(['why', `${site.url}/archive/3.html`, '--archive', second]);
    expect(why.stdout).toContain('is not in the archive.');
    expect(why.stdout).toContain(`its record is in the archive ${archive}`);

    const text = await exporting('second', 'second.xml');
    const of = documents(text, `${site.url}/archive/3.html`);
    expect(of).toEqual(['new', ...Array<string>(10).fill('unchanged'), 'skipped']);
    const last = text.match(/<document [^>]*status="skipped"[^>]*>/g)?.[0] ?? '';
    expect(last).toContain(`inferred="quiet" held-by="${archive}" record="urn:uuid:`);

    // From the records alone.
    expect((await daguerre(['reindex', '--archive', second])).code).toBe(0);
    expect(await exporting('second', 'again.xml')).toBe(text);
    expect(await complaints(second)).toEqual([]);
  }, 60_000);

  test('without --skip-by-rules => every page is fetched, whatever others tell', async () => {
    await daguerre(['import', join(folder, 'history.xml'), '--archive', join(folder, 'third')]);
    const run = await crawling('third');
    expect(run.json()).toMatchObject({ coverage: { proven: 18, inferred: 0, skipped: 0 } });
  }, 60_000);
});

describe('a daily newspaper', () => {
  const DAY = 86_400_000;
  const START = Date.UTC(2026, 2, 2, 7);
  const DAYS = 14;

  test('index and new articles are read, all else is covered: by rules here, virtually in an archive that has the history alone', async () => {
    const folder = await temporaryFolder();
    const world = createNewspaper({ seed: 7, start: START, size: 'small' });
    const clock = fastClock({ start: START, speed: 60 });
    const server = await startNewspaper({ world, clock: clock.now });
    const site = new URL(server.origin).host;
    const crawl = async (archive: OpenArchive, day: number, skipByRules: boolean) => {
      clock.set(START + day * DAY);
      const settings = {
        seeds: [`${server.origin}/`],
        render: 'never',
        allowPrivate: true,
        delay: 0,
        skipByRules,
      };
      const spec = crawlSpec(
        CRAWL_SETTINGS.parse({ ...settings, ...(skipByRules && { missAtMost: '10%' }) }),
      );
      const from = server.log.length;
      const rest = { restart: true, syncEvery: 600_000, signal: new AbortController().signal };
      const report = await runCrawl(archive, { spec, clock, ...rest });
      return { report, asked: new Set(server.log.slice(from).map(({ path }) => path)) };
    };
    const first = await openForWriting({ archive: join(folder, 'first') }, 'archive');
    const second = await openForWriting({ archive: join(folder, 'second') }, 'archive');
    try {
      for (let day = 0; day < DAYS; day++) await crawl(first, day, false);
      const { report, asked } = await crawl(first, DAYS, true);
      expect(asked).toContain('/');
      expect(report.coverage.inferred).toBeGreaterThan(20);
      // Every page that is known and there has a document of this day: it was read, or is told to be inferred.
      const history = join(folder, 'history.xml');
      await exportSiteDelta(first, history, site);
      const text = await readFile(history, 'utf8');
      const known = [...text.matchAll(/<page .*?<\/page>/gs)].map(([all]) => all);
      const there = known.filter(
        (all) => !/status="(?:deleted|error)"[^>]*>(?:<error.*)?\s*<\/page>/.test(all),
      );
      const today = new Date(report.startedAt).toISOString();
      const covered = there.filter(
        (all) => ([...all.matchAll(/ date="([^"]+)"/g)].at(-1)?.[1] ?? '') >= today,
      );
      expect(covered.length).toBe(there.length);
      expect(text.match(new RegExp(` date="${today}" status="skipped" inferred=`, 'g'))?.length).toBe(
        report.coverage.inferred,
      );

      await importInto(second, [history]);
      const next = await crawl(second, DAYS + 1, true);
      expect(next.asked).toContain('/');
      expect(next.report.coverage.virtual).toBeGreaterThan(20);
      const fresh = world
        .pages(next.report.startedAt)
        .filter(({ path }) => !text.includes(`<page url="${server.origin}${path}"`));
      const missed = fresh.filter(({ path }) => !next.asked.has(path)).map(({ path }) => path);
      expect({ fresh: fresh.length > 0, missed }).toEqual({ fresh: true, missed: [] });
    } finally {
      await first.close();
      await second.close();
      await server.close();
    }
  }, 240_000);
});
