import type { Finding, FindingKind } from './finding.ts';
import { CEILINGS, GOOD_LEVEL, LARGE_TYPE, type SalienceWeights } from './salience-weights.ts';

/**
 * From findings to a number: each is worth attention × novelty × kind, and together they saturate,
 *
 *   S = 1 − Π (1 − s)
 *
 * within a kind up to its ceiling c: S_kind = c · (1 − Π (1 − s/c)); and of texts that came and texts that went, the lesser
 * side counts only in part. The share of each finding is scaled so that the plain formula holds over all of them.
 */
export interface Combined {
  readonly salience: number;
  /** Share of each finding, in order: 1 − Π (1 − s) over all is the salience. */
  readonly shares: readonly number[];
}

/** Fraction of the maximum that a finding can reach: keeps logarithms finite. */
const NEARLY = 1 - 1e-9;

export function attentionOf({ look }: Pick<Finding, 'look'>, weights: SalienceWeights): number {
  const place = (1 + look.depth) ** -weights.place;
  const type = Math.min(1, Math.max(0.1, look.type / LARGE_TYPE)) ** weights.type;
  const level = Math.min(1, Math.max(0.01, look.level / GOOD_LEVEL)) ** weights.level;
  return place * type * level;
}

/** s of a single finding. */
export function worthOf(finding: Finding, weights: SalienceWeights): number {
  const { kind, untold } = finding;
  const novelty = isText(kind) ? 1 - Math.exp(-untold / weights.words) : 1;
  return weights.kinds[kind] * novelty * attentionOf(finding, weights);
}

const TEXTS: ReadonlySet<FindingKind> = new Set(['lead', 'story', 'headline', 'teaser', 'wording']);
const isText = (kind: FindingKind): boolean => TEXTS.has(kind);

export function combine(findings: readonly Finding[], weights: SalienceWeights): Combined {
  const logs = new Float64Array(findings.length);
  const ofKind = new Map<FindingKind, number>();
  findings.forEach((finding, i) => {
    const ceiling = CEILINGS[finding.kind] ?? 1;
    const worth = Math.min(NEARLY, worthOf(finding, weights) / ceiling);
    logs[i] = -Math.log1p(-worth);
    ofKind.set(finding.kind, (ofKind.get(finding.kind) ?? 0) + (logs[i] as number));
  });
  const scales = new Map<FindingKind, number>();
  for (const [kind, sum] of ofKind) {
    const ceiling = CEILINGS[kind] ?? 1;
    const log = ceiling === 1 ? sum : -Math.log1p(ceiling * Math.expm1(-sum));
    scales.set(kind, sum === 0 ? 0 : log / sum);
  }
  const sides = { came: 0, went: 0 };
  findings.forEach((finding, i) => {
    logs[i] = (logs[i] as number) * (scales.get(finding.kind) ?? 0);
    const side = sideOf(finding);
    if (side) sides[side] += logs[i] as number;
  });
  const lesser = sides.went <= sides.came ? 'went' : 'came';
  let total = 0;
  findings.forEach((finding, i) => {
    if (sideOf(finding) === lesser) logs[i] = (logs[i] as number) * weights.exchanged;
    total += logs[i] as number;
  });
  return { salience: -Math.expm1(-total), shares: Array.from(logs, (log) => -Math.expm1(-log)) };
}

/** Only texts can be exchanged for one another. */
const sideOf = ({ kind, isGone }: Finding): 'came' | 'went' | undefined =>
  isText(kind) ? (isGone ? 'went' : 'came') : undefined;
