/** Pehlivan, Ben Saad, Gançarski (IWAW 2009) §7.2, Fig. 10: the time of each step of Vi-DIFF on real pages with made-up edits. */
import type { Layout } from '../../model/layout.ts';
import { diffLayouts } from '../../science/delta/diff-layouts.ts';
import { viDiff2009 } from '../../science/delta/printed/vi-diff-2009.ts';
import { writeViDelta } from '../../science/delta/vi-delta.ts';
import { leavesOf, traverse } from '../../science/delta/vi-diff/flat-blocks.ts';
import { matchBlocks } from '../../science/delta/vi-diff/match-blocks.ts';
import { matchElements } from '../../science/delta/vi-diff/match-elements.ts';
import { pageLayout } from '../../science/layout/page-layout.ts';
import { writeViXml } from '../../science/layout/vi-xml.ts';
import type { Row } from '../experiment/experiment.ts';
import { grade, round } from '../experiment/wording.ts';
import { editLayout, PAPER_RATES } from '../layout-edits/edit-layout.ts';
import { stream } from '../newspaper/random.ts';
import { type PaperExperiment, type PaperOptions, paperExperiment } from './paper-experiment.ts';
import { cpu, leastCpu } from './processor-time.ts';
import { NO_PAGES } from './shown-pages.ts';
import { mean } from './statistics.ts';
import { PAPER } from './vi-diff-pages.ts';

const KB = 1000;
const RUNS = 5;

interface EditedPage {
  readonly page: string;
  readonly old: Layout;
  readonly viXmlBytes: number;
}

async function realLayouts({ pages, quick, progress }: PaperOptions) {
  if (!pages) return NO_PAGES;
  const found: EditedPage[] = [];
  for await (const { page, version, snapshot } of pages.bySize(quick ? 4 : 40)) {
    progress(`${page} ${version}`);
    const old = pageLayout(snapshot, { version }).layout;
    found.push({ page, old, viXmlBytes: Buffer.byteLength(writeViXml(old)) });
  }
  return found.sort((a, b) => a.viXmlBytes - b.viXmlBytes);
}

/** The steps of the paper, in our implementation; milliseconds of processor time. */
const STEPS = ['initialization', 'links and images', 'texts', 'save'] as const;
type Steps = Readonly<Record<(typeof STEPS)[number], number>>;

interface SteppedPage extends Omit<EditedPage, 'old'> {
  readonly steps: Steps;
  /** The whole comparison, without saving. */
  readonly whole: number;
  /** The algorithm as printed, without saving. */
  readonly printed: number;
}

/** The text of a page is matched in the same way regardless of what was matched before. */
function timeSteps(old: Layout, now: Layout): Omit<SteppedPage, 'page' | 'viXmlBytes'> {
  const start = leastCpu(RUNS, () => matchBlocks(leavesOf(traverse(old)), leavesOf(traverse(now))));
  // Matching marks what it has matched: each run needs its own blocks.
  const timed = (kinds: readonly ('link' | 'image' | 'text')[]): number =>
    Math.min(
      ...Array.from({ length: RUNS }, () => {
        const blocks = matchBlocks(leavesOf(traverse(old)), leavesOf(traverse(now)));
        return cpu(() => kinds.map((kind) => matchElements(kind, blocks))).milliseconds;
      }),
    );
  const whole = leastCpu(RUNS, () => diffLayouts(old, now));
  return {
    steps: {
      initialization: start.milliseconds,
      'links and images': timed(['link', 'image']),
      texts: timed(['text']),
      save: leastCpu(RUNS, () => writeViDelta(whole.result)).milliseconds,
    },
    whole: whole.milliseconds,
    printed: leastCpu(RUNS, () => viDiff2009(old, now)).milliseconds,
  };
}

/** Keeps the first page from paying for the compiler. */
function warmUp(layouts: readonly EditedPage[], seed: number): void {
  for (const { old } of layouts) diffLayouts(old, editLayout(old, PAPER_RATES, stream(seed, 'warm')).layout);
}

