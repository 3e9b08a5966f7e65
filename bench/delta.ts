/**
 * Vi-DIFF beside generic differs, on the same pairs of layouts: `npx tsx bench/delta.ts [--rounds N] [--json]`.
 *
 * Pages are drawn from a seed, about what 150 KB of HTML hold, and edited as in IWAW 2009 §7.2. Each round parses
 * every pair anew, since V8 remembers the hashes of strings it has seen; only the comparison is timed, in
 * processor time. The generic differs get the same objects; what they find is a script of edits of a tree, with
 * no notion of blocks, moves between them or importance.
 */
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { stream } from '../src/lab/newspaper/random.ts';
import type { Layout } from '../src/model/layout.ts';
import type * as Importance from '../src/science/delta/change-importance.ts';
import type * as Diff from '../src/science/delta/diff-layouts.ts';
import { parseViXml, writeViXml } from '../src/science/layout/vi-xml.ts';
import { BLOCK_RATES, type EditRates, editLayout, PAPER_RATES } from '../test/layout-edits/edit-layout.ts';
import { makeLayout, NEWS_PAGE } from '../test/layout-edits/make-layout.ts';
import { type BenchResult, median, print, type Ratio, round } from './figures.ts';
import { shipped } from './shipped.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, json: { type: 'boolean', default: false } },
});
const ROUNDS = Number(values.rounds);

/** Vi-XML of a page is a third to a half smaller than its HTML (§7.1): 40 leaves make about 85 KB. */
const PAGE = { ...NEWS_PAGE, leaves: 40 };
const WORKLOADS: Readonly<Record<string, EditRates>> = {
  '10 % of blocks per operation': BLOCK_RATES,
  '10 % of elements per operation': PAPER_RATES,
};

/** Pages of each size, as many of all: of three large ones, one that is hard to compare would decide. */
const GROWTH_PAGES = 12;

type Differ = (old: Layout, now: Layout) => unknown;

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

/** Written before the clock starts: the line differ is not charged for it. */
const written = new WeakMap<Layout, string>();
const xmlOf = (layout: Layout): string => written.get(layout) ?? '';

const drawPair = (leaves: number, rates: EditRates, page: number): [string, string] => {
  const random = stream(2009, 'bench', leaves, page);
  const old = makeLayout(random, { ...PAGE, leaves });
  return [writeViXml(old), writeViXml(editLayout(old, rates, random).layout)];
};

const parse = (xml: string): Layout => {
  const layout = parseViXml(xml);
  written.set(layout, xml);
  return layout;
};

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as (options: { type: 'minor' }) => void;

/**
 * Trees as a crawl has them: just parsed. They are moved to where old objects live, or else the first allocations of
 * whoever is timed pay for that. Not more: a full collection throws compiled code away.
 */
function parseAll(pairs: readonly [string, string][]): (readonly [Layout, Layout])[] {
  const parsed = pairs.map(([old, now]) => [parse(old), parse(now)] as const);
  for (let i = 0; i < 2; i++) gc({ type: 'minor' });
  return parsed;
}

/** Seconds of processor time; V8 has compiled what it will by then. */
const WARM = 2;

/** With trees parsed anew, as in the rounds: code compiled for strings seen before is thrown away at fresh ones. */
function warmUp(pairs: readonly [string, string][], differ: Differ): void {
  for (let spent = 0; spent < WARM * 1e6; ) {
    const parsed = parseAll(pairs);
    const start = process.cpuUsage();
    for (const [old, now] of parsed) differ(old, now);
    spent += process.cpuUsage(start).user;
  }
}

/** Microseconds of processor time per pair: one value per round, contestants taking turns. */
function time(
  pairs: readonly [string, string][],
  differs: ReadonlyMap<string, Differ>,
): Map<string, number[]> {
  const times = new Map<string, number[]>([...differs.keys()].map((name) => [name, []]));
  for (const differ of differs.values()) warmUp(pairs, differ);
  for (let turn = 0; turn < ROUNDS; turn++) {
    for (const [name, differ] of differs) {
      const parsed = parseAll(pairs);
      const start = process.cpuUsage();
      for (const [old, now] of parsed) differ(old, now);
      const { user, system } = process.cpuUsage(start);
      times.get(name)?.push((user + system) / pairs.length);
    }
  }
  return times;
}

const [{ diffLayouts }, { changeImportance }] = await shipped<[typeof Diff, typeof Importance]>(
  'science/delta/diff-layouts',
  'science/delta/change-importance',
);

const OURS = 'Vi-DIFF';
const generic = await peers();
const rows: Record<string, number | string>[] = [];
const ratios: Ratio[] = [];
for (const [workload, rates] of Object.entries(WORKLOADS)) {
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

for (const [workload, rates] of Object.entries(WORKLOADS)) {
  const sizes = [40, 80, 160, 320];
  const mean = sizes.map((leaves) => {
    const pairs = Array.from({ length: GROWTH_PAGES }, (_, page) => drawPair(leaves, rates, page));
    return time(pairs, new Map([[OURS, diffLayouts]])).get(OURS) ?? [];
  });
  const best = mean.map((rounds) => Math.min(...rounds));
  sizes.slice(1).forEach((leaves, i) => {
    const growth = (best[i + 1] as number) / (best[i] as number);
    ratios.push({ what: `time from ${sizes[i]} to ${leaves} blocks, ${workload}`, value: growth });
  });
  // Over all doublings: what one of them takes too long, noise or the pages drawn, the next makes up for.
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
