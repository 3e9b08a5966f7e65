import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DiscoveryCurve } from '../sharpness/discovery-curve.ts';
import { crawlOrder } from '../sharpness/online-order.ts';
import type { CrawlCourse } from '../sharpness/slot-rule.ts';
import { ONLINE_STRATEGIES } from '../sharpness/strategies.ts';
import {
  breadthFirst,
  DEFAULT_SITE_ORDER,
  depthFirst,
  type OrderCandidate,
  SITE_ORDER_NAMES,
  type SiteOrder,
  siteOrder,
  slotReason,
} from './site-order.ts';

/** The tree of the SHARC paper: p0 → p1, p2; p1 → p3, p4; p2 → p5. */
const TREE: Readonly<Record<string, readonly string[]>> = { p0: ['p1', 'p2'], p1: ['p3', 'p4'], p2: ['p5'] };

function crawl(order: typeof breadthFirst): string[] {
  const frontier = [
    { url: 'p0', depth: 0, rank: order.rank({ url: 'p0', depth: 0, batch: 0, index: 0, rate: 0 }) },
  ];
  const visited: string[] = [];
  for (let batch = 1; frontier.length > 0; batch++) {
    frontier.sort((a, b) => a.rank - b.rank);
    const page = frontier.shift() as (typeof frontier)[number];
    visited.push(page.url);
    (TREE[page.url] ?? []).forEach((url, index) => {
      const candidate = { url, depth: page.depth + 1, batch, index, rate: 0 };
      frontier.push({ url, depth: candidate.depth, rank: order.rank(candidate) });
    });
  }
  return visited;
}

test('breadth-first on the tree of SHARC Table 2 => p0 p1 p2 p3 p4 p5', () => {
  expect(crawl(breadthFirst)).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', 'p5']);
});

test('depth-first on the tree of SHARC Table 1 => p0 p1 p3 p4 p2 p5', () => {
  expect(crawl(depthFirst)).toEqual(['p0', 'p1', 'p3', 'p4', 'p2', 'p5']);
});

const candidates = fc.record<OrderCandidate>({
  url: fc.constant('u'),
  depth: fc.integer({ min: 0, max: 5000 }),
  batch: fc.integer({ min: 0, max: 1_000_000 }),
  index: fc.integer({ min: 0, max: 100_000 }),
  rate: fc.constant(0),
});

test('breadth-first ranks by depth, then page, then place, exactly', () => {
  fc.assert(
    fc.property(candidates, candidates, (a, b) => {
      const expected = a.depth - b.depth || a.batch - b.batch || a.index - b.index;
      expect(Math.sign(breadthFirst.rank(a) - breadthFirst.rank(b))).toBe(Math.sign(expected));
    }),
  );
});

test('an unknown order is refused with the names of those there are', () => {
  expect(() => siteOrder('widest-first')).toThrow(
    /'widest-first'.*adaptive-organ-pipe, sharc-online, breadth-first/,
  );
});

interface Site {
  readonly rates: readonly number[];
  readonly links: (page: number) => readonly number[];
}

interface Slot {
  readonly course: CrawlCourse;
  /** Waiting pages, lowest rank first. */
  readonly inOrder: readonly number[];
  readonly page: number;
  readonly reason: string;
}

/** Like the crawl loop: a list sorted by rank, a curve, and the order's choice at each slot. */
function crawlLive(
  order: SiteOrder,
  { rates, links }: Site,
  sizeGuess: number,
  onSlot: (slot: Slot) => void = () => {},
): number[] {
  const curve = new DiscoveryCurve(sizeGuess);
  const waiting: { page: number; depth: number; rank: number; id: number }[] = [];
  const seen = new Set<number>();
  const visited: number[] = [];
  const detect = (page: number, depth: number, index: number): void => {
    if (seen.has(page)) return;
    seen.add(page);
    curve.detect(depth);
    const rate = rates[page] as number;
    const rank = order.rank({ url: `${page}`, depth, batch: visited.length, index, rate });
    waiting.push({ page, depth, rank, id: seen.size });
  };
  detect(0, 0, 0);
  while (waiting.length > 0) {
    waiting.sort((a, b) => a.rank - b.rank || a.id - b.id);
    const course = {
      downloaded: curve.downloaded,
      waiting: waiting.length,
      firstGuess: sizeGuess,
      estimate: curve.estimate(),
    };
    const choice = order.choose?.(course);
    const inOrder = waiting.map(({ page }) => page);
    const [next] = waiting.splice(choice?.place ?? 0, 1);
    if (!next) throw new Error('no such place');
    if (choice)
      onSlot({
        course,
        inOrder,
        page: next.page,
        reason: slotReason(order, choice, course, rates[next.page] ?? 0),
      });
    curve.download(next.depth);
    visited.push(next.page);
    for (const [index, page] of links(next.page).entries()) detect(page, next.depth + 1, index);
  }
  return visited;
}

