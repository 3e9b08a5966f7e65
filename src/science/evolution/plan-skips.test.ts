import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { DirectoryHistory, type SiteVersion } from './directory-history.ts';
import { HeadCheck } from './head-check.ts';
import { planSkips } from './plan-skips.ts';
import type { PlannedSkip, SkipOptions, SkipPlan } from './skip-plan.ts';

const DAY = 24 * 3600 * 1000;
const WEEK = 7 * DAY;

interface Given {
  readonly versions: number;
  /** Versions that do not look at /old/. */
  readonly unseen?: (version: number) => boolean;
  readonly more?: (version: number) => Partial<SiteVersion>;
}

/** /news/ and / change in every version, /old/ never does; ten pages each. */
function twoDirectories({ versions, unseen = () => false, more = () => ({}) }: Given): DirectoryHistory {
  const history = new DirectoryHistory();
  for (let v = 1; v <= versions; v++) {
    const pages = Array.from({ length: 10 }, (_, i) => [
      { url: `/${i}`, digest: String(v) },
      { url: `/news/${i}`, digest: String(v) },
      ...(unseen(v) ? [] : [{ url: `/old/${i}`, digest: '1' }]),
    ]).flat();
    history.add({ at: v * WEEK, pages, ...(unseen(v) && { unseen: ['/old/'] }), ...more(v) });
  }
  return history;
}

const options: SkipOptions = { now: 100 * WEEK, missAtMost: 0.1 };

function planned(plan: SkipPlan): readonly PlannedSkip[] {
  if (plan.kind === 'none') throw new Error(`no plan: ${JSON.stringify(plan.why)}`);
  return plan.skips;
}

const directories = (plan: SkipPlan): string[] =>
  plan.kind === 'none' ? [] : plan.skips.map(({ directory }) => directory);

describe('planSkips', () => {
  it('fewer versions than needed => nothing is skipped, with the numbers', () => {
    expect(planSkips(twoDirectories({ versions: 9 }), options)).toEqual({
      kind: 'none',
      why: { kind: 'too-few-versions', versions: 9, needed: 10 },
    });
    expect(planSkips(twoDirectories({ versions: 9 }), { ...options, minVersions: 5 }).kind).toBe('plan');
  });

  it('one directory that never changes beside two that always do => it is left out, as quiet', () => {
    const plan = planSkips(twoDirectories({ versions: 20 }), options);
    expect(planned(plan)).toMatchObject([
      { directory: '/old/', pages: 10, reason: { kind: 'quiet', transitions: 19 }, lastSeen: 20 * WEEK },
    ]);
    expect(plan).toMatchObject({ validation: { versions: 11, changed: 11, foundMiss: 0 } });
  });

  it('pages seen on their own since => the skip tells the oldest of them, and the sitemap is asked of each', () => {
    const history = twoDirectories({ versions: 20, unseen: (v) => v === 20 });
    const lastSeen = new Map(Array.from({ length: 10 }, (_, i) => [`/old/${i}`, (i === 0 ? 20 : 18) * WEEK]));
    const plan = (more: Partial<SkipOptions>) => planSkips(history, { ...options, lastSeen, ...more });
    expect(planned(plan({}))).toMatchObject([{ directory: '/old/', lastSeen: 18 * WEEK }]);
    const others = Array.from({ length: 9 }, (_, i) => `/old/${i + 1}`);
    expect(planned(plan({ pinned: others }))).toMatchObject([{ directory: '/old/', lastSeen: 20 * WEEK }]);
    // Changed before it was last seen: nothing new.
    const told = (url: string) => new Map([[url, 19.5 * WEEK]]);
    expect(directories(plan({ lastModified: told('/old/0') }))).toEqual(['/old/']);
    expect(directories(plan({ lastModified: told('/old/1') }))).toEqual([]);
  });

  it('a pinned page => is none of the pages left out; all of them pinned => nothing is', () => {
    const history = twoDirectories({ versions: 20 });
    expect(planned(planSkips(history, { ...options, pinned: ['/old/3'] }))).toMatchObject([{ pages: 9 }]);
    const pinned = Array.from({ length: 10 }, (_, i) => `/old/${i}`);
    expect(planSkips(history, { ...options, pinned })).toMatchObject({ kind: 'none' });
  });

  it('left out for as many crawls as allowed => looked at again', () => {
    const history = twoDirectories({ versions: 20, unseen: (v) => v > 17 });
    expect(directories(planSkips(history, { ...options, refreshEvery: 5 }))).toEqual(['/old/']);
    expect(directories(planSkips(history, { ...options, refreshEvery: 4 }))).toEqual([]);
  });

  it('each crawl that leaves a directory out => more is expected to be missed there', () => {
    const missed = [20, 19, 17].map((last) => {
      const history = twoDirectories({ versions: 20, unseen: (v) => v > last });
      return planned(planSkips(history, { ...options, missAtMost: 0.3 }))[0]?.expectedMissed as number;
    });
    expect(missed.toSorted((a, b) => a - b)).toEqual(missed);
    expect(new Set(missed).size).toBe(3);
  });

  it('versions that did not look => are no observations without a change', () => {
    const history = twoDirectories({ versions: 20, unseen: (v) => v > 4 && v < 18 });
    expect(planned(planSkips(history, { ...options, missAtMost: 0.3 }))).toMatchObject([
      // The transitions 2, 3, 4, 18, 19 and 20.
      { reason: { kind: 'quiet', transitions: 6 } },
    ]);
  });

  it('a site that never changed => nothing to judge a plan by, and nothing is skipped', () => {
    const history = new DirectoryHistory();
    for (let v = 1; v <= 20; v++) history.add({ at: v * WEEK, pages: [{ url: '/a/x', digest: '1' }] });
    expect(planSkips(history, options)).toEqual({
      kind: 'none',
      why: {
        kind: 'history-does-not-support-it',
        validation: { versions: 11, changed: 0, bypassRatio: 0, promisedMiss: 0, foundMiss: 0 },
      },
    });
  });

  it('a page of it changed or is new by the sitemap => the directory is visited', () => {
    const history = twoDirectories({ versions: 20 });
    const told = (url: string, at: number): SkipPlan =>
      planSkips(history, { ...options, lastModified: new Map([[url, at]]) });
    expect(directories(told('/old/3', 20 * WEEK - 1))).toEqual(['/old/']);
    expect(directories(told('/old/3', 20 * WEEK + 1))).toEqual([]);
    expect(directories(told('/old/new', WEEK))).toEqual([]);
  });

  it('a sitemap that was right and says unchanged => is the reason; one that lies is none', () => {
    const urls = Array.from({ length: 10 }, (_, i) => [`/old/${i}`, `/news/${i}`]).flat();
    const lastModified = (newsAt: number): Map<string, number> =>
      new Map(urls.map((url) => [url, url.startsWith('/news/') ? newsAt : WEEK]));
    const truthful = twoDirectories({
      versions: 20,
      more: (v) => ({ lastModified: lastModified(v * WEEK) }),
    });
    expect(planned(planSkips(truthful, { ...options, lastModified: lastModified(99 * WEEK) }))).toMatchObject(
      [{ directory: '/old/', reason: { kind: 'sitemap', pages: 10 } }],
    );
    const lying = twoDirectories({ versions: 20, more: () => ({ lastModified: lastModified(WEEK) }) });
    const plan = planSkips(lying, { ...options, lastModified: lastModified(WEEK) });
    expect(planned(plan)).toMatchObject([{ directory: '/old/', reason: { kind: 'quiet' } }]);
  });
});

