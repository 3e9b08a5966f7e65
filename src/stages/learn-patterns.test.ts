import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { capture, digest, pageOf, SPEC } from '../catalog/conformance/examples.conformance.ts';
import { openSqliteCatalog } from '../catalog/engines/sqlite.ts';
import type { CrawlSpec } from '../model/crawl.ts';
import type { PagePattern } from '../model/pattern.ts';
import type { VersionFact } from '../model/version.ts';
import type { Catalog } from '../ports/catalog.ts';
import { learntPattern } from '../science/patterns/learnt-pattern.ts';
import { slotPlan } from '../science/patterns/slots.ts';
import { bucketOf, learnPatterns } from './learn-patterns.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SITE = 'example.org';
const A = 'https://example.org/a';
const B = 'https://example.org/b';
/** Monday, 2 March 2026, 00:00 UTC. */
const START = Date.UTC(2026, 2, 2);

describe('learnPatterns', () => {
  let folder: string;
  let catalog: Catalog;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
    catalog = await openSqliteCatalog(join(folder, 'catalog.sqlite'));
  });
  afterEach(async () => {
    await catalog.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Visits of a page: when, and the payload found (a number is a status without one). */
  async function visits(
    url: string,
    seen: readonly (readonly [at: number, payload: string | number])[],
  ): Promise<void> {
    await catalog.index({
      captures: seen.map(([at, payload]) =>
        capture(url, at, typeof payload === 'number' ? { status: payload } : { digest: digest(payload) }),
      ),
      pages: seen.map(([at]) => pageOf(url, at)),
      fileLengths: new Map(),
    });
  }
  const crawl = (spec: Partial<CrawlSpec>, at = START) =>
    catalog.createCrawl(`key ${at}`, { ...SPEC, seeds: [`https://${SITE}/`], ...spec }, at);
  const learn = (...sites: string[]) => learnPatterns(sites.length > 0 ? sites : [SITE], { catalog });
  async function learnt(site = SITE): Promise<PagePattern[]> {
    const pages = [];
    for await (const page of catalog.pagePatterns({ site })) pages.push(page);
    return pages;
  }
  async function everything(site = SITE) {
    const { mark: _, ...known } = (await catalog.learntSite(site)) ?? { mark: 0 };
    return { pages: await learnt(site), groups: await catalog.patternGroups(site), known };
  }
  const rates = ({ kind, sums }: PagePattern, zone = 'UTC'): Float64Array =>
    learntPattern(sums, slotPlan(kind, { zone })).rate;

  /** A page that changes on the hour in the morning, seen every hour for some days. */
  const forenoons = (days: number, from = 0, offset = 0) =>
    Array.from({ length: days * 24 }, (_, index) => {
      const hour = from * 24 + index;
      const local = (((hour + offset) % 24) + 24) % 24;
      const changes = Math.floor((hour + offset) / 24) * 6 + Math.min(6, Math.max(0, local - 5));
      return [START + hour * HOUR + 60_000, `version ${changes}`] as const;
    });

  it('no history, one observation => nothing is learnt, nothing fails', async () => {
    await learn('none.org', '');
    await visits(A, [[START, 'one']]);
    await learn();
    expect(await learnt()).toEqual([]);
    expect(await catalog.learntSite(SITE)).toBeUndefined();
  });

  it('two observations => a pattern with little confidence', async () => {
    await visits(A, [
      [START, 'one'],
      [START + HOUR, 'two'],
    ]);
    await learn();
    expect(await learnt()).toMatchObject([
      { url: A, kind: 'daily', observations: 2, changes: 1, firstAt: START, lastAt: START + HOUR, group: 0 },
    ]);
    expect(await catalog.learntSite(SITE)).toMatchObject({ zone: 'UTC', factor: 1 });
  });

  it('changes in the forenoon => the rates of these hours', async () => {
    await visits(A, forenoons(7));
    await learn();
    const [page] = await learnt();
    const rate = rates(page as PagePattern);
    expect(rate[8]).toBeGreaterThan(5 * (rate[15] as number));
    expect(page).toMatchObject({ observations: 168, changes: 42 });
    expect(page?.threshold).toBeGreaterThan(0.1);
  });

  it('crawl by crawl, in any order, or at once => the same', async () => {
    const all = [...forenoons(5)];
    await visits(A, all.slice(60));
    await visits(B, all.slice(0, 30));
    await learn();
    await visits(A, all.slice(0, 20));
    await learn();
    await visits(A, all.slice(20, 60).toReversed());
    await visits(
      B,
      all.slice(30).filter((_, index) => index % 3 === 0),
    );
    await learn();
    const inSteps = await everything();
    expect(inSteps.pages).toHaveLength(2);
    await catalog.forgetPatterns(SITE);
    await learn();
    expect(await everything()).toEqual(inSteps);
    await learn();
    expect(await everything()).toEqual(inSteps);
  });

  it('the same visit told twice => once', async () => {
    const seen = forenoons(3);
    await visits(A, seen);
    await learn();
    const once = await everything();
    await visits(A, seen.slice(10, 30));
    await learn();
    expect(await everything()).toEqual(once);
  });

  it('a page that dies => its pattern stays, with the time of its death', async () => {
    await visits(A, forenoons(3));
    await learn();
    const [alive] = await learnt();
    await visits(A, [
      [START + 4 * DAY, 503],
      [START + 5 * DAY, 410],
      [START + 6 * DAY, 404],
    ]);
    await learn();
    expect(await learnt()).toEqual([{ ...alive, goneAt: START + 5 * DAY }]);
  });

  it('two sites in two zones, over the start of summer time => the same local hours', async () => {
    const spring = Date.UTC(2026, 2, 27) - START;
    // Paris is one hour ahead of UTC, two from 29 March on; Kathmandu 5 h 45 min all year.
    const local = (zone: string) => {
      const plan = slotPlan('daily', { zone });
      let version = 0;
      return Array.from({ length: 6 * 24 * 4 }, (_, quarter) => {
        const at = START + spring + quarter * 15 * 60_000;
        if (plan.slotOf(at / 1000 - 1) === 8) version++;
        return [at, `${zone} ${version}`] as const;
      });
    };
    const paris = 'https://paris.example/';
    const nepal = 'https://nepal.example/';
    await visits(paris, local('Europe/Paris'));
    await visits(nepal, local('Asia/Kathmandu'));
    await crawl({ seeds: [paris], timezone: 'Europe/Paris' });
    await crawl({ seeds: [nepal], timezone: 'Asia/Kathmandu' }, START + 1);
    await learn('paris.example', 'nepal.example');
    for (const site of ['paris.example', 'nepal.example']) {
      const { zone } = (await catalog.learntSite(site)) ?? { zone: '' };
      const [page] = await learnt(site);
      const rate = rates(page as PagePattern, zone);
      expect(rate.indexOf(Math.max(...rate))).toBe(8);
      expect(rate[8]).toBeGreaterThan(3 * (rate[10] as number));
    }
    expect(await catalog.learntSite('nepal.example')).toMatchObject({ zone: 'Asia/Kathmandu' });
  });

  it('a page that rests on days off, in a country that is named => its kind is holiday; unnamed it is another', async () => {
    // Ten weekdays in twelve weeks, never the same weekday in consecutive weeks.
    const off = new Set([
      '03-04',
      '03-13',
      '03-16',
      '03-24',
      '04-02',
      '04-10',
      '04-13',
      '04-22',
      '04-30',
      '05-05',
    ]);
    const isDayOff = (date: string): boolean => off.has(date.slice(5));
    let version = 0;
    const seen = Array.from({ length: 86 * 12 }, (_, step) => {
      const at = START + step * 2 * 3_600_000;
      const day = new Date(at);
      const works = ![0, 6].includes(day.getUTCDay()) && !isDayOff(day.toISOString().slice(0, 10));
      if (works && day.getUTCHours() >= 8 && day.getUTCHours() < 18) version++;
      return [at, `v${version}`] as const;
    });
    await visits(A, seen);
    await crawl({});
    await learn();
    expect((await learnt()).map(({ kind }) => kind)).not.toEqual(['holiday']);
    await crawl({ holidays: 'DE' }, START + 1);
    const asked: string[] = [];
    const holidays = async (region: string) => {
      asked.push(region);
      return isDayOff;
    };
    await learnPatterns([SITE], { catalog, holidays });
    expect(asked).toEqual(['DE']);
    expect((await learnt()).map(({ kind }) => kind)).toEqual(['holiday']);
    expect(await catalog.learntSite(SITE)).toMatchObject({ holidays: 'DE' });
  });

  it('another zone => the pages of the site are learnt anew; a crawl that names none leaves it', async () => {
    await visits(A, forenoons(4));
    await crawl({});
    await learn();
    const before = await learnt();
    await crawl({ timezone: 'Asia/Tokyo' }, START + 1);
    await learn();
    const tokyo = rates((await learnt())[0] as PagePattern, 'Asia/Tokyo');
    expect(tokyo.indexOf(Math.max(...tokyo))).toBeGreaterThan(14);
    await crawl({}, START + 2);
    await learn();
    expect(await catalog.learntSite(SITE)).toMatchObject({ zone: 'Asia/Tokyo' });
    expect(await learnt()).not.toEqual(before);
  });

  it('weigh: salience => patterns in that number, learnt anew; a crawl that names none leaves it, and from the start it is the same', async () => {
    const seen = forenoons(4);
    await visits(A, seen);
    const course = { changed: [], renamed: [], came: [], went: [] };
    const changes = seen.slice(1).flatMap(([at, payload], index) => {
      const [from, before] = seen[index] as (typeof seen)[number];
      const one = { url: A, from, to: at, importance: 0.1, operations: [], course };
      return payload === before ? [] : [{ ...one, salience: 0.8, why: 'the lead story was replaced' }];
    });
    await catalog.index({ captures: [], pages: [], changes, fileLengths: new Map() });
    await crawl({});
    await learn();
    const [byImportance] = await learnt();
    expect(await catalog.learntSite(SITE)).not.toHaveProperty('weigh');
    await crawl({ weigh: 'salience' }, START + 1);
    await learn();
    const [bySalience] = await learnt();
    expect(await catalog.learntSite(SITE)).toMatchObject({ weigh: 'salience' });
    expect(bySalience?.threshold).toBeGreaterThan(4 * (byImportance?.threshold ?? 1));
    await crawl({}, START + 2);
    await learn();
    const kept = await everything();
    expect(kept.known).toMatchObject({ weigh: 'salience' });
    await catalog.forgetPatterns(SITE);
    await learn();
    expect(await everything()).toEqual(kept);
    await crawl({ weigh: 'importance' }, START + 3);
    await learn();
    expect(await learnt()).toEqual([byImportance]);
  });

  it('pages that behave alike share a group; others have their own', async () => {
    const urls = (name: string) => Array.from({ length: 4 }, (_, i) => `https://example.org/${name}/${i}`);
    for (const url of urls('morning')) await visits(url, forenoons(8));
    for (const url of urls('night')) await visits(url, forenoons(8, 0, 12));
    await learn();
    const pages = await learnt();
    const groupOf = (name: string) =>
      new Set(pages.filter(({ url }) => url.includes(name)).map(({ group }) => group));
    expect(groupOf('morning').size).toBe(1);
    expect(groupOf('night').size).toBe(1);
    expect(groupOf('night')).not.toEqual(groupOf('morning'));
    const groups = await catalog.patternGroups(SITE);
    expect(groups.map(({ pages: share }) => share)).toEqual([4, 4]);
  });

  it('only pages with captures since are read again', async () => {
    await visits(A, forenoons(2));
    await visits(B, forenoons(2));
    await learn();
    const read: string[] = [];
    const watched = new Proxy(catalog, {
      get: (target, name) => {
        if (name !== 'seenPages') return Reflect.get(target, name) as unknown;
        return async function* (...args: Parameters<Catalog['seenPages']>) {
          for await (const pages of target.seenPages(...args)) {
            read.push(...pages.map(({ url, sightings }) => `${url} ${sightings.length}`));
            yield pages;
          }
        };
      },
    });
    await visits(B, [[START + 3 * DAY, 'new']]);
    await learnPatterns([SITE], { catalog: watched });
    expect(read).toEqual([`${B} 1`]);
  });

  it('a storage budget => a factor under which the past would have fitted; none => 1', async () => {
    const versions = forenoons(4).map(([at, payload], index): [number, VersionFact] => [
      at,
      {
        sha256: digest(payload).sha256,
        size: 1_000,
        look: payload,
        basis: 'layout',
        importance: index % 24 >= 5 && index % 24 < 11 ? 0.2 + (index % 5) / 10 : 0,
        indexed: true,
        kept: true,
        reason: index === 0 ? 'first' : 'important',
        threshold: 0,
        accumulated: 0,
      },
    ]);
    await visits(A, forenoons(4));
    await catalog.index({
      captures: [],
      pages: versions.map(([at, version]) => pageOf(A, at, { version })),
      fileLengths: new Map(),
    });
    const factorWith = async (storeBudget: number, at: number) => {
      await crawl({ storeBudget }, at);
      await learn();
      return (await catalog.learntSite(SITE))?.factor ?? Number.NaN;
    };
    await crawl({});
    await learn();
    expect(await catalog.learntSite(SITE)).toMatchObject({ factor: 1 });
    const ample = await factorWith(1_000_000, START + 1);
    const small = await factorWith(2_000, START + 2);
    const smaller = await factorWith(500, START + 3);
    expect(ample).toBe(0);
    expect(small).toBeGreaterThan(0);
    expect(smaller).toBeGreaterThan(small);
    expect(await factorWith(0, START + 4)).toBeGreaterThan(smaller);
  });
});

describe('bucketOf', () => {
  it('pages of one folder and depth, digits aside', () => {
    expect(bucketOf('https://a.org/')).toEqual({ template: '/', depth: 0 });
    expect(bucketOf('https://a.org/politics/2026/03/02/slug-7.html?x=/1/')).toEqual({
      template: '/politics/#/#/#/',
      depth: 4,
    });
  });
});
