/**
 * What a reader should be told about an edit, and what a delta reports, in one form: operations on elements. The truth
 * comes from the marks of the HTML elements alone, never from what the comparison considers equal.
 */
import { type Delta, ELEMENT_KINDS, type ElementKind, type PageElement, sidesOf } from '../../model/delta.ts';
import type { Block, Layout } from '../../model/layout.ts';
import { SAME_TEXT, textDistance } from '../../science/delta/vi-diff/text-distance.ts';
import { leavesIn } from '../../science/layout/segment-leaves.ts';
import { listOf, type VisibleElement } from './shown-elements.ts';

/**
 * Moves of copies of one label ("Read more") are not reported, and nobody could say which one moved: such moves count on
 * neither side.
 */
export function withoutLabelMoves(
  operations: readonly ToldOperation[],
  { olds, news }: Pick<VersionElements, 'olds' | 'news'>,
): ToldOperation[] {
  const [before, after] = [copies(olds), copies(news)];
  const isLabel = ({ op, kind, new: now }: ToldOperation): boolean =>
    op === 'move' &&
    now !== undefined &&
    Math.min(before.get(`${kind} ${now.id}`) ?? 0, after.get(`${kind} ${now.id}`) ?? 0) > 1;
  return operations.filter((one) => !isLabel(one));
}

function copies(shown: readonly VisibleElement[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, value } of shown)
    counts.set(`${kind} ${value.id}`, (counts.get(`${kind} ${value.id}`) ?? 0) + 1);
  return counts;
}

/** Elements are distinguished by their content: of two equal ones, either may be meant. */
export interface ToldOperation {
  readonly op: 'insert' | 'delete' | 'update' | 'move';
  readonly kind: ElementKind;
  readonly old?: PageElement;
  readonly new?: PageElement;
  /** An update whose old and new have nothing visible in common: reporting a delete and an insert is right as well. */
  readonly loose?: true;
}

export interface VersionElements {
  readonly olds: readonly VisibleElement[];
  readonly news: readonly VisibleElement[];
  /** Marks of elements that the edit moved. */
  readonly moved: ReadonlySet<number>;
}

export function expectedOperations({ olds, news, moved }: VersionElements): ToldOperation[] {
  const before = new Map(olds.map((one) => [one.key, one]));
  const after = new Set(news.map(({ key }) => key));
  const home = homeOf(before, news, moved);
  const expected: ToldOperation[] = [];
  for (const { key, kind, value } of olds)
    if (!after.has(key)) expected.push({ op: 'delete', kind, old: value });
  for (const now of news) {
    const old = before.get(now.key);
    if (!old) expected.push({ op: 'insert', kind: now.kind, new: now.value });
    else if (old.value.id !== now.value.id) expected.push(...changed(old, now));
    else if (moved.has(now.mark) && home.get(now.leaf) !== old.leaf)
      expected.push({ op: 'move', kind: now.kind, old: old.value, new: now.value });
  }
  return joinedTexts(withoutEqual(expected));
}

/** Cancels deletes and inserts of the same content, copies of a label: nobody could tell them apart. */
function withoutEqual(expected: readonly ToldOperation[]): ToldOperation[] {
  const gone = new Map<string, ToldOperation[]>();
  for (const one of expected)
    if (one.op === 'delete') gone.set(idOf(one), [...(gone.get(idOf(one)) ?? []), one]);
  const cancelled = new Set<ToldOperation>();
  for (const one of expected) {
    const other = one.op === 'insert' ? gone.get(idOf(one))?.pop() : undefined;
    if (other) cancelled.add(one).add(other);
  }
  return expected.filter((one) => !cancelled.has(one));
}

/**
 * A text deleted and one inserted in the same leaf with enough words in common are one changed text, by the
 * specification.
 */