const sites = fc
  .record({
    rates: fc.array(fc.double({ min: 0, max: 10, noNaN: true }), { minLength: 1, maxLength: 60 }),
    width: fc.integer({ min: 1, max: 6 }),
  })
  .map(({ rates, width }): Site => {
    // A tree: every page is reached.
    const links = (page: number): number[] =>
      Array.from({ length: width }, (_, i) => page * width + 1 + i).filter((child) => child < rates.length);
    return { rates, links };
  });

test.each(SITE_ORDER_NAMES.filter((name) => name !== 'sharc-offline'))(
  '%s of the crawler => the very order of the same name in the lab',
  (name) => {
    fc.assert(
      fc.property(sites, fc.integer({ min: 1, max: 200 }), ({ rates, links }, estimatedSize) => {
        const lab = ONLINE_STRATEGIES[name];
        if (!lab) throw new Error(`no ${name} in the lab`);
        expect(crawlLive(siteOrder(name), { rates, links }, estimatedSize)).toEqual(
          crawlOrder(lab, { rates, links, delay: 1, estimatedSize }),
        );
      }),
    );
  },
);

/** What the rule parts named in reasons would pick, written out again from §5.3 and the header of the pipe. */
const RULES: Readonly<Record<string, (course: CrawlCourse) => number>> = {
  ascending: () => 0,
  middle: ({ downloaded: d, waiting: e }) => (d < e ? d : e - 1),
  descending: ({ waiting }) => waiting - 1,
  'first half': ({ downloaded: d, waiting: e, estimate }) =>
    Math.min(e - 1, Math.floor((d * e) / (Math.max(estimate, d + e) - d))),
  'second half': ({ waiting }) => waiting - 1,
};

test.each(['adaptive-organ-pipe', 'sharc-online'])(
  '%s: the part of the rule that the stored reason names, applied again => the page that was taken',
  (name) => {
    const parts = new Set<string>();
    fc.assert(
      fc.property(sites, fc.integer({ min: 0, max: 200 }), (site, guess) => {
        crawlLive(siteOrder(name), site, guess, ({ course, inOrder, page, reason }) => {
          const [, order, part = '', place, of] =
            /^(.*): (.*), (\d+) of (\d+) from the coldest/.exec(reason) ?? [];
          parts.add(part);
          expect(order).toBe(name);
          expect(Number(of)).toBe(inOrder.length);
          expect(inOrder[Number(place) - 1]).toBe(page);
          expect(inOrder[RULES[part]?.(course) ?? Number.NaN]).toBe(page);
        });
      }),
    );
    expect([...parts].sort()).toEqual(
      name === 'sharc-online' ? ['ascending', 'descending', 'middle'] : ['first half', 'second half'],
    );
  },
);

test('reasons => order, what decided, place, rate and slot', () => {
  const course = { downloaded: 11, waiting: 20, firstGuess: 40, estimate: 299.7 };
  const reason = (name: string): string => {
    const order = siteOrder(name);
    if (!order.choose) throw new Error(`${name} has no rule`);
    return slotReason(order, order.choose(course), course, 0.2 / 86_400);
  };
  expect(reason(DEFAULT_SITE_ORDER)).toBe(
    'adaptive-organ-pipe: first half, 1 of 20 from the coldest, rate 0.2 changes a day, slot 12 of about 300',
  );
  expect(reason('sharc-online')).toBe(
    'sharc-online: middle, 12 of 20 from the coldest, rate 0.2 changes a day, slot 12 of about 40',
  );
  expect(reason('hottest-first')).toBe(
    'hottest-first: 20 of 20 from the coldest, rate 0.2 changes a day, slot 12 of about 300',
  );
});
