import type { BlockCourse, Change, ChangeOperation } from '../../model/change.ts';
import {
  type BlockContent,
  type Delta,
  isPartial,
  type Operation,
  type PageElement,
  sidesOf,
} from '../../model/delta.ts';
import type { Block } from '../../model/layout.ts';
import { changeImportance } from './change-importance.ts';
import type { ChangeWeights } from './change-weights.ts';

/** Most characters of a text that a catalog keeps: enough to find and show it; the delta has all of it. */
export const KEPT_TEXT = 1000;

/** Separates the texts of a block where they are joined into one. */
export const BLOCK_TEXTS = ' · ';

/**
 * What a catalog keeps of a delta. The versions of both layouts must be times (ISO 8601): RangeError otherwise.
 * The same delta, written and read back, gives the same change: `reindex` depends on it.
 */
export function changeOf(delta: Delta, weights?: ChangeWeights, keptText = KEPT_TEXT): Change {
  const { importance, shares } = changeImportance(delta, weights);
  const { salience } = delta;
  return {
    url: delta.to.url,
    from: timeOf(delta.from.version),
    to: timeOf(delta.to.version),
    importance,
    ...(salience && { salience: salience.value, why: salience.why }),
    ...(isPartial(delta) && { partial: true as const }),
    operations: changeOperations(delta, shares, keptText),
    course: courseOf(delta),
  };
}

/** The most salient first; where salience is unknown, the heaviest. */
export function changeOperations(
  delta: Delta,
  shares: readonly number[],
  keptText = KEPT_TEXT,
): readonly ChangeOperation[] {
  const operations = delta.operations.map((operation, i) => {
    const own = delta.salience?.operations[i];
    return {
      ...operationOf(operation, shares[i] ?? 0, keptText),
      ...(own !== undefined && { salience: own }),
    };
  });
  return operations.sort((a, b) => (b.salience ?? 0) - (a.salience ?? 0) || b.weight - a.weight);
}

function timeOf(version: string): number {
  const time = Date.parse(version);
  if (Number.isNaN(time)) throw new RangeError(`the version '${version}' is no time`);
  return time;
}

function operationOf(operation: Operation, weight: number, kept: number): ChangeOperation {
  const { op, element } = operation;
  if (operation.element === 'block') return blockOperation(operation, weight, kept);
  const { from, to, old, new: now } = sidesOf(operation);
  const both = [old, now].filter((value) => value !== undefined);
  // An element that moved is the same on either side.
  const before = op === 'move' ? undefined : old;
  return {
    op,
    element,
    block: (to ?? from)?.block ?? '',
    weight,
    ...(op === 'move' && from && { from: from.block }),
    ...(before && { old: cut(textOf(before), kept) }),
    ...(now && { new: cut(textOf(now), kept) }),
    ...(before && addressOf(before) !== undefined && { oldAddress: cut(addressOf(before) as string, kept) }),
    ...(now && addressOf(now) !== undefined && { newAddress: cut(addressOf(now) as string, kept) }),
    ...(both.every((value) => 'advertisement' in value) && { advertisement: true as const }),
  };
}

function blockOperation(
  operation: Operation & { readonly element: 'block' },
  weight: number,
  kept: number,
): ChangeOperation {
  const { op, element } = operation;
  if (operation.op === 'insert' || operation.op === 'delete') {
    const { content } = operation;
    const text = cut(contentText(content), kept);
    return {
      op,
      element,
      ...(operation.op === 'insert'
        ? { block: operation.to, weight, new: text }
        : { block: operation.from, weight, old: text }),
      ...(holdsOnlyAds(content) && { advertisement: true as const }),
    };
  }
  if (operation.op === 'move') return { op, element, block: operation.to, weight, from: operation.from };
  const { structure, from, to } = operation;
  const now = structure === 'frame' ? {} : { old: from.join(' '), new: to.join(' ') };
  return { op, element, block: to[0] ?? '', weight, ...now };
}

const cut = (text: string, kept: number): string =>
  text.length > kept ? `${text.slice(0, kept - 1)}…` : text;

const textOf = (value: PageElement): string => ('text' in value ? value.text : value.name);

function addressOf(value: PageElement): string | undefined {
  if ('address' in value) return value.address;
  return 'source' in value ? value.source : undefined;
}

/** Most characters of text beside advertisements that can be their label: "Advertisement". */
const AD_LABEL = 40;

/**
 * Whether a block that came or went holds only advertisements. A text cannot be recognised as one, but a label is no
 * news.
 */
function holdsOnlyAds({ texts, links, images }: BlockContent): boolean {
  const elements = [...links, ...images];
  const words = texts.reduce((sum, { value }) => sum + value.text.length, 0);
  return elements.length > 0 && words <= AD_LABEL && elements.every(({ value }) => 'advertisement' in value);
}

/** Fewest words in a link that is a headline: "Read more" is none. */
const HEADLINE_WORDS = 3;

const isHeadline = (name: string): boolean => name.split(' ').length >= HEADLINE_WORDS;

/** The block's texts, best name first: for a teaser its headline, which is a link, and not its first sentence. */
function contentText({ texts, links, images }: BlockContent): string {
  const names = links.map(({ value }) => value.name);
  const parts = [
    ...names.filter(isHeadline),
    ...texts.map(({ value }) => value.text),
    ...names.filter((name) => !isHeadline(name)),
    ...images.map(({ value }) => value.name),
  ];
  return parts.filter((part) => part !== '').join(BLOCK_TEXTS);
}

/** One name for some blocks: the first headline, else the first text, else whatever there is; '' if there is nothing. */
export function headlineOf(blocks: readonly Pick<Block, 'links' | 'texts' | 'images'>[]): string {
  const names = blocks.flatMap(({ links }) => links.map(({ name }) => name));
  const texts = blocks.flatMap(({ texts: own }) => own.map(({ text }) => text));
  const pictures = blocks.flatMap(({ images }) => images.map(({ name }) => name));
  const headline = names.find(isHeadline) ?? texts.find(isHeadline);
  return cut(headline ?? [...texts, ...names, ...pictures].find((part) => part !== '') ?? '', KEPT_TEXT);
}

/** Which blocks changed, and under which ref each is now known. */
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
