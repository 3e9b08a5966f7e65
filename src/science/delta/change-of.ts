import type { BlockCourse, Change, ChangeOperation } from '../../model/change.ts';
import {
  type BlockContent,
  type Delta,
  isPartial,
  type Operation,
  type PageElement,
  sidesOf,
} from '../../model/delta.ts';
import { changeImportance } from './change-importance.ts';
import type { ChangeWeights } from './change-weights.ts';

/** Characters of a text that a catalog keeps: enough to find and to show it; the delta has it whole. */
const KEPT_TEXT = 1000;

/**
 * What a catalog keeps of a delta. The versions of both layouts must be times (ISO 8601): RangeError otherwise.
 * The same delta, written and read back, gives the same change: `reindex` depends on it.
 */
export function changeOf(delta: Delta, weights?: ChangeWeights): Change {
  const { importance, shares } = changeImportance(delta, weights);
  const operations = delta.operations.map((operation, i) => operationOf(operation, shares[i] ?? 0));
  return {
    url: delta.to.url,
    from: timeOf(delta.from.version),
    to: timeOf(delta.to.version),
    importance,
    ...(isPartial(delta) && { partial: true as const }),
    operations: operations.sort((a, b) => b.weight - a.weight),
    course: courseOf(delta),
  };
}

function timeOf(version: string): number {
  const time = Date.parse(version);
  if (Number.isNaN(time)) throw new RangeError(`the version '${version}' is no time`);
  return time;
}

function operationOf(operation: Operation, weight: number): ChangeOperation {
  const { op, element } = operation;
  if (operation.element === 'block') return blockOperation(operation, weight);
  const { from, to, old, new: now } = sidesOf(operation);
  const both = [old, now].filter((value) => value !== undefined);
  // One that moved is the same on either side.
  const before = op === 'move' ? undefined : old;
  return {
    op,
    element,
    block: (to ?? from)?.block ?? '',
    weight,
    ...(before && { old: textOf(before) }),
    ...(now && { new: textOf(now) }),
    ...(before && addressOf(before) !== undefined && { oldAddress: addressOf(before) as string }),
    ...(now && addressOf(now) !== undefined && { newAddress: addressOf(now) as string }),
    ...(both.every((value) => 'advertisement' in value) && { advertisement: true as const }),
  };
}

function blockOperation(
  operation: Operation & { readonly element: 'block' },
  weight: number,
): ChangeOperation {
  const { op, element } = operation;
  if (operation.op === 'insert')
    return { op, element, block: operation.to, weight, new: contentText(operation.content) };
  if (operation.op === 'delete')
    return { op, element, block: operation.from, weight, old: contentText(operation.content) };
  if (operation.op === 'move') return { op, element, block: operation.to, weight };
  const { structure, from, to } = operation;
  const now = structure === 'frame' ? {} : { old: from.join(' '), new: to.join(' ') };
  return { op, element, block: to[0] ?? '', weight, ...now };
}

const cut = (text: string): string => (text.length > KEPT_TEXT ? `${text.slice(0, KEPT_TEXT - 1)}…` : text);

const textOf = (value: PageElement): string => cut('text' in value ? value.text : value.name);

function addressOf(value: PageElement): string | undefined {
  if ('address' in value) return cut(value.address);
  return 'source' in value ? cut(value.source) : undefined;
}

function contentText({ texts, links, images }: BlockContent): string {
  const parts = [
    ...texts.map(({ value }) => value.text),
    ...links.map(({ value }) => value.name),
    ...images.map(({ value }) => value.name),
  ];
  return cut(parts.filter((part) => part !== '').join(' · '));
}

/** Which blocks changed, and under which ref each is known now. */
export function courseOf(delta: Delta): BlockCourse {
  const changed = new Set<string>();
  for (const { to } of delta.touched) for (const ref of to) changed.add(ref);
  const renamed: (readonly [string, string])[] = [];
  const came: string[] = [];
  const went: string[] = [];
  for (const { old, new: now } of delta.ledger.frames) {
    if (!old) came.push(now.ref);
    else if (!now) went.push(old.ref);
    else if (old.ref !== now.ref) renamed.push([old.ref, now.ref]);
  }
  return { changed: [...changed], renamed, came, went };
}
