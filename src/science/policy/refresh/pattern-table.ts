/**
 * The patterns that pages refer to. A row is a shape (rates relative to the page's own mean rate) and an emphasis
 * (importance of a change relative to the page's mean), slot by slot; pages of a group share a row, so that a
 * million pages with a few hundred patterns cost no more than a million numbers.
 */

import type { Seconds } from '../../../model/time.ts';
import type { ChangePattern } from '../../patterns/change-pattern.ts';
import { meanImportance, shapeOf } from '../../patterns/change-pattern.ts';
import type { SlotPlan } from '../../patterns/slots.ts';

export interface ShapeRow {
  readonly plan: SlotPlan;
  readonly shape: ArrayLike<number>;
  readonly emphasis: ArrayLike<number>;
}

export interface ShapeTable {
  readonly rows: number;
  /** Plans in use: one clock each, since rows of one plan are always in the same slot. */
  readonly plans: readonly SlotPlan[];
  readonly planOf: Int32Array;
  /** Where a row begins in `shape` and `emphasis`. */
  readonly start: Int32Array;
  readonly shape: Float32Array;
  readonly emphasis: Float32Array;
}

export function patternTable(rows: readonly ShapeRow[]): ShapeTable {
  const plans: SlotPlan[] = [];
  const planOf = new Int32Array(rows.length);
  const start = new Int32Array(rows.length + 1);
  rows.forEach((row, index) => {
    let plan = plans.indexOf(row.plan);
    if (plan < 0) plan = plans.push(row.plan) - 1;
    planOf[index] = plan;
    start[index + 1] = (start[index] as number) + row.plan.slots;
  });
  const table: ShapeTable = {
    rows: rows.length,
    plans,
    planOf,
    start,
    shape: new Float32Array(start[rows.length] as number),
    emphasis: new Float32Array(start[rows.length] as number),
  };
  rows.forEach((row, index) => {
    setRow(table, index, row);
  });
  return table;
}

/** The plan of a row stays; its values may follow what is learned. */
export function setRow(table: ShapeTable, row: number, values: Omit<ShapeRow, 'plan'>): void {
  const start = table.start[row] as number;
  const slots = (table.start[row + 1] as number) - start;
  for (let slot = 0; slot < slots; slot++) {
    table.shape[start + slot] = values.shape[slot] ?? 1;
    table.emphasis[start + slot] = values.emphasis[slot] ?? 1;
  }
}

export function rowOf(pattern: ChangePattern): ShapeRow {
  const mean = meanImportance(pattern);
  return {
    plan: pattern.plan,
    shape: shapeOf(pattern),
    emphasis: pattern.importance.map((value) => (mean > 0 ? value / mean : 1)),
  };
}

export const flatRow = (plan: SlotPlan): ShapeRow => ({
  plan,
  shape: new Float64Array(plan.slots).fill(1),
  emphasis: new Float64Array(plan.slots).fill(1),
});

/** Shape and emphasis of every row at a moment. */
export function rowsAt(
  table: ShapeTable,
  time: Seconds,
): { readonly shape: Float32Array; readonly emphasis: Float32Array } {
  const slots = table.plans.map((plan) => plan.slotOf(time));
  const shape = new Float32Array(table.rows);
  const emphasis = new Float32Array(table.rows);
  for (let row = 0; row < table.rows; row++) {
    const at = (table.start[row] as number) + (slots[table.planOf[row] as number] as number);
    shape[row] = table.shape[at] as number;
    emphasis[row] = table.emphasis[at] as number;
  }
  return { shape, emphasis };
}