describe('planSkips on random histories', () => {
  const random = randomNumbers(7);
  const plans = Array.from({ length: 1000 }, () => {
    const history = randomSite(random);
    return { history, plan: planSkips(history, { now: 40 * WEEK, missAtMost: 0.25 }) };
  });

  it('no directory is both assumed to change and left out (Lemma 2, over all reasons)', () => {
    let rules = 0;
    for (const { plan } of plans) {
      const skipped = new Set(directories(plan));
      for (const { reason } of plan.kind === 'plan' ? plan.skips : []) {
        if (!('head' in reason)) continue;
        rules++;
        expect(reason.head.filter((directory) => skipped.has(directory))).toEqual([]);
        expect(reason.head).not.toContain(reason.tail);
      }
    }
    expect(rules).toBeGreaterThan(20);
  });

  it('never promises to miss more than it may, and counts each page once', () => {
    let made = 0;
    for (const { history, plan } of plans) {
      if (plan.kind === 'none') continue;
      made++;
      expect(plan.promisedMiss).toBeLessThanOrEqual(0.25);
      expect(new Set(directories(plan)).size).toBe(plan.skips.length);
      for (const { directory, pages, expectedMissed, confidence } of plan.skips) {
        expect(pages).toBe(history.pagesIn(history.tree.find(directory) as number));
        expect(expectedMissed).toBeLessThanOrEqual(pages);
        expect(confidence).toBeGreaterThan(0);
      }
    }
    expect(made).toBeGreaterThan(300);
  });
});

/** Twelve directories on three levels, each with its own rate; some versions leave one out. */
function randomSite(random: () => number): DirectoryHistory {
  const paths = ['/'];
  while (paths.length < 12)
    paths.push(`${paths[Math.floor(random() * paths.length)] as string}${paths.length}/`);
  const sites = paths.map((path) => ({ path, pages: 1 + Math.floor(random() * 6), rate: random() ** 3 }));
  const contents = new Map<string, number>();
  const history = new DirectoryHistory();
  for (let v = 1; v <= 30; v++) {
    const isLeftOut = random() < 0.2 ? sites[Math.floor(random() * 12)]?.path : undefined;
    const pages = sites.flatMap(({ path, pages: count, rate }) => {
      const isChanged = random() < rate;
      return Array.from({ length: count }, (_, i) => {
        const url = `${path}p${i}`;
        if (isChanged && random() < 0.7) contents.set(url, v);
        return { url, digest: String(contents.get(url) ?? 0), path };
      });
    });
    history.add({
      at: v * WEEK,
      pages: pages.filter(({ path }) => path !== isLeftOut),
      ...(isLeftOut !== undefined && { unseen: [isLeftOut] }),
    });
  }
  return history;
}

describe('HeadCheck', () => {
  it('half of the nodes of a directory seen changed => a rule with α = 0.5 may be trusted', () => {
    const check = new HeadCheck(twoDirectories({ versions: 2 }));
    const rule = { kind: 'near', head: ['/news/'], tail: '/old/', alpha: 0.5, confidence: 1 } as const;
    for (let i = 0; i < 5; i++) check.see(`/news/${i}`, '3');
    // Five of eleven nodes: ten pages and the directory.
    expect([check.degreeOfChange('/news/'), check.holds(rule)]).toEqual([5 / 11, false]);
    check.see('/news/5');
    expect([check.degreeOfChange('/news/'), check.holds(rule)]).toEqual([6 / 11, true]);
    expect(check.holds({ kind: 'quiet', transitions: 5 })).toBe(true);
  });
});
