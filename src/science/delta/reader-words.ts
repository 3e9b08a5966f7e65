import type { ChangeOperation } from '../../model/change.ts';
import { pictureSides, wordsOf } from './picture-words.ts';
import type { Places } from './places.ts';

/**
 * A change as a reader would be told of it: what is new, gone, replaced, changed or moved, where on the page, the most
 * important first. Block refs, and blocks that are merely cut or shaped differently, are for programs.
 */
export interface ReaderLine {
  readonly kind: 'new' | 'gone' | 'replaced' | 'changed' | 'moved' | 'link';
  /** Where, in words; for something gone, where it was. */
  readonly place: string;
  /** Where something that moved was before, in words. */
  readonly from?: string;
  /** What it says now; for something gone, what it said. */
  readonly text: string;
  /** What it said before, if it was replaced or changed. */
  readonly before?: string;
  readonly picture: boolean;
  readonly advertisement: boolean;
  /** How much it weighs among the others. */
  readonly rank: number;
  /** Its salience, where known. */
  readonly salience?: number;
}

export interface ReaderReport {
  /** The heaviest first. */
  readonly lines: readonly ReaderLine[];
  /** Texts where only figures changed: counts, times, prices. Heaviest first. */
  readonly figures: readonly ReaderLine[];
  /** Number of blocks with the same content, cut or shaped differently. */
  readonly reshaped: number;
  /** Where unnamed blocks are now that kept their content but moved in the reading order. */
  readonly moved: readonly string[];
}