const fig10 = paperExperiment<SteppedPage[]>({
  name: 'vi-diff-fig-10',
  title: 'Time of each step of Vi-DIFF, by size of the Vi-XML',
  paper: PAPER,
  figure: 'Fig. 10',
  method:
    'Layouts of real pages (Fig. 8), edited by the simulator of §7.2: 10 % of the elements for each type of operation. Processor ' +
    `time, the least of ${RUNS} runs; the algorithm as printed (Fig. 6) beside ours.`,
  measure: async (options) => {
    const layouts = await realLayouts(options);
    if (!Array.isArray(layouts)) return layouts;
    warmUp(layouts, options.seed);
    return layouts.map(({ page, old, viXmlBytes }, k): SteppedPage => {
      const { layout } = editLayout(old, PAPER_RATES, stream(options.seed, 'vi-diff-fig-10', k));
      return { page, viXmlBytes, ...timeSteps(old, layout) };
    });
  },
  rows: (all): Row[] =>
    all.map(({ page, viXmlBytes, steps, whole, printed }) => ({
      page,
      'Vi-XML, KB': viXmlBytes / KB,
      ...Object.fromEntries(STEPS.map((step) => [`${step}, ms`, steps[step]])),
      'comparison, ms': whole,
      'as printed, ms': printed,
    })),
  plots: (all) => [
    {
      title: 'Steps of Vi-DIFF',
      x: 'KB of Vi-XML',
      y: 'milliseconds of processor',
      kind: 'lines',
      logX: true,
      series: STEPS.map((name) => ({
        name,
        points: all.map(({ viXmlBytes, steps }) => ({ x: viXmlBytes / KB, y: steps[name] })),
      })),
    },
  ],
  claims: [
    {
      statement: 'Change detection for links and images is the fastest part of the whole process.',
      verdict: (all) => {
        const means = STEPS.map((step) => ({ step, ms: mean(all.map(({ steps }) => steps[step])) }));
        const fastest = means.toSorted((a, b) => a.ms - b.ms)[0];
        return {
          holds: grade([fastest?.step === 'links and images']),
          ours: `Means: ${means.map(({ step, ms }) => `${step} ${round(ms)} ms`).join(', ')}.`,
        };
      },
    },
    {
      statement: 'More than one hundred pages per second and per processor.',
      verdict: (all) => {
        const each = mean(all.map(({ steps, whole }) => whole + steps.save));
        const printed = mean(all.map((page) => page.printed));
        return {
          holds: grade([each < 10]),
          ours: `${round(1000 / each)} pages a second with the delta saved; the algorithm as printed, which looks for no blocks, takes ${round(printed / mean(all.map(({ whole }) => whole)))} of the time of our comparison.`,
        };
      },
    },
  ],
});

const SHARES = [0.02, 0.05, 0.1, 0.2, 0.4] as const;

interface SharedEdits {
  readonly share: number;
  readonly compare: number;
  readonly save: number;
  /** Relative to one version's Vi-XML. */
  readonly deltaShare: number;
}

const byShare = paperExperiment<SharedEdits[]>({
  name: 'vi-diff-edits',
  title: 'Time and size of deltas, by share of edits',
  paper: PAPER,
  figure: '§7.2',
  method:
    'As Fig. 10, with other shares of the elements edited for each type of operation; means over the pages.',
  measure: async (options) => {
    const layouts = await realLayouts(options);
    if (!Array.isArray(layouts)) return layouts;
    warmUp(layouts, options.seed);
    return SHARES.map((share) => {
      const rates = { insert: share, delete: share, update: share, move: share, structure: 0 };
      const all = layouts.map(({ old, viXmlBytes }, k) => {
        const { layout } = editLayout(old, rates, stream(options.seed, 'vi-diff-edits', share, k));
        const { result, milliseconds } = leastCpu(RUNS, () => diffLayouts(old, layout));
        const saved = leastCpu(RUNS, () => writeViDelta(result));
        return {
          milliseconds,
          save: saved.milliseconds,
          share: Buffer.byteLength(saved.result) / viXmlBytes,
        };
      });
      return {
        share,
        compare: mean(all.map(({ milliseconds }) => milliseconds)),
        save: mean(all.map(({ save }) => save)),
        deltaShare: mean(all.map((one) => one.share)),
      };
    });
  },
  rows: (all): Row[] =>
    all.map(({ share, compare, save, deltaShare }) => ({
      'share of elements, each type': share,
      'compare, ms': compare,
      'save, ms': save,
      'delta ÷ Vi-XML': deltaShare,
    })),
  plots: (all) => [
    {
      title: 'Time by share of edits',
      x: 'share of the elements edited, for each type of operation',
      y: 'milliseconds of processor',
      kind: 'lines',
      series: (['compare', 'save'] as const).map((name) => ({
        name,
        points: all.map((one) => ({ x: one.share, y: one[name] })),
      })),
    },
  ],
});

export const VI_DIFF_STEPS: readonly PaperExperiment[] = [fig10, byShare];
