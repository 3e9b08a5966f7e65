/** `lab choices`: how often each choice of version shows what was really there. */
import { type Chances, likelier, versionChances } from '../../science/browsing/version-chances.ts';
import { slotPlan } from '../../science/patterns/slots.ts';
import { bootstrapRatio } from '../../science/quality/bootstrap.ts';
import type { SiteEvents } from '../data/site-history.ts';
import { experiment, type Row } from '../experiment/experiment.ts';
import { stream } from '../newspaper/random.ts';
import { type JudgedMoment, judgedMoments } from './choice-cases.ts';

export interface ChoicesInput {
  readonly history: SiteEvents;
  /** Hours between captures. */
  readonly gaps: readonly number[];
  readonly folds: number;
  readonly moments: number;
  readonly timezone: string;
  readonly seed: string;
}

/** The last knows when the later version was made, as from a server that dates its pages correctly. */
const CHOICES = ['before', 'after', 'closest', 'most likely', 'most likely, with Last-Modified'] as const;
type Choice = (typeof CHOICES)[number];

/** Values of k in version-chances.ts that are tried. */
const SHAPES = [0.1, 0.25, 0.5, 1, 2, Number.POSITIVE_INFINITY];

interface PageTally {
  moments: number;
  differing: number;
  readonly right: Record<Choice, number>;
  readonly rightDiffering: Record<Choice, number>;
}

export interface GapResult {
  readonly gap: number;
  readonly pages: readonly PageTally[];
  /** Where neighbours differ: predicted and found, summed. */
  readonly predicted: { readonly chosen: number; readonly neither: number };
  readonly found: { readonly neither: number };
  /** Mean of −ln of the chance given to what was true, by k. */
  readonly score: readonly { readonly shape: number; readonly loss: number }[];
  /** Where neighbours are equal: the mean chance of their version, and the share of moments where it was right. */
  readonly equal: { readonly predicted: number; readonly right: number; readonly moments: number };
  readonly difference: { readonly mean: number; readonly low: number; readonly high: number };
  readonly differenceDiffering: { readonly mean: number; readonly low: number; readonly high: number };
}

const counts = (): Record<Choice, number> =>
  Object.fromEntries(CHOICES.map((choice) => [choice, 0])) as Record<Choice, number>;

export const choices = experiment<ChoicesInput, readonly GapResult[]>({
  name: 'choices',
  title: 'Which version was there: four choices against the truth',
  method:
    'Captures are drawn from a dense history, patterns are learnt from those of the other folds, and each choice is held ' +
    'against what was there. Intervals: 95 %, pages drawn again.',
  measure: ({ gaps, ...input }) => gaps.map((gap) => measured(gap, input)),
  rows: (results) => results.flatMap(rowsOf),
  text: (results) => [
    {
      title: 'Share of moments at which the choice shows what was there, in %',
      header: ['gap, h', 'choice', 'all', 'neighbours differ'],
      rows: results.flatMap(rowsOf).map((row) => [row.gap, row.choice, row.all, row.differing]),
    },
    ...results.map(
      ({ gap, pages, difference, differenceDiffering }) =>
        `Gap ${gap} h: ${total(pages, 'moments')} moments, neighbours differ at ${total(pages, 'differing')}; most likely − ` +
        `closest: ${points(difference)} of all, ${points(differenceDiffering)} where they differ.`,
    ),
    {
      title: 'How sure the choice is, where neighbours differ, and how often it was so, in %',
      header: ['gap, h', 'said', 'was right', 'said: neither', 'was neither', 'equal: said', 'was so'],
      rows: results.map((result) => {
        const count = total(result.pages, 'differing');
        return [
          result.gap,
          percent(result.predicted.chosen / count),
          percent(sum(result.pages, ({ rightDiffering }) => rightDiffering['most likely']) / count),
          percent(result.predicted.neither / count),
          percent(result.found.neither / count),
          percent(result.equal.predicted),
          percent(result.equal.right),
        ];
      }),
    },
    {
      title: 'Log loss where neighbours differ, by the shape k of the pace (less is better)',
      header: ['gap, h', ...SHAPES.map((shape) => `k = ${shape}`)],
      rows: results.map(({ gap, score }) => [gap, ...score.map(({ loss }) => Number(loss.toFixed(4)))]),
    },
  ],
  claims: [
    {
      statement: 'The most likely version is the first of the four over all moments.',
      verdict: (results) => verdictOf(results, ({ right }) => right),
    },
    {
      statement: 'Where neighbours differ it is ahead of the closest.',
      verdict: (results) => {
        const ahead = results.filter(({ differenceDiffering: { low } }) => low > 0).length;
        return {
          holds: ahead === results.length ? 'holds' : ahead > 0 ? 'holds in part' : 'does not hold',
          ours: results.map((one) => `${one.gap} h: ${points(one.differenceDiffering)}`).join('; '),
        };
      },
    },
  ],
});

