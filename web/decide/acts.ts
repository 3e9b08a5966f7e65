import type { DecisionAct } from '../../src/model/decision.ts';

export const ACTS = ['in', 'out', 'every', 'weight', 'pin', 'never-skip', 'undo'] as const;
export type ActKind = (typeof ACTS)[number];

/** Milliseconds. */
export const SPANS = { hour: 3_600_000, sixHours: 21_600_000, day: 86_400_000, week: 604_800_000 } as const;
export type SpanName = keyof typeof SPANS;

export function actOf(kind: ActKind, span: SpanName, factor: number): DecisionAct {
  if (kind === 'every') return { kind, span: SPANS[span] };
  return kind === 'weight' ? { kind, factor } : { kind };
}
