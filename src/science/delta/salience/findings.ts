import {
  type Delta,
  type ElementKind,
  type ElementOperation,
  type Operation,
  type PageElement,
  type Place,
  sidesOf,
} from '../../../model/delta.ts';
import type { Layout } from '../../../model/layout.ts';
import { leavesIn } from '../../layout/segment-leaves.ts';
import { ReaderView } from './attention.ts';
import type { Finding, FindingKind } from './finding.ts';
import { HEADLINE_WORDS } from './front.ts';
import { type KnownText, knownOn, readWords } from './known-text.ts';
import { HEADLINE_TYPE } from './stories.ts';
import type { ToldWord } from './told-words.ts';
import { turnsByItself } from './volatile-text.ts';

/** What is known about the page besides the two versions. */
export interface PagePast {
  /** Texts that the page showed in the last few days. */
  readonly told?: readonly string[];
  /** Share of visits at which a block had changed, by its ref in the old and in the new layout. */
  readonly changeShares?: {
    readonly old: (ref: string) => number | undefined;
    readonly new: (ref: string) => number | undefined;
  };
}

export interface ChangedPage {
  readonly old: Layout;
  readonly new: Layout;
  readonly delta: Delta;
  readonly past?: PagePast;
}

/** One element, on the sides where it exists. */
interface Seen {
  readonly operation: number;
  readonly element: ElementKind;
  readonly op: Operation['op'];
  readonly from?: Place;
  readonly to?: Place;
  readonly old?: PageElement;
  readonly new?: PageElement;
}

/** Untold content is news from this share of a text, or from the worth of one name or figure. */
const NEWS = { share: 0.3, worth: 1 } as const;

/** All changes, in the order in which readers meet them. */
export function findingsOf(page: ChangedPage): Finding[] {
  const looked = new Comparison(page);
  const seen = page.delta.operations.flatMap((operation, i) => seenIn(operation, i));
  const shapes = page.delta.operations.flatMap((operation, i) => looked.shape(operation, i));
  const placed = seen.map((one) => ({ one, ...looked.place(one) }));
  placed.sort((a, b) => a.look.depth - b.look.depth || b.look.type - a.look.type);
  return [...placed.map(({ one, look }) => looked.finding(one, look)), ...shapes];
}

/** The elements that an operation adds, removes or changes. */
function seenIn(operation: Operation, index: number): Seen[] {
  const { op } = operation;
  if (operation.element !== 'block')
    return [{ operation: index, element: operation.element, op, ...sidesOf(operation as ElementOperation) }];
  if (operation.op !== 'insert' && operation.op !== 'delete') return [];
  const { links, images, texts } = operation.content;
  const all: [ElementKind, readonly { readonly index: number; readonly value: PageElement }[]][] = [
    ['link', links],
    ['image', images],
    ['text', texts],
  ];
  return all.flatMap(([element, list]) =>
    list.map(({ index: at, value }): Seen => {
      const head = { operation: index, element, op };
      return operation.op === 'insert'
        ? { ...head, to: { block: operation.to, index: at }, new: value }
        : { ...head, from: { block: operation.from, index: at }, old: value };
    }),
  );
}

/** Both versions, with the texts that each of them told. */
class Comparison {
  readonly #views: { readonly old: ReaderView; readonly new: ReaderView };
  /** What a reader of the old version had already read, and what a reader of the new one still reads. */
  readonly #known: { readonly old: KnownText; readonly new: KnownText };
  readonly #pictures: { readonly old: ReadonlySet<string>; readonly new: ReadonlySet<string> };
  readonly #past: PagePast;

  constructor({ old, new: now, past = {} }: ChangedPage) {
    this.#views = { old: new ReaderView(old), new: new ReaderView(now) };
    this.#known = { old: knownOn(old, past.told), new: knownOn(now) };
    this.#pictures = { old: picturesOn(old), new: picturesOn(now) };
    this.#past = past;
  }

  /** For a move, the place that more readers look at. */
  place({ element, from, to }: Seen): { look: Finding['look'] } {
    const was = from && this.#views.old.look(from.block, element, from.index);
    const is = to && this.#views.new.look(to.block, element, to.index);
    if (was && is)
      return {
        look: {
          ...(is.depth <= was.depth ? is : was),
          isLead: is.isLead || was.isLead,
          ...((is.isLeadHeadline || was.isLeadHeadline) && { isLeadHeadline: true as const }),
        },
      };
    return { look: (is ?? was) as Finding['look'] };
  }

