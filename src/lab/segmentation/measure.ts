/** `lab segment`: every segmenter and trivial cut on annotated pages, with confidence intervals. */
import type { PageSnapshot } from '../../model/page-snapshot.ts';
import type { Segmenter } from '../../science/layout/segmenter.ts';
import type { BcubedScore } from '../../science/quality/bcubed.ts';
import { WEIGHTINGS, type Weighting } from '../../science/quality/bcubed-atoms.ts';
import {
  bootstrapDifference,
  bootstrapMean,
  type ConfidenceInterval,
} from '../../science/quality/bootstrap.ts';
import { type AnnotatedPage, annotatedPage, LEVELS, type Level } from './annotated-page.ts';
import { BASELINES } from './baselines.ts';
import { heldOutSegmenters } from './cross-validate.ts';
import { type BlockPartition, type Cutter, treeCutter } from './partition.ts';
import { scoreOf } from './score.ts';

export interface SetItem {
  readonly name: string;
  readonly snapshot: PageSnapshot;
}

export interface MeasureOptions {
  /** In [0, 1), seeded: draws the bootstrap samples. */
  readonly random: () => number;
  /** What is measured besides the trivial cuts, e.g. `treeCutter(blocks)`, `leafCutter('vips', …)`. */
  readonly cutters: readonly Cutter[];
  /** Name of the cutter relative to which differences are taken, besides the best trivial cut. */
  readonly reference?: string;
  /** Cross-validate the default segmenter by site with this many folds; 0: leave it out. */
  readonly folds?: number;
  readonly rounds?: number;
}

export interface MeasuredCutter {
  readonly name: string;
  readonly precision: ConfidenceInterval;
  readonly recall: ConfidenceInterval;
  readonly f: ConfidenceInterval;
  /** Paired difference of F; absent for the reference itself. */
  readonly toReference?: ConfidenceInterval;
  readonly toBestBaseline?: ConfidenceInterval;
  /** F of each page, in the order of `pages`. */
  readonly pages: readonly number[];
}

export interface MeasuredLevel {
  readonly level: Level;
  readonly weighting: Weighting;
  /** Pages with marks at this level; those without have no answer to miss. */
  readonly pages: readonly string[];
  readonly bestBaseline: string;
  readonly cutters: readonly MeasuredCutter[];
}

export interface SegmentationResult {
  readonly pages: number;
  /** Pages in the set without any mark. */
  readonly unmarked: readonly string[];
  readonly reference?: string;
  readonly levels: readonly MeasuredLevel[];
}

export async function measureSegmenters(
  set: AsyncIterable<SetItem> | Iterable<SetItem>,
  options: MeasureOptions,
): Promise<SegmentationResult> {
  const pages: AnnotatedPage[] = [];
  const unmarked: string[] = [];
  for await (const { name, snapshot } of set) {
    const page = annotatedPage(name, snapshot);
    if (LEVELS.some((level) => page.marks[level].some((mark) => mark >= 0))) pages.push(page);
    else unmarked.push(name);
  }
  const heldOut = heldOutCutter(pages, options.folds ?? 0);
  const cutters = [...options.cutters, ...heldOut];
  const levels: MeasuredLevel[] = [];
  for (const level of LEVELS) {
    const cuts = new Map(
      [...cutters, ...BASELINES].map((cutter): [string, BlockPartition[]] => [
        cutter.name,
        pages.map(({ snapshot }) => cutter.partition(snapshot, level)),
      ]),
    );
    for (const weighting of WEIGHTINGS) levels.push(measureLevel(pages, level, weighting, cuts, options));
  }
  const { reference } = options;
  return { pages: pages.length, unmarked, ...(reference === undefined ? {} : { reference }), levels };
}

/** One cutter that uses each page's own held-out segmenter. */
function heldOutCutter(pages: readonly AnnotatedPage[], folds: number): Cutter[] {
  if (folds < 2 || pages.length < folds) return [];
  const segmenters = new Map<PageSnapshot, Segmenter>();
  heldOutSegmenters(pages, folds).forEach((segmenter, i) => {
    segmenters.set((pages[i] as AnnotatedPage).snapshot, segmenter);
  });
  return [
    {
      name: `blocks, held out (${folds} folds)`,
      partition: (snapshot, level) =>
        treeCutter(segmenters.get(snapshot) as Segmenter).partition(snapshot, level),
    },
  ];
}

function measureLevel(
  pages: readonly AnnotatedPage[],
  level: Level,
  weighting: Weighting,
  cuts: ReadonlyMap<string, readonly BlockPartition[]>,
  { random, reference, rounds = 10_000 }: MeasureOptions,
): MeasuredLevel {
  const scored = new Map<string, BcubedScore[]>([...cuts.keys()].map((name) => [name, []]));
  const names: string[] = [];
  pages.forEach((page, i) => {
    for (const [name, partitions] of cuts) {
      const score = scoreOf(page, level, weighting, partitions[i] as BlockPartition);
      if (score === undefined) return;
      scored.get(name)?.push(score);
    }
    names.push(page.name);
  });
  const of = (what: keyof BcubedScore, name: string): number[] =>
    (scored.get(name) ?? []).map((score) => score[what]);
  const mean = (name: string): number => of('f', name).reduce((sum, value) => sum + value, 0);
  const bestBaseline = BASELINES.map(({ name }) => name).reduce((a, b) => (mean(b) > mean(a) ? b : a));
  const interval = { random, rounds };
  const difference = (name: string, to: string | undefined): ConfidenceInterval | undefined =>
    to === undefined || to === name || !cuts.has(to)
      ? undefined
      : bootstrapDifference(of('f', name), of('f', to), interval);
  const cutters = [...cuts.keys()].map((name): MeasuredCutter => {
    const toReference = difference(name, reference);
    const toBestBaseline = difference(name, bestBaseline);
    return {
      name,
      precision: bootstrapMean(of('precision', name), interval),
      recall: bootstrapMean(of('recall', name), interval),
      f: bootstrapMean(of('f', name), interval),
      ...(toReference === undefined ? {} : { toReference }),
      ...(toBestBaseline === undefined ? {} : { toBestBaseline }),
      pages: of('f', name),
    };
  });
  return { level, weighting, pages: names, bestBaseline, cutters };
}
