/**
 * Comparing real pages, against an earlier revision: `npx tsx bench/delta-pages.ts [--versions DIR] [--snapshots DIR]
 * [--before REVISION|CHECKOUT]... [--most N] [--rounds N] [--json]`.
 *
 * Versions are shown offline in Chromium (`--snapshots` keeps what it showed) and cut along each other before timing
 * starts. Then every pair is parsed and compared, revisions taking turns, by processor time; the value of a pair is the
 * median of its rounds. Growth is measured on real pages put below each other as siblings, without any structure.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type * as Diff from '../src/science/delta/diff-layouts.ts';
import { parseViXml, writeViXml } from '../src/science/layout/vi-xml.ts';
import { sharedData } from '../test/shared-data.ts';
import { type BenchResult, meanRatio, median, print, type Ratio, round } from './figures.ts';
import { flatPage } from './flat-page.ts';
import { type RealPair, realPairs } from './real-layouts.ts';
import { shipped, shippedFrom } from './shipped.ts';
import { type Differ, spent, timeRounds, warmUp, type XmlPair } from './time-differs.ts';

const { values } = parseArgs({
  options: {
    versions: { type: 'string' },
    snapshots: { type: 'string' },
    before: { type: 'string', multiple: true, default: [] },
    most: { type: 'string', default: '24' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
const ROUNDS = Number(values.rounds);
const NOW = 'now';
const TITLE = 'Comparing real pages';

type Row = BenchResult['rows'][number];

const isNews = ({ page }: RealPair): boolean => page.startsWith('news-');
const SETS: Readonly<Record<string, (pair: RealPair) => boolean>> = {
  'news pages, under 6 hours apart': (pair) => isNews(pair) && pair.hours < 6,
  'news pages, 20 days and more apart': (pair) => isNews(pair) && pair.hours >= 480,
  'all news pages': isNews,
  'other pages': (pair) => !isNews(pair),
  'all pages': () => true,
};

/** The sources of a revision, in a folder of their own during the build. */
async function differOf(revision: string): Promise<Differ> {
  if (existsSync(revision)) {
    const [{ diffLayouts }] = await shippedFrom<[typeof Diff]>(revision, 'science/delta/diff-layouts');
    return diffLayouts;
  }
  const root = fileURLToPath(new URL('..', import.meta.url));
  const folder = `${root}node_modules/.cache/revision-${process.pid}`;
  mkdirSync(folder, { recursive: true });
  try {
    const sources = execFileSync('git', ['archive', revision, 'src'], { cwd: root, maxBuffer: 2 ** 28 });
    execFileSync('tar', ['-x', '-C', folder], { input: sources });
    const [{ diffLayouts }] = await shippedFrom<[typeof Diff]>(folder, 'science/delta/diff-layouts');
    return diffLayouts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;

/** Microseconds for each pair. */
type PairTimes = ReadonlyMap<string, readonly number[]>;

function timePairs(pairs: readonly RealPair[], differs: ReadonlyMap<string, Differ>): PairTimes {
  const times = new Map<string, number[]>([...differs.keys()].map((name) => [name, []]));
  for (const differ of differs.values())
    warmUp(
      pairs.map(({ xml }) => xml),
      differ,
    );
  for (const { xml } of pairs) {
    for (const [name, rounds] of timeRounds([xml], differs, ROUNDS)) times.get(name)?.push(median(rounds));
  }
  return times;
}

function rowsOf(pairs: readonly RealPair[], times: PairTimes): Row[] {
  const rows: Row[] = [];
  for (const [set, holds] of Object.entries(SETS)) {
    const own = pairs.flatMap((pair, i) => (holds(pair) ? [i] : []));
    if (own.length === 0) continue;
    const kilobytes = median(own.map((i) => (pairs[i] as RealPair).xml[1].length / 1000));
    for (const [name, all] of times) {
      const rates = own.map((i) => 1e6 / (all[i] as number)).sort((a, b) => a - b);
      rows.push({
        set,
        pairs: own.length,
        'KB of Vi-XML': round(kilobytes, 0),
        revision: name,
        'pairs/s, lower quartile': round(quantile(rates, 0.25), 0),
        median: round(median(rates), 0),
        'upper quartile': round(quantile(rates, 0.75), 0),
      });
    }
  }
  return rows;
}

function ratiosOf(pairs: readonly RealPair[], times: PairTimes): Ratio[] {
  const now = times.get(NOW) ?? [];
  const others = [...times].filter(([name]) => name !== NOW);
  return Object.entries(SETS).flatMap(([set, holds]): Ratio[] => {
    const own = pairs.flatMap((pair, i) => (holds(pair) ? [i] : []));
    const at = (all: readonly number[]): number[] => own.map((i) => all[i] as number);
    if (own.length === 0) return [];
    const rate: Ratio = {
      what: `${set}: thousand pairs/s at the median`,
      value: 1e3 / median(at(now)),
      aim: 2,
    };
    const against = others.map(([name, before]): Ratio => {
      const { value, interval } = meanRatio(at(now), at(before));
      return { what: `${set}: time, now against ${name} (${interval})`, value };
    });
    return [rate, ...against];
  });
}

/** Pages joined one below the other; each size is twice the last. */
const JOINED = [1, 2, 4, 8];

/**
 * Time for several pages as one flat page, relative to the same pages as separate flat pages. The k-th group takes the
 * k-th pair of each page, so that none is in a group twice.
 */
function growthOf(pairs: readonly RealPair[], differ: Differ): Row[] {
  const pages = [...new Set(pairs.map(({ page }) => page))];
  const byPage = pages.map((page) => pairs.filter((pair) => pair.page === page));
  const groups = [0, 4, 8].flatMap((k) => {
    const group = byPage.flatMap((own) => (own[k] ? [own[k]] : []));
    return group.length >= 8 ? [group.slice(0, 8)] : [];
  });
  const flat = (group: readonly RealPair[]): XmlPair => {
    const side = (which: 0 | 1): string =>
      writeViXml(flatPage(group.map(({ xml }) => parseViXml(xml[which]))));
    return [side(0), side(1)];
  };
  const sized = JOINED.map((size) =>
    groups.flatMap((group) =>
      Array.from({ length: 8 / size }, (_, i) => flat(group.slice(i * size, (i + 1) * size))),
    ),
  );
  // The same content at each size: only how it is joined differs.
  const sums = sized.map((all) => {
    warmUp(all, differ);
    const rounds = timeRounds(all, new Map([[NOW, differ]]), ROUNDS).get(NOW) ?? [];
    return median(rounds) * all.length;
  });
  return JOINED.map((size, i) => ({
    'pages in one': size,
    'KB of Vi-XML': round(median((sized[i] ?? []).map(([, now]) => now.length / 1000)), 0),
    'ms for all': round((sums[i] as number) / 1000, 1),
    'per doubling': i === 0 ? '' : round((2 * (sums[i] as number)) / (sums[i - 1] as number), 2),
  }));
}

const versions = values.versions ?? sharedData('versions');
if (versions === undefined) {
  const notes = [
    'Left out: there are no versions of real pages in ../shared/data/versions; name some with --versions.',
  ];
  print({ title: TITLE, rows: [], ratios: [], notes }, values.json);
} else {
  const [{ diffLayouts }] = await shipped<[typeof Diff]>('science/delta/diff-layouts');
  const differs = new Map<string, Differ>([[NOW, diffLayouts]]);
  for (const revision of values.before) differs.set(revision, await differOf(revision));
  const pairs = await realPairs({ versions, snapshots: values.snapshots, most: Number(values.most) });
  const times = timePairs(pairs, differs);
  const parsing = median(pairs.map(({ xml }) => spent(() => xml.map((one) => parseViXml(one))) / 2));
  const ratios = ratiosOf(pairs, times);
  const growth = growthOf(pairs, diffLayouts);
  const last = growth.at(-1);
  const first = growth[0];
  if (first && last) {
    const whole = Number(last['ms for all']) / Number(first['ms for all']);
    ratios.push({
      what: 'flat real pages, time per doubling, 1 to 8 in one',
      value: 2 * whole ** (1 / (JOINED.length - 1)),
      aim: 2.3,
      atMost: true,
    });
  }
  const steps = growth.map(
    (row) => `${row['pages in one']} in one: ${row['ms for all']} ms (${row['KB of Vi-XML']} KB)`,
  );
  print(
    {
      title: TITLE,
      rows: rowsOf(pairs, times),
      ratios,
      notes: [
        `Parsing one of these layouts takes ${round(parsing, 0)} µs at the median; it is not in the times above.`,
        `The same flat pages, joined: ${steps.join(', ')}.`,
      ],
    },
    values.json,
  );
}
