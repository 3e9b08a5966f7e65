/**
 * E as each paper prints it, with none of our departures (change-importance.ts has the default, and the reasons).
 *
 *   paper-2009   Pehlivan, Ben Saad, Gançarski (IWAW 2009) §6:
 *                E = Σ_B I(B) · (1/N_op) Σ_op I(op) · (1/N_el) Σ_el N(op, el) / N(el, B)
 *                N_el: kinds of elements in the block; N_op: types of operations in it. Its example: 0.4467 (printed 0.44).
 *   paper-2012   Ben Saad, Gançarski (IJDL 2012) Example 3 with I(op, el) of §7.2:
 *                E = Σ_B I(B) · Σ_op I(op) · Σ_el Σ I(op, el) / N(el, B)
 *                I(op, text) = text distance, α for advertisements; no moves. Its example: 0.348 (printed 0.34). The formula of
 *                §6.3 divides by N_op and N_el, Algorithm 2 by N_op, the example by neither: the example has the numbers.
 *
 *   N(el, B)     elements of a kind in old ∪ new, as the example of 2009 counts them (4/(2+4))
 *
 * Neither is confined to [0, 1] where blocks come and go, which both papers exclude; paper-2012 can exceed 1 anyway. A block
 * that came or went has its importance in the one version that has it, and its elements count one by one.
 */
import {
  type Delta,
  ELEMENT_KINDS,
  type ElementKind,
  type OperationName,
  type PageElement,
  sidesOf,
  type TouchedBlock,
} from '../../../model/delta.ts';
import { CHANGE_WEIGHTS } from '../change-weights.ts';
import { textDistance } from '../vi-diff/text-distance.ts';

export type PrintedFormula = 'paper-2009' | 'paper-2012';

interface ElementChanged {
  readonly op: OperationName;
  readonly kind: ElementKind;
  readonly old: PageElement;
  readonly now: PageElement;
}

export function printedImportance(delta: Delta, formula: PrintedFormula): number {
  const value = formula === 'paper-2009' ? value2009 : value2012;
  let sum = 0;
  for (const [block, changes] of changesByBlock(delta)) sum += importanceOf(block) * value(block, changes);
  return sum;
}

const importanceOf = ({ from, to, importance }: TouchedBlock): number =>
  from.length === 0
    ? importance.new
    : to.length === 0
      ? importance.old
      : (importance.old + importance.new) / 2;

/** A move belongs to the block that it reaches. */
function changesByBlock(delta: Delta): Map<TouchedBlock, ElementChanged[]> {
  const byOld = new Map<string, TouchedBlock>();
  const byNew = new Map<string, TouchedBlock>();
  for (const block of delta.touched) {
    for (const ref of block.from) byOld.set(ref, block);
    for (const ref of block.to) byNew.set(ref, block);
  }
  const changes = new Map<TouchedBlock, ElementChanged[]>(delta.touched.map((block) => [block, []]));
  const add = (block: TouchedBlock | undefined, change: ElementChanged): void => {
    if (block) changes.get(block)?.push(change);
  };
  for (const operation of delta.operations) {
    if (operation.element !== 'block') {
      const { from, to, old, new: now } = sidesOf(operation);
      const block = to ? byNew.get(to.block) : byOld.get(from?.block ?? '');
      const [a, b] = [old ?? now, now ?? old] as [PageElement, PageElement];
      add(block, { op: operation.op, kind: operation.element, old: a, now: b });
    } else if (operation.op === 'insert' || operation.op === 'delete') {
      const { op, content } = operation;
      const block = op === 'insert' ? byNew.get(operation.to) : byOld.get(operation.from);
      const whole = (kind: ElementKind, values: readonly { readonly value: PageElement }[]): void => {
        for (const { value } of values) add(block, { op, kind, old: value, now: value });
      };
      whole('link', content.links);
      whole('image', content.images);
      whole('text', content.texts);
    }
  }
  return changes;
}

const operationsIn = (changes: readonly ElementChanged[]): OperationName[] => [
  ...new Set(changes.map(({ op }) => op)),
];

function value2009(block: TouchedBlock, changes: readonly ElementChanged[]): number {
  const names = operationsIn(changes);
  const kinds = ELEMENT_KINDS.filter((kind) => block.elements[kind] > 0);
  let sum = 0;
  for (const op of names) {
    for (const kind of kinds) {
      const count = changes.filter((change) => change.op === op && change.kind === kind).length;
      sum += (CHANGE_WEIGHTS.operations[op] * count) / block.elements[kind] / kinds.length;
    }
  }
  return names.length === 0 ? 0 : sum / names.length;
}

function value2012(block: TouchedBlock, changes: readonly ElementChanged[]): number {
  let sum = 0;
  for (const change of changes) {
    if (change.op === 'move' || block.elements[change.kind] === 0) continue;
    sum += (CHANGE_WEIGHTS.operations[change.op] * elementWeight(change)) / block.elements[change.kind];
  }
  return sum;
}

/** I(op, el) of 2012 §7.2; for a text that came or went, its distance to nothing: 1. */
function elementWeight({ op, old, now }: ElementChanged): number {
  if ('text' in old && 'text' in now) return op === 'update' ? textDistance(old.text, now.text) : 1;
  return 'advertisement' in old && 'advertisement' in now ? CHANGE_WEIGHTS.advertisement : 1;
}
