/**
 * Vi-DIFF compared with generic differs, on the same pairs of layouts: `npx tsx bench/delta.ts [--rounds N] [--json]
 * [--growth]`; `--growth` leaves the peers out. Real pages: delta-pages.ts.
 *
 * Pages are drawn from a seed, with about the content of 150 KB of HTML, and edited as in IWAW 2009 §7.2. Each round
 * parses every pair afresh, since V8 remembers the hashes of strings it has seen; only the comparison is timed, in
 * processor time. The generic differs get the same objects; they find an edit script for a tree, with no notion of
 * blocks, moves between them or importance.
 */
import { parseArgs } from 'node:util';
import { BLOCK_RATES, type EditRates, editLayout, PAPER_RATES } from '../src/lab/layout-edits/edit-layout.ts';
import { makeLayout, NEWS_PAGE } from '../src/lab/layout-edits/make-layout.ts';
import { stream } from '../src/lab/newspaper/random.ts';
import type { Layout } from '../src/model/layout.ts';
import type * as Importance from '../src/science/delta/change-importance.ts';
import type * as Diff from '../src/science/delta/diff-layouts.ts';
import { writeViXml } from '../src/science/layout/vi-xml.ts';
import { type BenchResult, median, print, type Ratio, round } from './figures.ts';
import { flatPage, onePieceOf } from './flat-page.ts';
import { shipped } from './shipped.ts';
import { type Differ, timeRounds, warmUp, type XmlPair, xmlOf } from './time-differs.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    json: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
  },
});
const ROUNDS = Number(values.rounds);

/** Vi-XML of a page is a third to a half smaller than its HTML (§7.1): 40 leaves make about 85 KB. */
const PAGE = { ...NEWS_PAGE, leaves: 40 };
const WORKLOADS: Readonly<Record<string, EditRates>> = {
  '10 % of blocks per operation': BLOCK_RATES,
  '10 % of elements per operation': PAPER_RATES,
};

/** Pages of each size, the same number for all: with three large ones, a single hard one would decide. */
const GROWTH_PAGES = 12;

type Shape = (layout: Layout) => Layout;
const SECTIONS: Shape = (layout) => layout;
const GROWTHS: readonly { workload: string; rates: EditRates; shape: Shape }[] = [
  ...Object.entries(WORKLOADS).map(([workload, rates]) => ({ workload, rates, shape: SECTIONS })),
  { workload: 'all siblings, 10 % of blocks', rates: BLOCK_RATES, shape: (layout) => flatPage([layout]) },
  { workload: 'all siblings, 10 % of elements', rates: PAPER_RATES, shape: (layout) => flatPage([layout]) },
  { workload: 'all in one block, 10 % of elements', rates: PAPER_RATES, shape: onePieceOf },
];

/** Loaded by name, so that the bench runs without them and says so. */
async function peers(): Promise<Map<string, Differ>> {
  const found = new Map<string, Differ>();
  const load = async (name: string): Promise<Record<string, unknown> | undefined> =>
    import(name).catch(() => undefined);
  const jsondiffpatch = (await load('jsondiffpatch')) as
    | { create(options: object): { diff: Differ } }
    | undefined;
  if (jsondiffpatch) {
    const objectHash = (one: { ref?: string; id: string }): string => one.ref ?? one.id;
    const differ = jsondiffpatch.create({ objectHash });
    found.set('jsondiffpatch', (old, now) => differ.diff(old, now));
  }
  const microdiff = (await load('microdiff')) as { default: Differ } | undefined;
  if (microdiff) found.set('microdiff', microdiff.default);
  const jsdiff = (await load('diff')) as { diffLines(a: string, b: string): unknown } | undefined;
  if (jsdiff) found.set('diff (lines of Vi-XML)', (old, now) => jsdiff.diffLines(xmlOf(old), xmlOf(now)));
  return found;
}

const drawPair = (leaves: number, rates: EditRates, page: number, shape = SECTIONS): XmlPair => {
  const random = stream(2009, 'bench', leaves, page);
  const old = makeLayout(random, { ...PAGE, leaves });
  return [writeViXml(shape(old)), writeViXml(shape(editLayout(old, rates, random).layout))];
};

/** Times the differs once their code is compiled. */
function time(pairs: readonly XmlPair[], differs: ReadonlyMap<string, Differ>): Map<string, number[]> {
  for (const differ of differs.values()) warmUp(pairs, differ);
  return timeRounds(pairs, differs, ROUNDS);
}

const [{ diffLayouts }, { changeImportance }] = await shipped<[typeof Diff, typeof Importance]>(
  'science/delta/diff-layouts',
  'science/delta/change-importance',
);

const OURS = 'Vi-DIFF';
const generic = await peers();
const rows: Record<string, number | string>[] = [];
const ratios: Ratio[] = [];
for (const [workload, rates] of values.growth ? [] : Object.entries(WORKLOADS)) {
  const pairs = Array.from({ length: 30 }, (_, page) => drawPair(PAGE.leaves, rates, page));
  const kilobytes = pairs.reduce((sum, [old]) => sum + old.length, 0) / pairs.length / 1000;
  const differs = new Map<string, Differ>([
    [OURS, diffLayouts],
    [`${OURS} and importance`, (old, now) => changeImportance(diffLayouts(old, now))],
    ...generic,
  ]);
  const times = time(pairs, differs);
  const own = times.get(OURS) ?? [];
  for (const [name, all] of times) {
    const typical = median(all);
    rows.push({
      workload,
      differ: name,
      'KB of Vi-XML': round(kilobytes, 0),
      'pairs/s per core': round(1e6 / typical, 0),
      'best round': round(1e6 / Math.min(...all), 0),
    });
    if (name.startsWith(OURS)) continue;
    ratios.push({
      what: `${OURS} against ${name}, ${workload}`,
      value: median(all.map((t, i) => t / (own[i] ?? t))),
    });
  }
  if (rates === BLOCK_RATES) {
    ratios.push({ what: 'Vi-DIFF, thousand pairs/s per core', value: 1e3 / median(own), aim: 2 });
  }
}

for (const { workload, rates, shape } of GROWTHS) {
  const sizes = [40, 80, 160, 320];
  const mean = sizes.map((leaves) => {
    const pairs = Array.from({ length: GROWTH_PAGES }, (_, page) => drawPair(leaves, rates, page, shape));
    return time(pairs, new Map([[OURS, diffLayouts]])).get(OURS) ?? [];
  });
  const best = mean.map((rounds) => Math.min(...rounds));
  sizes.slice(1).forEach((leaves, i) => {
    const growth = (best[i + 1] as number) / (best[i] as number);
    ratios.push({ what: `time from ${sizes[i]} to ${leaves} blocks, ${workload}`, value: growth });
  });
  // Over all doublings, so that noise in a single one, from the machine or the drawn pages, averages out.
  const whole = (best.at(-1) as number) / (best[0] as number);
  ratios.push({
    what: `time per doubling, ${sizes[0]} to ${sizes.at(-1)} blocks, ${workload}`,
    value: whole ** (1 / (sizes.length - 1)),
    aim: 2.3,
    atMost: true,
  });
}

const result: BenchResult = {
  title: 'Comparing layouts',
  rows,
  ratios,
  notes: generic.size < 3 ? ['Peers that are not installed are left out: npm ci --prefix bench.'] : [],
};
print(result, values.json);
