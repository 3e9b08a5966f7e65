import type { Millis } from './time.ts';

/**
 * What a person has decided about URLs:
 *   in, out       they belong, or do not, whatever criteria and scopes say
 *   every         they are to be visited at least this often; for `watch`
 *   weight        their importance is multiplied by this; for importance
 *   pin           they are visited whatever rules infer, and their versions stay
 *   never-skip    they are visited whatever rules infer
 *   undo          what was decided before about this very target no longer holds
 */
export type DecisionAct =
  | { readonly kind: 'in' | 'out' | 'pin' | 'never-skip' | 'undo' }
  | { readonly kind: 'every'; readonly span: Millis }
  | { readonly kind: 'weight'; readonly factor: number };

export type DecisionKind = DecisionAct['kind'];

/** A person's decision: always wins, and is shown with who and why. Content of a `urn:decision:` record. */
export interface Decision {
  /** UUID; `configuration` for those declared in a configuration file. */
  readonly id: string;
  /** A page, a site or a pattern: see decision-target.ts. */
  readonly target: string;
  readonly act: DecisionAct;
  readonly by: string;
  readonly why: string;
  /** −∞ for those of a configuration file, the base that other decisions override. */
  readonly at: Millis;
  /** From then on it no longer holds. */
  readonly until?: Millis;
}

/** URI of a decision's record: `urn:decision:<id>`. */
export const DECISION = 'urn:decision:';

/** `decided by Anna: publishes books (00h00.com)`. */
export const decisionWords = ({ by, why, target }: Decision): string =>
  `decided by ${by}: ${why} (${target})`;

/** In and out answer the same question; so do two spans, and two weights. */
export const isSameMatter = (a: DecisionAct, b: DecisionAct): boolean => matterOf(a) === matterOf(b);

const matterOf = ({ kind }: DecisionAct): string => (kind === 'out' ? 'in' : kind);

/** `in`, `every 1 h`, `weight 3`. */
export function actWords(act: DecisionAct): string {
  if (act.kind === 'weight') return `weight ${act.factor}`;
  if (act.kind !== 'every') return act.kind;
  const [unit, length] = SPANS.find(([, length]) => act.span % length === 0) ?? ['ms', 1];
  return `every ${act.span / length} ${unit}`;
}

const SPANS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;