  finding(seen: Seen, look: Finding['look']): Finding {
    const { operation, old, new: now } = seen;
    const head = {
      operation,
      look,
      isGone: now === undefined,
      ...(old && { old: textOf(old) }),
      ...(now && { new: textOf(now) }),
      ...whereOf(seen),
    };
    const both = [old, now].filter((value) => value !== undefined);
    if (both.every((value) => 'advertisement' in value)) return { ...head, kind: 'advertisement', untold: 1 };
    if (seen.op === 'move') return { ...head, kind: 'order', untold: 1 };
    if (seen.element === 'image') return { ...head, kind: this.#pictureKind(seen), untold: 1 };
    return { ...head, ...this.#told(seen, look) };
  }

  shape(operation: Operation, index: number): Finding[] {
    if (operation.element !== 'block' || operation.op === 'insert' || operation.op === 'delete') return [];
    const ref = [operation.to].flat()[0] ?? '';
    const look = this.#views.new.look(ref, 'text', 0);
    const kind = operation.op === 'move' ? 'order' : 'shape';
    return [{ operation: index, kind, look, untold: 1, isGone: false }];
  }

  #pictureKind({ old, new: now }: Seen): FindingKind {
    const isNew = now !== undefined && !this.#pictures.old.has(pictureKey(now));
    const isGone = old !== undefined && !this.#pictures.new.has(pictureKey(old));
    return isNew || isGone ? 'picture' : 'order';
  }

  #told(
    { op, element, from, to, old, new: now }: Seen,
    look: Finding['look'],
  ): { kind: FindingKind; untold: number } {
    const [before, after] = [old ? readWords(textOf(old)) : [], now ? readWords(textOf(now)) : []];
    const share =
      (to && this.#past.changeShares?.new(to.block)) ?? (from && this.#past.changeShares?.old(from.block));
    const length = Math.max(before.length, after.length);
    if (length === 0 || turnsByItself(length, share)) return { kind: 'volatile', untold: 1 };
    const [gone, news] = [this.#known.new.untold(before, after), this.#known.old.untold(after, before)];
    this.#known.new.add(before);
    this.#known.old.add(after);
    const untold = Math.max(gone, news);
    if (op === 'update') {
      if (isRankOnly(before, after)) return { kind: 'order', untold: 1 };
      if (sameWords(before, after))
        return sameAddress(old, now) ? { kind: 'volatile', untold: 1 } : { kind: 'address', untold: 1 };
    }
    const all = Math.max(worthOf(before), worthOf(after));
    if (op !== 'update' && untold < Math.min(NEWS.worth, NEWS.share * all))
      return { kind: 'order', untold: 1 };
    if (op === 'update' && look.isLeadHeadline && turnsHeadline(before, after, untold))
      return { kind: 'lead', untold: Math.max(untold, TURNED_HEADLINE) };
    if (look.isLead) return { kind: 'lead', untold };
    const isHeadline = look.type >= HEADLINE_TYPE || (element === 'link' && length >= HEADLINE_WORDS);
    if (op === 'update') return { kind: isHeadline ? 'headline' : 'wording', untold };
    return { kind: isHeadline ? 'story' : 'teaser', untold };
  }
}

/**
 * The headline of the lead says what the page is about: "wins" in place of "loses" reverses it, though it is one word of many. So a
 * headline counts as news with at least this worth, in words, if a real word changed and not merely a spelling.
 */
const TURNED_HEADLINE = 2.5;
/** In words' worth: one plain word that the page has used elsewhere, and more than two spellings. */
const OTHER_WORD = 0.4;

const turnsHeadline = (before: readonly ToldWord[], after: readonly ToldWord[], untold: number): boolean =>
  untold >= OTHER_WORD || isDenied(before) !== isDenied(after);

/** "not" is a function word like others, but reverses the meaning. */
const isDenied = (words: readonly ToldWord[]): boolean => words.some(({ key }) => DENIALS.has(key));
const DENIALS = new Set(
  (
    'not no never without nicht kein keine keinen keinem keiner nie niemals ohne ne pas non jamais aucun aucune sans ' +
    'nunca jamás ningún ninguna sin'
  ).split(' '),
);

function whereOf({
  element,
  from,
  to,
  old,
  new: now,
}: Seen): Pick<Finding, 'element' | 'block' | 'addresses'> {
  const addresses = {
    ...(old && 'address' in old && { old: old.address }),
    ...(now && 'address' in now && { new: now.address }),
  };
  const block = (to ?? from)?.block;
  return { element, ...(block !== undefined && { block }), ...(element === 'link' && { addresses }) };
}

const textOf = (value: PageElement): string => ('text' in value ? value.text : value.name);

const worthOf = (words: readonly ToldWord[]): number => words.reduce((sum, { worth }) => sum + worth, 0);

const sameWords = (a: readonly ToldWord[], b: readonly ToldWord[]): boolean =>
  a.length === b.length && a.every(({ key }, i) => key === b[i]?.key);

/** "3 A bridge" → "4 A bridge": the rank in a list of the most read. */
const isRankOnly = ([a, ...before]: readonly ToldWord[], [b, ...after]: readonly ToldWord[]): boolean =>
  a !== undefined &&
  b !== undefined &&
  before.length > 0 &&
  /^\d{1,3}$/u.test(a.key) &&
  /^\d{1,3}$/u.test(b.key) &&
  sameWords(before, after);

const sameAddress = (old: PageElement | undefined, now: PageElement | undefined): boolean =>
  (old && 'address' in old ? old.address : '') === (now && 'address' in now ? now.address : '');

const pictureKey = (value: PageElement): string =>
  'source' in value ? (value.digest ?? value.source) : value.id;

const picturesOn = ({ root }: Layout): ReadonlySet<string> =>
  new Set(leavesIn(root, ({ blocks }) => blocks).flatMap(({ images }) => images.map(pictureKey)));
