import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MirrorFact } from '../../src/model/mirror.ts';
import { complaints, daguerre, FAST, spawnDaguerre, temporaryFolder, withCatalog } from './daguerre.ts';
import { type Pages, page, type SmallSite, startSite } from './small-site.ts';

/** A site that shows the handbook of another under the same path, and 6 pages of its own beside it. */
const handbook = Array.from({ length: 30 }, (_, i) => `/handbook/${i < 20 ? 'a' : 'b'}/${i}.html`);
const own = Array.from({ length: 6 }, (_, i) => `/own/${i}.html`);
const SAMPLE = 16;
const LEFT = handbook.length - SAMPLE;

let folder: string;
let grown: string;
let origin: SmallSite;
let partial: SmallSite;

const pagesOf =
  (who: string, { words = '', after = 0 } = {}): Pages =>
  (path) => {
    const body =
      path === '/'
        ? page(`Front of ${who}`, [...handbook, ...own])
        : handbook.includes(path)
          ? page(path, [], words)
          : own.includes(path)
            ? page(`${path} of ${who}`)
            : undefined;
    return body === undefined ? undefined : { body, after };
  };
const THEIRS = pagesOf('the origin');
const OURS = pagesOf('the other');
const host = ({ url }: SmallSite): string => new URL(url).host;
const command = (archive: string, site: SmallSite) => [
  'archive',
  `${site.url}/`,
  '--archive',
  archive,
  ...FAST,
];

async function mirrors(archive: string, ...more: string[]): Promise<readonly MirrorFact[]> {
  return (await daguerre(['mirrors', '--archive', archive, '--json', ...more])).json<{
    mirrors: MirrorFact[];
  }>().mirrors;
}

async function kept(name: string): Promise<string> {
  const archive = join(folder, name);
  await cp(grown, archive, { recursive: true });
  expect(await mirrors(archive, '--keep')).toHaveLength(1);
  return archive;
}

async function asking<T>(work: () => Promise<T>): Promise<{ result: T; asked: readonly string[] }> {
  const before = partial.asked.length;
  const result = await work();
  return { result, asked: partial.asked.slice(before).filter((path) => path !== '/robots.txt') };
}

interface Report {
  readonly coverage: { readonly proven: number; readonly inferred: number };
  readonly inferred: { readonly reasons: object };
  readonly notes: readonly string[];
}

const left = (archive: string) =>
  withCatalog(archive, async (catalog) => catalog.inferences({ crawlId: (await catalog.crawls()).length }));

beforeAll(async () => {
  folder = await temporaryFolder();
  grown = join(folder, 'grown');
  origin = await startSite(THEIRS);
  partial = await startSite(OURS, '127.0.0.3');
  for (const site of [origin, partial]) expect((await daguerre(command(grown, site))).code).toBe(0);
}, 120_000);
afterAll(async () => {
  await origin.close();
  await partial.close();
});

describe('a site that mirrors one directory of another', () => {
  test('crawled => own pages and a sample of the part; the rest told by report, why, sites and site-delta', async () => {
    const archive = await kept('part');
    expect(await mirrors(archive)).toMatchObject([
      { mirror: host(partial), origin: host(origin), path: '/handbook/', exclusions: [], agreeing: 30 },
    ]);
    const { result, asked } = await asking(() => daguerre(command(archive, partial)));
    expect(asked).toEqual(expect.arrayContaining(['/', ...own]));
    expect(asked).toHaveLength(1 + own.length + SAMPLE);
    const report = result.json<Report>();
    expect(report.coverage).toMatchObject({ proven: asked.length, inferred: LEFT });
    expect(report.inferred.reasons).toEqual({ mirror: LEFT });
    // The front page is no page of the part: it is not compared.
    expect(report.notes.join()).toContain(`still: ${SAMPLE} of ${SAMPLE} pages that were compared agree`);

    const spared = handbook.find((path) => !asked.includes(path)) ?? '';
    const why = await daguerre(['why', partial.url + spared, '--archive', archive]);
    expect(why.stdout).toContain(`the site mirrors ${host(origin)}`);
    const sites = await daguerre(['sites', '--archive', archive]);
    expect(sites.stdout).toMatch(
      new RegExp(`${host(partial)}.*mirrors ${host(origin)} in /handbook/, up to date`),
    );
    const quality = await daguerre(['report', host(partial), '--archive', archive]);
    expect(quality.stdout).toContain(`mirrors ${host(origin)}`);
    expect(await complaints(archive)).toEqual([]);
  }, 120_000);

  test('kill -9 while the sample is read, and after it, then the same command => the same pages left out, each other once', async () => {
    const archive = await kept('killed');
    partial.become(pagesOf('the other', { after: 60 }));
    const { result, asked } = await asking(async () => {
      const before = partial.asked.filter((path) => path !== '/robots.txt').length;
      const plans: unknown[] = [];
      for (const requests of [6, 14]) {
        const running = spawnDaguerre(command(archive, partial));
        await partial.seen(before + requests);
        running.child.kill('SIGKILL');
        await running.ended;
        plans.push((await left(archive)).map(({ urls }) => urls));
      }
      return { plans, last: await daguerre(command(archive, partial)) };
    });
    partial.become(OURS);
    expect(result.last.stderr).toContain('Resuming crawl');
    const settled = await left(archive);
    for (const plan of result.plans) expect(plan).toEqual(settled.map(({ urls }) => urls));
    expect(settled.every(({ state }) => state === 'inferred')).toBe(true);
    const spared = new Set(settled.flatMap(({ urls }) => urls.map((url) => new URL(url).pathname)));
    expect(spared.size).toBe(LEFT);
    expect(asked.filter((path) => spared.has(path))).toEqual([]);
    expect(new Set(asked).size).toBe(1 + own.length + SAMPLE);
    expect(result.last.json<Report>().coverage).toMatchObject({
      proven: 1 + own.length + SAMPLE,
      inferred: LEFT,
    });
    expect(await complaints(archive)).toEqual([]);
  }, 120_000);

  test('its handbook is another now => all of it read in the same crawl, ended; the next crawl reads all; reindex keeps it', async () => {
    const archive = await kept('ended');
    partial.become(pagesOf('the other', { words: 'A handbook of our own. '.repeat(20) }));
    const { result, asked } = await asking(() => daguerre(command(archive, partial)));
    expect(new Set(asked).size).toBe(1 + own.length + handbook.length);
    expect(result.json<Report>().coverage).toMatchObject({ inferred: 0 });
    expect(result.json<Report>().notes.join()).toContain(`no longer: 0 of ${SAMPLE}`);
    expect((await mirrors(archive)).map(({ standing }) => standing)).toEqual(['ended']);
    const sites = await daguerre(['sites', '--archive', archive]);
    expect(sites.stdout).not.toContain(`mirrors ${host(origin)}`);
    expect((await daguerre(['reindex', '--archive', archive])).code).toBe(0);
    const again = await asking(() => daguerre(command(archive, partial)));
    expect(new Set(again.asked).size).toBe(1 + own.length + handbook.length);
    partial.become(OURS);
    expect(await complaints(archive)).toEqual([]);
  }, 120_000);
});
