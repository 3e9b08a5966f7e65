/**
 * How well importance ranks pages or sites as a person did, which weights of the scores do so best, and how well two people
 * agree.
 */
import { combined, onLogScale } from '../../science/importance/combine-scores.ts';
import { fitRanking, heldOutScores, type RankedPage } from '../../science/importance/fit-ranking.ts';
import { type RankAgreement, rankAgreement } from '../../science/importance/rank-agreement.ts';
import type { Table } from '../experiment/text-table.ts';
import { round } from '../experiment/wording.ts';

/** Ranks given by a person, by page or site: 1 is the most important; equal ranks where the person left it open. */
export type Ranking = ReadonlyMap<string, number>;
/** Scores by name, each by page or site. */
export type NamedScores = ReadonlyMap<string, ReadonlyMap<string, number>>;

export interface RankingInput {
  readonly first: Ranking;
  /** By another person. */
  readonly second?: Ranking;
  /** The user's own scores, in addition to those from links. */
  readonly scores: NamedScores;
  readonly random: () => number;
}

export interface RankingReport {
  readonly of: 'pages' | 'sites';
  readonly ranked: number;
  /** Ranked, but not among the pages or sites of the links. */
  readonly unknown: readonly string[];
  /** For each score: its weight in the fit, per standard deviation of its logarithm, and how it ranks alone. */
  readonly scores: Readonly<Record<string, { readonly weight: number; readonly alone: RankAgreement }>>;
  /** The same weights as powers of the scores themselves, as a configuration takes them. */
  readonly exponents: Readonly<Record<string, number>>;
  /** The fit, judged on its own training data. */
  readonly seen: RankAgreement;
  /** Each page scored by weights fitted to the others; absent for fewer than four. */
  readonly heldOut?: RankAgreement;
  readonly second?: {
    readonly rankers: RankAgreement;
    /** The same held-out scores against the other person's ranking of the pages that both ranked. */
    readonly heldOut?: RankAgreement;
  };
}

/** `scores` has those from links, for pages or for sites; a missing value counts as 0. */
export function measureRanking(
  of: RankingReport['of'],
  scores: NamedScores,
  input: RankingInput,
): RankingReport {
  const { first, second, random } = input;
  const known = [...scores.values()][0] ?? new Map<string, number>();
  const names = [...first.keys()].filter((name) => known.has(name));
  const all = new Map([...scores, ...input.scores]);
  const columns = [...all.values()].map((values) => onLogScale(names.map((name) => values.get(name) ?? 0)));
  const pages = names.map(
    (name, i): RankedPage => ({
      scores: columns.map((column) => column[i] as number),
      rank: first.get(name) as number,
    }),
  );
  const fit = fitRanking(pages, { random });
  const heldOut = heldOutScores(pages, { random });
  const like = (values: ArrayLike<number>): RankAgreement =>
    rankAgreement(
      values,
      pages.map(({ rank }) => -rank),
    );
  return {
    of,
    ranked: names.length,
    unknown: [...first.keys()].filter((name) => !known.has(name)),
    scores: Object.fromEntries(
      [...all.keys()].map((name, j) => [
        name,
        { weight: fit[j]?.weight ?? 0, alone: like(columns[j] as Float64Array) },
      ]),
    ),
    exponents: Object.fromEntries(
      [...all.keys()].map((name, j) => [name, (fit[j]?.weight ?? 0) / (fit[j]?.scale ?? 1)]),
    ),
    seen: like(pages.map((page) => combined(page.scores, fit))),
    ...(heldOut && { heldOut: like(heldOut) }),
    ...(second && { second: besideSecond(names, first, second, heldOut) }),
  };
}

function besideSecond(
  names: readonly string[],
  first: Ranking,
  second: Ranking,
  heldOut: Float64Array | undefined,
): NonNullable<RankingReport['second']> {
  const both = [...first.keys()].filter((name) => second.has(name));
  const places = (ranking: Ranking, of: readonly string[]): number[] =>
    of.map((name) => -(ranking.get(name) as number));
  const scored = names.flatMap((name, i) => (second.has(name) ? [i] : []));
  return {
    rankers: rankAgreement(places(first, both), places(second, both)),
    ...(heldOut && {
      heldOut: rankAgreement(
        scored.map((i) => heldOut[i] as number),
        places(
          second,
          scored.map((i) => names[i] as string),
        ),
      ),
    }),
  };
}

export function rankingText({
  of,
  ranked,
  unknown,
  scores,
  seen,
  heldOut,
  second,
}: RankingReport): (string | Table)[] {
  const cells = ({ kendall, error, spearman, agreed, pages }: RankAgreement) => [
    pages,
    `${round(kendall)} ± ${round(error)}`,
    round(spearman),
    agreed === null ? undefined : round(agreed),
  ];
  return [
    {
      title: `The ranking of ${ranked} ${of}${unknown.length > 0 ? ` (not among the links: ${unknown.length})` : ''}, beside`,
      header: ['', 'weight', of, "Kendall's τ", "Spearman's ρ", 'pairs alike'],
      rows: [
        ...Object.entries(scores).map(([name, { weight, alone }]) => [name, round(weight), ...cells(alone)]),
        ['all, weights fitted to it', undefined, ...cells(seen)],
        ...(heldOut ? [['all, each held out', undefined, ...cells(heldOut)]] : []),
        ...(second ? [['the second ranking', undefined, ...cells(second.rankers)]] : []),
      ],
    },
    ...(second?.heldOut
      ? [
          `All, each held out, beside the second ranking: τ ${round(second.heldOut.kendall)} ± ${round(second.heldOut.error)}`,
        ]
      : []),
  ];
}
