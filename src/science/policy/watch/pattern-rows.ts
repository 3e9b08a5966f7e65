import type { WatchedPage } from '../../../model/watch.ts';
import { learntPattern } from '../../patterns/learnt-pattern.ts';
import { type SlotOptions, type SlotPlan, slotPlan } from '../../patterns/slots.ts';
import { flatRow, patternTable, rowOf, type ShapeRow } from '../refresh/pattern-table.ts';
import type { RefreshState } from '../refresh/state.ts';

/** The rows for a list of pages: each pattern once. */
export class Rows {
  readonly list: ShapeRow[] = [];
  readonly #own: boolean;
  readonly #flat = new Map<SlotPlan, number>();
  readonly #shared = new Map<string, number>();

  constructor(own: boolean) {
    this.#own = own;
  }

  of({ pattern }: WatchedPage, slots: SlotOptions): number {
    const plan = slotPlan(pattern?.kind ?? 'daily', slots);
    if (pattern && this.#own)
      return this.list.push(rowOf(learntPattern(pattern.sums, plan, pattern.shape))) - 1;
    const shape = pattern?.shape;
    if (shape?.length !== plan.slots) {
      const flat = this.#flat.get(plan) ?? this.list.push(flatRow(plan)) - 1;
      this.#flat.set(plan, flat);
      return flat;
    }
    const key = `${plan.kind} ${plan.periods} ${slots.zone} ${shape.join(' ')}`;
    const shared = this.#shared.get(key) ?? this.list.push({ ...flatRow(plan), shape }) - 1;
    this.#shared.set(key, shared);
    return shared;
  }
}

/** A flat row of the plan: an existing one, or a new one. */
export function flatRowOf(refresh: RefreshState, plan: SlotPlan): number {
  const { table } = refresh;
  const number = table.plans.indexOf(plan);
  for (let row = 0; row < table.rows; row++) {
    if (table.planOf[row] !== number) continue;
    const start = table.start[row] as number;
    if (table.shape.subarray(start, start + plan.slots).every((value) => value === 1)) return row;
  }
  const rows = Array.from({ length: table.rows }, (_, row): ShapeRow => {
    const [start, end] = [table.start[row] as number, table.start[row + 1] as number];
    return {
      plan: table.plans[table.planOf[row] as number] as SlotPlan,
      shape: table.shape.subarray(start, end),
      emphasis: table.emphasis.subarray(start, end),
    };
  });
  refresh.table = patternTable([...rows, flatRow(plan)]);
  return table.rows;
}