export function readerReport(all: readonly ChangeOperation[], places: Places): ReaderReport {
  const came = all.flatMap(({ op, new: now = '' }) =>
    op === 'insert' || op === 'update' ? [lettersOf(now)] : [],
  );
  const operations = all.map((operation) => withName(operation, places, came));
  const shapes = operations.filter(isShape);
  const told = operations.filter((operation) => !isShape(operation) && saysSomething(operation));
  const pairs = pairsOf(told);
  const lines: ReaderLine[] = [];
  const done = new Set<ChangeOperation>();
  for (const operation of told) {
    if (done.has(operation) || isCaption(operation, told)) continue;
    const partner = pairs.get(operation);
    done.add(operation);
    if (partner) done.add(partner);
    lines.push(partner ? replaced(operation, partner, places) : lineOf(operation, places));
  }
  const ranked = eachOnce(lines.sort((a, b) => b.rank - a.rank));
  return {
    lines: ranked.filter((line) => !isFigure(line)),
    figures: ranked.filter(isFigure),
    reshaped: shapes.filter(({ op }) => op !== 'move').length,
    moved: shapes.filter(({ op }) => op === 'move').map(({ block }) => places.new(block)),
  };
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Teasers give a headline twice, in a link and beside it: it is listed once. */
function eachOnce(lines: readonly ReaderLine[]): readonly ReaderLine[] {
  const told = new Set<string>();
  return lines.filter(({ kind, place, text, before = '' }) => {
    const key = [kind, place, lettersOf(text), lettersOf(before)].join(' ');
    if (told.has(key)) return false;
    told.add(key);
    return true;
  });
}

/** From this salience on, figures are news: 210 or 310 million, in a lead story. */
const TELLING_FIGURE = 0.05;

const isFigure = ({ kind, text, before, picture, salience = 0 }: ReaderLine): boolean => {
  if (salience >= TELLING_FIGURE || picture || kind !== 'changed' || before === undefined) return false;
  const [old, now] = [before, text].map((side) => side.replace(/[\d.,:\s]+/gu, ' ').trim());
  return old === now;
};

/** A block that was split, merged or reframed, or one that nothing names. */
const isShape = ({ op, element, old, new: now }: ChangeOperation): boolean =>
  element === 'block' && (op === 'update' || (old ?? now ?? '') === '');

/**
 * A delta says that a block moved, and its layout what the block is called. A name that has only just come into the block is
 * not used: a reader who is told that this moved would look for it in the old page.
 */
function withName(operation: ChangeOperation, { named }: Places, came: readonly string[]): ChangeOperation {
  if (operation.element !== 'block' || operation.op !== 'move') return operation;
  const name = named?.(operation.block) ?? '';
  const letters = lettersOf(name);
  if (
    letters === '' ||
    came.some((text) => text !== '' && (text.startsWith(letters) || letters.startsWith(text)))
  )
    return operation;
  return { ...operation, new: name };
}

const saysSomething = (operation: ChangeOperation): boolean => wordsOf(operation) !== '';

/** By salience where it is known. */
const rankOf = ({ salience, weight }: ChangeOperation): number => salience ?? weight;

/** Pairs one thing gone with one new thing of its kind in the same block: it was replaced. */
function pairsOf(operations: readonly ChangeOperation[]): ReadonlyMap<ChangeOperation, ChangeOperation> {
  const byPlace = new Map<string, { came: ChangeOperation[]; went: ChangeOperation[] }>();
  for (const operation of operations) {
    if (operation.op !== 'insert' && operation.op !== 'delete') continue;
    const key = `${operation.element} ${operation.block}`;
    const found = byPlace.get(key) ?? { came: [], went: [] };
    byPlace.set(key, found);
    (operation.op === 'insert' ? found.came : found.went).push(operation);
  }
  const pairs = new Map<ChangeOperation, ChangeOperation>();
  for (const { came, went } of byPlace.values()) {
    const [now, old] = [came[0], went[0]];
    if (came.length !== 1 || went.length !== 1 || !now || !old) continue;
    pairs.set(now, old);
    pairs.set(old, now);
  }
  return pairs;
}

/** A picture that came or went with a link of the same name: the link already says it. */
function isCaption(operation: ChangeOperation, all: readonly ChangeOperation[]): boolean {
  if (operation.element !== 'image') return false;
  const name = wordsOf(operation);
  return all.some(
    (other) =>
      other.element === 'link' &&
      other.op === operation.op &&
      other.block === operation.block &&
      wordsOf(other).includes(name),
  );
}

function replaced(one: ChangeOperation, other: ChangeOperation, places: Places): ReaderLine {
  const [now, old] = one.op === 'insert' ? [one, other] : [other, one];
  return {
    ...lineOf(now, places),
    kind: 'replaced',
    ...(now.element === 'image' ? pictureSides(old, now) : { before: wordsOf(old) }),
    advertisement: isAd(now) && isAd(old),
    rank: rankOf(now) + rankOf(old),
  };
}

const isAd = ({ advertisement }: ChangeOperation): boolean => advertisement === true;
const KINDS = { insert: 'new', delete: 'gone', update: 'changed', move: 'moved' } as const;

function lineOf(operation: ChangeOperation, places: Places): ReaderLine {
  const { op, element, block, old, oldAddress, newAddress } = operation;
  const place = op === 'delete' ? places.old(block) : places.new(block);
  const text = wordsOf(operation);
  const line = {
    place,
    text,
    picture: element === 'image',
    advertisement: isAd(operation),
    rank: rankOf(operation),
    ...(operation.salience !== undefined && { salience: operation.salience }),
  };
  if (op === 'move') {
    const from = operation.from === undefined ? place : places.old(operation.from);
    return { ...line, kind: 'moved', ...(from !== place && { from }) };
  }
  if (op !== 'update') return { ...line, kind: KINDS[op] };
  if (element === 'image') return { ...line, kind: 'changed', ...pictureSides(operation, operation) };
  if (element === 'link' && old === operation.new)
    return { ...line, kind: 'link', text: `${text} (${newAddress ?? ''})`, before: oldAddress ?? '' };
  return { ...line, kind: 'changed', before: old ?? '' };
}

/** Most characters of a text that are quoted. */
const QUOTED = 100;

/** As much of a text as fits on a line; `from` skips its beginning. */
export function quoted(text: string, from = 0): string {
  const begin = from > 0 ? `…${text.slice(from)}` : text;
  return `“${begin.length > QUOTED ? `${begin.slice(0, QUOTED - 1)}…` : begin}”`;
}

/** Where two texts first differ, less some words before that; 0 if that is near the beginning. */
export function firstDifference(old: string, now: string): number {
  let at = 0;
  while (at < old.length && old[at] === now[at]) at++;
  return at < QUOTED / 2 ? 0 : now.lastIndexOf(' ', at - QUOTED / 4) + 1;
}

/** One line as a sentence, without its place: `replaced: “Sun” (was “Rain”)`. */
export function lineText({ kind, text, before, from, picture, advertisement }: ReaderLine): string {
  const what = picture ? `picture ${kind}` : kind === 'link' ? 'link leads elsewhere' : kind;
  const start = kind === 'changed' && before !== undefined ? firstDifference(before, text) : 0;
  const said =
    kind === 'changed' && before ? `${quoted(before, start)} → ${quoted(text, start)}` : quoted(text);
  const was = kind === 'replaced' && before ? ` (was ${quoted(before)})` : '';
  return `${what}: ${said}${was}${from === undefined ? '' : `, from ${from}`}${advertisement ? ' (advertisement)' : ''}`;
}

/** The whole report in one line: what matters most, and how much more there is. */
export function summaryText({ lines, figures, reshaped, moved }: ReaderReport, isPartial = false): string {
  const [first, ...others] = lines;
  if (first) {
    // Without a stored layout, its place is unknown.
    const said = first.place === '' ? lineText(first) : `${first.place}, ${lineText(first)}`;
    return `${said[0]?.toUpperCase()}${said.slice(1)}${others.length > 0 ? `; ${countText(others)}` : ''}`;
  }
  if (figures.length > 0)
    return `Only figures: ${figures.length === 1 ? lineText(figures[0] as ReaderLine) : `${figures.length} counts, times or prices changed`}`;
  if (moved.length > 0) return `Another order: ${movedText(moved)}`;
  if (isPartial) return 'Nothing in the part that was compared.';
  return reshaped > 0
    ? 'Nothing that a reader would notice: the page is laid out a little otherwise.'
    : 'Nothing that a reader would notice.';
}

/** `2 parts of the page stand elsewhere (lead story, main column)`. */
export function movedText(moved: readonly string[]): string {
  const places = [...new Set(moved.filter((place) => place !== ''))].slice(0, MOVED_PLACES);
  const where = places.length === 0 ? '' : ` (${places.join(', ')})`;
  return `${moved.length === 1 ? 'one part of the page stands' : `${moved.length} parts of the page stand`} elsewhere${where}`;
}

/** Most places listed for moved blocks. */
const MOVED_PLACES = 4;

/** `3 more: 2 new, 1 gone`. */
export function countText(lines: readonly ReaderLine[]): string {
  const kinds = (['new', 'gone', 'replaced', 'changed', 'moved', 'link'] as const).flatMap((kind) => {
    const count = lines.filter((line) => line.kind === kind).length;
    return count === 0 ? [] : [`${count} ${kind === 'link' ? 'leading elsewhere' : kind}`];
  });
  return `${lines.length} more: ${kinds.join(', ')}`;
}