function joinedTexts(expected: readonly ToldOperation[]): ToldOperation[] {
  const rest = [...expected];
  for (const gone of expected) {
    if (gone.op !== 'delete' || !gone.old || !('text' in gone.old)) continue;
    const { text } = gone.old;
    const came = rest.find(
      (one) =>
        one.op === 'insert' && one.new && 'text' in one.new && textDistance(text, one.new.text) <= SAME_TEXT,
    );
    if (!came?.new) continue;
    rest.splice(rest.indexOf(came), 1);
    rest.splice(rest.indexOf(gone), 1, { op: 'update', kind: 'text', old: gone.old, new: came.new });
  }
  return rest;
}

const idOf = ({ kind, old, new: now }: ToldOperation): string => `${kind} ${(old ?? now)?.id}`;

function changed({ kind, value: old }: VisibleElement, { value: now }: VisibleElement): ToldOperation[] {
  const apart = (): ToldOperation[] => [
    { op: 'delete', kind, old },
    { op: 'insert', kind, new: now },
  ];
  if ('text' in old && 'text' in now) {
    return textDistance(old.text, now.text) <= SAME_TEXT ? [{ op: 'update', kind, old, new: now }] : apart();
  }
  const named = 'name' in old && 'name' in now && old.name !== '' && old.name === now.name;
  const led = 'address' in old && 'address' in now && old.address === now.address;
  return [{ op: 'update', kind, old, new: now, ...(named || led ? {} : { loose: true as const }) }];
}

/** For each new leaf, the old one that most of its elements come from, ignoring moved elements. */
function homeOf(
  before: ReadonlyMap<string, VisibleElement>,
  news: readonly VisibleElement[],
  moved: ReadonlySet<number>,
): ReadonlyMap<string, string> {
  const votes = new Map<string, Map<string, number>>();
  for (const { key, leaf, mark } of news) {
    const from = moved.has(mark) ? undefined : before.get(key)?.leaf;
    if (from === undefined) continue;
    const own = votes.get(leaf) ?? new Map<string, number>();
    votes.set(leaf, own.set(from, (own.get(from) ?? 0) + 1));
  }
  return new Map(
    [...votes].map(([leaf, own]) => [leaf, ([...own].sort((a, b) => b[1] - a[1])[0] as [string, number])[0]]),
  );
}

export interface ToldDelta {
  readonly operations: readonly ToldOperation[];
  /** Splits, merges, other frames: no edit of content is one. */
  readonly structure: number;
}

/** The operations of a delta; those on blocks as operations on the blocks' content. */
export function toldOperations(delta: Delta, old: Layout, now: Layout): ToldDelta {
  const operations: ToldOperation[] = [];
  let structure = 0;
  const [olds, news] = [byRef(old), byRef(now)];
  for (const operation of delta.operations) {
    if (operation.element !== 'block') {
      const { old: was, new: is } = sidesOf(operation);
      operations.push({
        op: operation.op,
        kind: operation.element,
        ...(was ? { old: was } : {}),
        ...(is ? { new: is } : {}),
      });
    } else if (operation.op === 'update') structure++;
    else if (operation.op === 'move') {
      operations.push(...movedWith(olds.get(operation.from) as Block, news.get(operation.to) as Block));
    } else {
      const { op, content } = operation;
      for (const kind of ELEMENT_KINDS) {
        for (const { value } of content[`${kind}s`]) {
          operations.push(op === 'insert' ? { op, kind, new: value } : { op, kind, old: value });
        }
      }
    }
  }
  return { operations, structure };
}

const byRef = (layout: Layout): Map<string, Block> =>
  new Map(leavesIn(layout.root, ({ blocks }) => blocks).map((block) => [block.ref, block]));

/** The content of a block before and after it moved. */
function movedWith(old: Block, now: Block): ToldOperation[] {
  return ELEMENT_KINDS.flatMap((kind) => {
    const left = [...listOf(now, kind)];
    return listOf(old, kind).flatMap((value): ToldOperation[] => {
      const at = left.findIndex(({ id }) => id === value.id);
      if (at < 0) return [];
      const [is] = left.splice(at, 1) as [PageElement];
      return [{ op: 'move', kind, old: value, new: is }];
    });
  });
}