function verdictOf(
  results: readonly GapResult[],
  rightOf: (page: PageTally) => Record<Choice, number>,
): { holds: 'holds' | 'holds in part' | 'does not hold'; ours: string } {
  const first = results.filter(({ pages }) => {
    const of = (choice: Choice): number => sum(pages, (page) => rightOf(page)[choice]);
    return (['before', 'after', 'closest'] as const).every((other) => of('most likely') >= of(other));
  });
  return {
    holds: first.length === results.length ? 'holds' : first.length > 0 ? 'holds in part' : 'does not hold',
    ours: `first at ${first.length} of ${results.length} gaps`,
  };
}

function measured(
  gap: number,
  { history, folds, moments, timezone, seed }: Omit<ChoicesInput, 'gaps'>,
): GapResult {
  const pages = new Map<number, PageTally>();
  const predicted = { chosen: 0, neither: 0 };
  const found = { neither: 0 };
  const equal = { predicted: 0, right: 0, moments: 0 };
  const losses = SHAPES.map(() => 0);
  const plan = slotPlan('daily', { zone: timezone });
  const [numbers, redrawn] = [stream(seed, `gap ${gap}`), stream(seed, `bootstrap ${gap}`)];
  const random = () => numbers.next();
  for (const moment of judgedMoments(history, { gap: gap * 3600, folds, moments, plan, random })) {
    const tally = pages.get(moment.page) ?? {
      moments: 0,
      differing: 0,
      right: counts(),
      rightDiffering: counts(),
    };
    pages.set(moment.page, tally);
    const { before, after, truth } = moment;
    const areEqual = before.digest === after.digest;
    const chances = chancesOf(moment);
    tally.moments++;
    if (!areEqual) tally.differing++;
    for (const choice of CHOICES) {
      if (moment[sideOf(choice, moment, chances)].digest !== truth) continue;
      tally.right[choice]++;
      if (!areEqual) tally.rightDiffering[choice]++;
    }
    if (areEqual) {
      equal.predicted += chances.before;
      if (before.digest === truth) equal.right++;
      equal.moments++;
      continue;
    }
    predicted.chosen += chances[likelier(chances)];
    predicted.neither += chances.neither;
    const so = before.digest === truth ? 'before' : after.digest === truth ? 'after' : 'neither';
    if (so === 'neither') found.neither++;
    for (const [index, shape] of SHAPES.entries())
      losses[index] = (losses[index] ?? 0) - Math.log(Math.max(1e-6, chancesOf(moment, shape)[so]));
  }
  const list = [...pages.values()];
  const differing = total(list, 'differing');
  const draw = { random: () => redrawn.next(), rounds: 2_000 };
  const gain = (of: 'right' | 'rightDiffering') =>
    list.map((page) => page[of]['most likely'] - page[of].closest);
  return {
    gap,
    pages: list,
    predicted,
    found,
    equal: {
      predicted: equal.predicted / equal.moments,
      right: equal.right / equal.moments,
      moments: equal.moments,
    },
    score: SHAPES.map((shape, index) => ({ shape, loss: (losses[index] ?? 0) / differing })),
    difference: bootstrapRatio(
      gain('right'),
      list.map((page) => page.moments),
      draw,
    ),
    differenceDiffering: bootstrapRatio(
      gain('rightDiffering'),
      list.map((page) => page.differing),
      draw,
    ),
  };
}

function chancesOf({ at, before, after, expected }: JudgedMoment, shape?: number): Chances {
  const areEqual = before.digest === after.digest;
  return versionChances({ at, before: before.at, after: after.at, areEqual, expected }, shape);
}

function sideOf(choice: Choice, moment: JudgedMoment, chances: Chances): 'before' | 'after' {
  const { at, before, after, made, expected } = moment;
  switch (choice) {
    case 'before':
    case 'after':
      return choice;
    case 'closest':
      return at - before.at <= after.at - at ? 'before' : 'after';
    case 'most likely':
      return likelier(chances);
    default: {
      if (made === undefined || made <= before.at) return likelier(chances);
      const evidence = [
        { kind: 'changed', at: made },
        { kind: 'unchanged', from: made, to: after.at },
      ] as const;
      const areEqual = before.digest === after.digest;
      return likelier(
        versionChances({ at, before: before.at, after: after.at, areEqual, expected, evidence }),
      );
    }
  }
}

const sum = (pages: readonly PageTally[], value: (page: PageTally) => number): number =>
  pages.reduce((whole, page) => whole + value(page), 0);
const total = (pages: readonly PageTally[], name: 'moments' | 'differing'): number =>
  sum(pages, (page) => page[name]);

const rowsOf = ({ gap, pages }: GapResult): Row[] =>
  CHOICES.map((choice) => ({
    gap,
    choice,
    all: percent(sum(pages, ({ right }) => right[choice]) / total(pages, 'moments')),
    differing: percent(
      sum(pages, ({ rightDiffering }) => rightDiffering[choice]) / total(pages, 'differing'),
    ),
  }));

const percent = (share: number): number => Number((100 * share).toFixed(2));
const points = ({ mean, low, high }: { mean: number; low: number; high: number }): string =>
  `${(100 * mean).toFixed(2)} points (${(100 * low).toFixed(2)} to ${(100 * high).toFixed(2)})`;
