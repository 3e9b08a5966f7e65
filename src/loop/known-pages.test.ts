import { afterEach, expect, test } from 'vitest';
import { type CrawlRig, crawlRig, linking, ROOT, type WebAnswer } from '../../test/crawl-rig.ts';
import { SPEC } from '../catalog/conformance/examples.conformance.ts';
import { Decisions } from '../model/decisions.ts';
import { KnownPages } from './known-pages.ts';

let rig: CrawlRig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

type Web = Parameters<typeof crawlRig>[0];

/** One thing the first time, another from then on. */
const then = (first: WebAnswer, later: WebAnswer) => (times: number) => (times === 0 ? first : later);
const GONE: WebAnswer = { status: 404 };

/** `/old` is still there though nothing leads to it, `/gone` is not, `/new` came. */
const CHANGED: Web = {
  '/': then(linking('/a', '/old', '/gone'), linking('/a', '/new')),
  '/a': linking('/b'),
  '/b': linking(),
  '/old': linking(),
  '/gone': then(linking(), GONE),
  '/new': linking(),
};
const DEFAULT = { order: 'adaptive-organ-pipe' } as const;

const visitsOf = async ({ catalog }: CrawlRig, crawlId: number) =>
  (await catalog.visits({ crawlId })).toSorted((a, b) => a.at - b.at);

test('a capture before => the crawl begins with its pages, says so, finds what is new and tells what no link leads to', async () => {
  rig = await crawlRig(CHANGED);
  await rig.crawl({ spec: DEFAULT });
  const before = rig.asked.length;
  await rig.crawl({ spec: DEFAULT, planned: true });
  const asked = rig.asked.slice(before).map(([path]) => path);
  expect(asked.filter((path) => path !== '/robots.txt').toSorted()).toEqual(
    ['/', '/a', '/b', '/gone', '/new', '/old'].toSorted(),
  );
  const reasons = new Map(
    (await visitsOf(rig, 2)).map(({ url, reason }) => [url.slice(ROOT.length), reason]),
  );
  expect(reasons.get('/a')).toMatch(
    /^adaptive-organ-pipe: [^;]* slot \d of about \d+; known from the capture of 2026-03-01T00:00:00.000Z$/,
  );
  expect(reasons.get('/new')).toMatch(/^adaptive-organ-pipe: [^;]*$/);
  expect(reasons.get('/')).toMatch(/^adaptive-organ-pipe: [^;]*; seed$/);
  expect(rig.notes).toEqual([
    `1 page of the last capture is still there, though no page that was visited links to it any more: ${ROOT}/old`,
  ]);
  expect(await rig.catalog.tally(2)).toMatchObject({ gone: 1, captured: 2, unchanged: 3 });
});

test('its leading page links there no more => a known page is asked last, and its visit says why', async () => {
  const pages = ['/1', '/2', '/3', '/4', '/5', '/6'];
  rig = await crawlRig({
    '/': then(linking(...pages), linking(...pages.slice(1))),
    '/1': then(linking(), GONE),
    ...Object.fromEntries(pages.slice(1).map((path) => [path, linking()])),
  });
  await rig.crawl({ spec: DEFAULT });
  const before = rig.asked.length;
  await rig.crawl({ spec: DEFAULT, planned: true });
  const asked = rig.asked.slice(before).map(([path]) => path);
  expect(asked.at(-1)).toBe('/1');
  expect(asked.filter((path) => path === '/1')).toHaveLength(1);
  const last = (await visitsOf(rig, 2)).at(-1);
  expect(last?.reason).toMatch(/^asked last, since .*; known from the capture of/);
});

test('stopped and resumed => every page once, and what was linked before the stop is not told as unlinked', async () => {
  rig = await crawlRig(CHANGED);
  await rig.crawl({ spec: DEFAULT });
  const before = rig.asked.length;
  const stop = new AbortController();
  void rig.clock.sleep(25).then(() => stop.abort());
  const { state } = await rig.crawl({ spec: DEFAULT, planned: true, signal: stop.signal });
  expect(state).toBe('stopped');
  const [, resume] = await rig.catalog.crawls();
  if (!resume) throw new Error('no crawl to resume');
  await rig.crawl({ spec: DEFAULT, planned: true, resume });
  const asked = rig.asked.slice(before).map(([path]) => path);
  const pages = asked.filter((path) => path !== '/robots.txt');
  expect(pages.toSorted()).toEqual(['/', '/a', '/b', '/gone', '/new', '/old'].toSorted());
  expect(rig.notes).toEqual([expect.stringContaining(`more: ${ROOT}/old`)]);
});

test('decided out, excluded, or more than the page limit leaves room for => not begun with', async () => {
  rig = await crawlRig(CHANGED);
  await rig.crawl({ spec: DEFAULT });
  const asked = async (more: Parameters<CrawlRig['crawl']>[0]): Promise<string[]> => {
    const before = rig?.asked.length;
    await rig?.crawl({ planned: true, ...more, spec: { ...DEFAULT, ...more?.spec } });
    return rig?.asked.slice(before).map(([path]) => path) ?? [];
  };
  const scope = { type: 'prefix', include: [], exclude: ['/old$'], depth: 9, extraHops: 0 } as const;
  expect(await asked({ spec: { scope } })).not.toContain('/old');
  const decisions = new Decisions();
  const decision = { id: 'd1', target: `${ROOT}/old`, by: 'someone', why: 'not this one', at: 0 };
  decisions.add({ ...decision, act: { kind: 'out' } });
  expect(await asked({ decisions })).not.toContain('/old');
  const limits = { ...SPEC.limits, pages: 5 };
  // Of the five pages that the limit allows those that are found first are taken, as ever.
  expect(await asked({ spec: { limits } })).not.toContain('/old');
});

test('known pages of a host by depth, and what pages link to => each is linked once', () => {
  const known = new KnownPages(
    ['/a', '/b', '/c'].map((path, depth) => ({
      url: `${ROOT}${path}`,
      host: 'example.org',
      depth,
      ledBy: ROOT,
    })),
  );
  expect([known.size, known.at('example.org', 1), known.at('other.org', 1)]).toEqual([3, 1, 0]);
  const a = { url: `${ROOT}/a`, kind: 'page' } as const;
  expect(known.isDoubtful(a)).toBe(false);
  expect(known.linked(ROOT, [{ url: `${ROOT}/b`, kind: 'page' }])).toEqual([`${ROOT}/b`]);
  expect([known.isDoubtful(a), known.isDoubtful({ url: `${ROOT}/b` })]).toEqual([true, false]);
  expect(known.linked(`${ROOT}/b`, [a, { url: `${ROOT}/b`, kind: 'page' }])).toEqual([a.url]);
  expect(known.isDoubtful(a)).toBe(false);
});
