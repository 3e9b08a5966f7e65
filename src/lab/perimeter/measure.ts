/**
 * What `lab perimeter` reports: verdicts on the user's own pages and suspects, how many belong, and how accurate that
 * is.
 */
import { decisionWords } from '../../model/decision.ts';
import type { PerimeterDefinition } from '../../science/perimeter/definition.ts';
import { type ChanceQuality, chanceQuality } from '../../science/perimeter/held-out.ts';
import { type PerimeterSize, perimeterSize } from '../../science/perimeter/perimeter-size.ts';
import { reasonWords } from '../../science/perimeter/reason-words.ts';
import { type PerimeterVerdict, statedCoefficients } from '../../science/perimeter/verdict.ts';
import { experiment } from '../experiment/experiment.ts';
import { besideCriteria, type CriterionBeside, judgements } from './criteria-beside.ts';
import { type GivenWeb, type JudgedUrl, judgeHeldOut, judgeWeb } from './judge-web.ts';

export interface PerimeterInput {
  readonly web: GivenWeb;
  readonly definition: PerimeterDefinition;
  /** Fit weights to the truth about pages of other sites, instead of using those of the definition. */
  readonly fit: boolean;
  readonly random: () => number;
}

export interface PerimeterReport {
  readonly perimeter: string;
  readonly fitted: boolean;
  readonly judged: readonly JudgedUrl[];
  readonly size: PerimeterSize;
  /** Over read pages whose truth is known; absent if there are none. */
  readonly quality?: ChanceQuality;
  readonly criteria?: readonly CriterionBeside[];
}

export function measurePerimeter({ web, definition, fit, random }: PerimeterInput): PerimeterReport {
  const stated = judgeWeb(web, definition);
  const judged = fit ? judgeHeldOut(web, definition) : stated;
  const known = judgements(judged);
  const start = statedCoefficients(definition);
  return {
    perimeter: definition.name,
    fitted: fit,
    judged,
    size: perimeterSize(
      judged.map((one) => one.known),
      { read: start, suspects: start, random },
    ),
    ...(known.length > 0 && {
      quality: chanceQuality(known, definition.threshold),
      criteria: besideCriteria(stated, judged),
    }),
  };
}

const inOut = ({ inside }: PerimeterVerdict): string => (inside ? 'in' : 'out');

const reasons = ({ evidence, connectivity, decision }: PerimeterVerdict): string =>
  reasonWords({ evidence, links: connectivity, ...(decision && { decided: decisionWords(decision) }) });

export const perimeter = experiment<PerimeterInput, PerimeterReport>({
  name: 'perimeter',
  title: 'Which pages belong to a perimeter',
  method: 'Evidence of each page and of the pages that link to it, as log-odds; docs/perimeter.md.',
  measure: measurePerimeter,
  rows: ({ judged }) =>
    judged.map(({ url, read, truth, verdict }) => ({
      url,
      read: Number(read),
      verdict: inOut(verdict),
      chance: verdict.chance,
      own: verdict.own,
      truth: truth === undefined ? undefined : Number(truth),
    })),
  text: ({ perimeter: name, judged, size, quality, criteria }) => [
    {
      title: `Perimeter ${name}`,
      header: ['page', 'verdict', 'chance', 'by'],
      rows: judged.map(({ url, read, verdict }) => [
        url,
        read ? inOut(verdict) : `${inOut(verdict)}?`,
        verdict.chance,
        reasons(verdict),
      ]),
    },
    `size of the perimeter: ${size.mean.toFixed(1)} of ${judged.length} known URLs (95 %: ${size.low.toFixed(1)} to ${size.high.toFixed(1)}), ${size.unread.toFixed(1)} of them unread (marked ?)`,
    ...(quality && criteria
      ? [
          {
            title: `Against the truth of ${quality.pages} pages`,
            header: ['by', 'precision', 'recall', 'precision of all together at that recall'],
            rows: [
              ['all together', quality.precision ?? undefined, quality.recall ?? undefined, undefined],
              ...criteria.map(({ criterion, precision, recall, precisionThere }) => [
                `${criterion} alone`,
                precision ?? undefined,
                recall ?? undefined,
                precisionThere ?? undefined,
              ]),
            ],
          },
        ]
      : []),
  ],
  data: ({ perimeter: name, fitted, judged, size, quality, criteria }) => {
    const { pages: withTruth, ...measured } = quality ?? {};
    const shown = (read: boolean) =>
      Object.fromEntries(
        judged
          .filter((one) => one.read === read)
          .map(({ url, truth, verdict: { inside: _, chance, logOdds, ...rest }, verdict }) => [
            url,
            {
              verdict: inOut(verdict),
              chance,
              score: logOdds,
              ...rest,
              ...(truth !== undefined && { truth }),
            },
          ]),
      );
    return {
      perimeter: name,
      fitted,
      pages: shown(true),
      suspects: shown(false),
      size: { estimate: size.mean, low: size.low, high: size.high, read: size.read, unread: size.unread },
      ...(quality && { withTruth, ...measured, criteria }),
    };
  },
  plots: ({ quality }) =>
    quality
      ? [
          {
            title: 'Chances and what became of them',
            description: 'Share of pages that belong, by tenths of their chance.',
            x: 'chance',
            y: 'share that belongs',
            kind: 'lines',
            range: [0, 1],
            series: [
              {
                name: 'pages',
                points: quality.reliability.map(({ chance, share }) => ({ x: chance, y: share })),
              },
              { name: 'as they should be', points: [0, 1].map((x) => ({ x, y: x })) },
            ],
          },
        ]
      : [],
});
