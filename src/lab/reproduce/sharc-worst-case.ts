/** SHARC 2009, §6: what misplaced downloads cost at worst. */
import { worstCaseIncreaseEq17 } from '../../science/sharpness/worst-case.ts';
import type { Row } from '../experiment/experiment.ts';
import type { PlotDescription } from '../experiment/plot.ts';
import { grade, percent, round } from '../experiment/wording.ts';
import {
  example61,
  figure6a,
  figure6b,
  pairedRates,
  type WorstCaseCurve,
} from '../sharpness/worst-case-curves.ts';
import { type PaperExperiment, paperExperiment } from './paper-experiment.ts';

const PAPER = 'SHARC 2009';

interface Figure6 {
  readonly bySkew: readonly WorstCaseCurve[];
  readonly bySize: readonly WorstCaseCurve[];
}

const at = (curve: WorstCaseCurve, share: number): WorstCaseCurve['points'][number] =>
  curve.points[Math.round(share * (curve.points.length - 1))] as WorstCaseCurve['points'][number];

const worstPlot = (title: string, curves: readonly WorstCaseCurve[], shares: boolean): PlotDescription => ({
  title,
  x: shares ? 'misplaced pages, share of all' : 'misplaced pages',
  y: 'increase of blur, share of that of SHARC-offline',
  kind: 'lines',
  series: curves.map(({ label, points }) => ({
    name: label,
    points: points.map(({ misplaced, relative }) => ({
      x: shares ? misplaced / (points.at(-1)?.misplaced ?? 1) : misplaced,
      y: relative,
    })),
  })),
});

const fig6 = paperExperiment<Figure6>({
  name: 'sharc-fig-6',
  title: 'Worst increase of blur by k misplaced pages',
  paper: PAPER,
  figure: 'Fig. 6',
  method: 'Theorem 6.2 as a construction; λ of both pages of pair i is 100/i^skew; nothing is drawn.',
  measure: () => ({ bySkew: figure6a(), bySize: figure6b() }),
  rows: ({ bySkew, bySize }) =>
    [
      ...bySkew.map((curve) => ['a', curve] as const),
      ...bySize.map((curve) => ['b', curve] as const),
    ].flatMap(([part, { label, points }]) => points.map((point): Row => ({ part, label, ...point }))),
  plots: ({ bySkew, bySize }) => [
    worstPlot('By skew, 100 pages', bySkew, false),
    worstPlot('By size, skew 1', bySize, true),
  ],
  claims: [
    {
      statement: 'Skew has the largest impact; one more of it increases the blur by an order of magnitude.',
      verdict: ({ bySkew }) => {
        const factors = bySkew
          .slice(2)
          .map((curve, i) => at(curve, 0.1).relative / at(bySkew[i] as WorstCaseCurve, 0.1).relative);
        return {
          holds: factors.every((factor) => factor >= 5)
            ? 'holds'
            : grade([false, factors.every((factor) => factor > 1)]),
          ours: `At k = 10 the relative increase is ${bySkew.map((curve) => `${percent(at(curve, 0.1).relative)} (${curve.label})`).join(', ')}: × ${factors.map(round).join(', ')} for one more of skew.`,
        };
      },
    },
    {
      statement:
        'Misplacing the most changing pages (k = 0 to 10) costs most; from k = 20 on the increase slows down.',
      verdict: ({ bySkew }) => {
        const shares = bySkew.map((curve) => at(curve, 0.1).increase / at(curve, 1).increase);
        return {
          holds: grade(shares.map((share) => share > 0.5)),
          ours: `The first 10 of 100 pages bring ${shares.map(percent).join(', ')} of the whole increase (skew 0.5 to 2.5).`,
        };
      },
    },
    {
      statement: 'From 10 to 100 pages the increase changes substantially, from 100 to 1,000 only slightly.',
      verdict: ({ bySize }) => {
        const [ten = 0, hundred = 0, thousand = 0] = bySize.map((curve) => at(curve, 0.2).relative);
        return {
          holds: grade([hundred - ten > 0.05, thousand - hundred < hundred - ten]),
          ours: `With a fifth of the pages misplaced: ${percent(ten)}, ${percent(hundred)}, ${percent(thousand)} at 10, 100, 1,000 pages.`,
        };
      },
    },
  ],
});

const worst = paperExperiment<{
  offline: number;
  worst: number;
  increase: number;
  formula: number;
  checked: number;
  agree: number;
}>({
  name: 'sharc-worst-case',
  title: 'Example 6.1 and Theorem 6.2',
  paper: PAPER,
  figure: '§6',
  method:
    'The construction beside Eq. 17 with its second sum ending at (n+1−k)/2 − 1 (as printed it reads past the last ' +
    'page), on paired rates of 10 and 100 pages, all even k, five skews. The sum that the paper prints for Example 6.1 ' +
    'also comes to 176, not to 145 as it says.',
  measure: () => {
    const rates = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5];
    let checked = 0;
    let agree = 0;
    for (const pages of [10, 100]) {
      for (const skew of [0.5, 1, 1.5, 2, 2.5]) {
        for (const { points } of figure6a([skew], pages)) {
          for (const { misplaced, increase } of points) {
            checked++;
            const formula = worstCaseIncreaseEq17(pairedRates(pages, skew), misplaced);
            if (Math.abs(formula - increase) <= 1e-9 * Math.max(1, increase)) agree++;
          }
        }
      }
    }
    return { ...example61(), formula: worstCaseIncreaseEq17(rates, 4), checked, agree };
  },
  rows: ({ offline, worst: value, increase, formula, checked, agree }) => [
    { offline, worst: value, increase, formula, checked, agree },
  ],
  plots: ({ offline, worst: value }) => [
    {
      title: 'Example 6.1: Σ λ·ω, four of ten pages misplaced',
      x: '',
      y: 'Σ λ·ω',
      kind: 'bars',
      series: [
        {
          name: 'Σ λ·ω',
          points: [
            { x: 'SHARC-offline', y: offline },
            { x: 'worst case', y: value },
          ],
        },
      ],
    },
  ],
  claims: [
    {
      statement: 'Example 6.1: SHARC-offline 755; the worst four misplacements add 145 (20%).',
      verdict: ({ offline, worst: value, increase }) => ({
        holds: grade([offline === 755, increase === 145]),
        ours: `${offline}, worst ${value}: +${increase} (${percent(increase / offline)}).`,
      }),
    },
    {
      statement: 'Theorem 6.2: Eq. 17 gives the increase for any even k.',
      verdict: ({ checked, agree }) => ({
        holds: grade([agree === checked]),
        ours: `With its second sum ended one earlier it agrees with the construction in ${agree} of ${checked} cases.`,
      }),
    },
  ],
});

export const SHARC_WORST_CASES: readonly PaperExperiment[] = [fig6, worst];
