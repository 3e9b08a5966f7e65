/**
 * Edits as editors make them, in the HTML of a page: where one can be made, chosen by a seed, and what it writes. What a
 * reader should be told about each is determined separately (truth.ts).
 */
import type { LinkElement } from '../../model/layout.ts';
import type { Random } from '../newspaper/random.ts';
import { newText, newWord, plainWords } from './new-words.ts';
import type { VisibleElement } from './shown-elements.ts';
import {
  attributeSpans,
  inside,
  type SourceElement,
  type SourceHtml,
  type Splice,
  written,
} from './source-html.ts';
import { type PageStory, storiesOf } from './stories.ts';

export const SINGLE_EDITS = [
  'word',
  'text',
  'link address',
  'link text',
  'picture source',
  'story inserted',
  'story deleted',
  'story moved',
  'stories swapped',
] as const;
export type SingleEdit = (typeof SINGLE_EDITS)[number];
export type EditKind = SingleEdit | 'five at once';

export interface Edit {
  readonly splices: readonly Splice[];
  /** Marks of elements that were put elsewhere. */
  readonly moved: readonly number[];
}

/** A page as it is, and where its elements are. */
export interface EditablePage {
  readonly source: SourceHtml;
  readonly shown: readonly VisibleElement[];
  readonly random: Random;
}

/** Undefined if the page has no place for it. */
export function makeEdit(kind: EditKind, page: EditablePage): Edit | undefined {
  return kind === 'five at once' ? fiveAtOnce(page) : MAKERS[kind](page);
}

const MAKERS: Readonly<Record<SingleEdit, (page: EditablePage) => Edit | undefined>> = {
  word: editWord,
  text: editText,
  'link address': editAddress,
  'link text': editLinkText,
  'picture source': editPicture,
  'story inserted': insertStory,
  'story deleted': deleteStory,
  'story moved': moveStory,
  'stories swapped': swapStories,
};

/** Attempts at making five edits that do not overlap. */
const ATTEMPTS = 40;

function fiveAtOnce(page: EditablePage): Edit | undefined {
  const splices: Splice[] = [];
  const moved: number[] = [];
  let made = 0;
  for (let i = 0; i < ATTEMPTS && made < 5; i++) {
    const edit = MAKERS[page.random.pick(SINGLE_EDITS)](page);
    if (!edit || edit.splices.some((one) => splices.some((other) => touches(one, other)))) continue;
    splices.push(...edit.splices);
    moved.push(...edit.moved);
    made++;
  }
  return made === 5 ? { splices, moved } : undefined;
}

/** Includes splices at the same place: which of the two is written first would be undefined. */
const touches = (a: Splice, b: Splice): boolean => a.start <= b.end && b.start <= a.end;

const only = (splices: readonly Splice[]): Edit => ({ splices, moved: [] });

const elementOf = ({ source }: EditablePage, { mark }: VisibleElement): SourceElement | undefined =>
  source.elements[mark];

/** Texts of the source that are in a layout element verbatim, each in one place. */
function writtenTexts(page: EditablePage, one: VisibleElement, said: string) {
  const element = elementOf(page, one);
  if (!element) return [];
  const own = one.kind === 'link' ? inside(page.source, element) : [element];
  return own
    .flatMap(({ texts }) => texts)
    .map((span) => ({ ...span, raw: page.source.text.slice(span.start, span.end) }))
    .filter(({ raw }) => raw.trim() !== '' && said.includes(raw.replace(/\s+/gu, ' ').trim()));
}

/** A text of at least this many words is still the same text with one of them changed. */
const FEWEST_WORDS = 4;

const saidBy = ({ value }: VisibleElement): string => ('text' in value ? value.text : value.name);

function editWord(page: EditablePage): Edit | undefined {
  const places = page.shown
    .filter((one) => one.kind !== 'image' && saidBy(one).split(' ').length >= FEWEST_WORDS)
    .flatMap((one) => writtenTexts(page, one, saidBy(one)))
    .flatMap(({ start, raw }) => plainWords(raw).map(({ word, at }) => ({ start: start + at, word })));
  if (places.length === 0) return undefined;
  const { start, word } = page.random.pick(places);
  return only([{ start, end: start + word.length, text: newWord(page.random, word) }]);
}

function editText(page: EditablePage): Edit | undefined {
  const places = page.shown
    .filter((one) => one.kind === 'text')
    .flatMap((one) =>
      writtenTexts(page, one, saidBy(one)).filter(({ raw }) => raw.trim().length >= 0.8 * saidBy(one).length),
    )
    .filter(({ raw }) => plainWords(raw).length >= 2);
  if (places.length === 0) return undefined;
  const { start, end, raw } = page.random.pick(places);
  return only([{ start, end, text: newText(page.random, raw) }]);
}

const attribute = (page: EditablePage, element: SourceElement, name: string) =>
  attributeSpans(page.source, element).find((one) => one.name === name);

const newAddress = (random: Random): string =>
  `https://stories.invalid/${newWord(random, 'something')}-${random.int(1e6)}`;

function editAddress(page: EditablePage): Edit | undefined {
  const places = page.shown.flatMap((one) => {
    const element = one.kind === 'link' && saidBy(one) !== '' ? elementOf(page, one) : undefined;
    const href = element && attribute(page, element, 'href');
    return href ? [href.span] : [];
  });
  if (places.length === 0) return undefined;
  return only([{ ...page.random.pick(places), text: newAddress(page.random) }]);
}

function editLinkText(page: EditablePage): Edit | undefined {
  const places = page.shown
    .filter((one) => one.kind === 'link' && (one.value as LinkElement).address !== '')
    .flatMap((one) => {
      const texts = writtenTexts(page, one, saidBy(one)).filter(({ raw }) => plainWords(raw).length >= 1);
      return texts.length === 0 ? [] : [texts];
    });
  if (places.length === 0) return undefined;
  const texts = page.random.pick(places);
  return only(texts.map(({ start, end, raw }) => ({ start, end, text: newText(page.random, raw) })));
}

/** Attributes that say where a picture is, or where it will be once a script has loaded it. */
const CANDIDATE = /^(?:src|srcset|poster|data-[\w-]*(?:src|srcset|lazy|original|image|img|url)[\w-]*)$/u;
const ADDRESS = /^(?!data:)[^\s{}[\]]+\.(?:jpe?g|png|gif|webp|avif|svg)\b/iu;

/** Sources that at least this many tags of the page name are placeholders for pictures to come. */
const SHARED = 3;

function editPicture(page: EditablePage): Edit | undefined {
  const { source } = page;
  const places = page.shown.flatMap((one) => {
    const element = one.kind === 'image' ? elementOf(page, one) : undefined;
    if (element?.tag !== 'img') return [];
    const around = source.elements[element.parent];
    const tags = around?.tag === 'picture' ? inside(source, around) : [element];
    const candidates = tags
      .flatMap((tag) => attributeSpans(source, tag))
      .filter(({ name, value }) => CANDIDATE.test(name) && ADDRESS.test(value));
    const own = candidates.filter(({ value }) => tagsNaming(source, value) < SHARED);
    return own.length === 0 ? [] : [own];
  });
  if (places.length === 0) return undefined;
  const n = page.random.int(1e6);
  return only(page.random.pick(places).map(({ span, value }) => ({ ...span, text: otherPicture(value, n) })));
}

const tagsNaming = ({ elements }: SourceHtml, address: string): number =>
  elements.filter(({ tag, attributes }) => tag === 'img' && Object.values(attributes).includes(address))
    .length;

/** Another address, under which a set of saved pages still finds a picture of the same size. */
const otherPicture = (value: string, n: number): string =>
  value
    .split(/,\s+/u)
    .map((candidate) =>
      candidate.replace(/^(\S+)/u, (url) => `${url}${url.includes('?') ? '&amp;' : '?'}picture=${n}`),
    )
    .join(', ');

const NEW_MARKS = 1_000_000;

function insertStory(page: EditablePage): Edit | undefined {
  const { source, random } = page;
  const list = pickList(page);
  if (!list) return undefined;
  const model = random.pick(list).element;
  const place = random.pick(list).element.end;
  const splices = inside(source, model).flatMap((element) => renewed(page, element));
  const base = NEW_MARKS * (1 + random.int(1000));
  return only([{ start: place, end: place, text: written(source, model, splices, (mark) => base + mark) }]);
}

/** In bytes, for words such as "Read more". */
const LONGEST_LABEL = 24;

/** Everything in a copy is new except for the words that the page repeats everywhere. */
function renewed({ source, random }: EditablePage, element: SourceElement): Splice[] {
  const n = random.int(1e6);
  const attributes = attributeSpans(source, element).flatMap(({ name, value, span }): Splice[] => {
    if (name === 'href') return [{ ...span, text: newAddress(random) }];
    if (name === 'alt' || name === 'title' || name === 'aria-label')
      return [{ ...span, text: newText(random, value) }];
    return CANDIDATE.test(name) && ADDRESS.test(value) ? [{ ...span, text: otherPicture(value, n) }] : [];
  });
  const texts = element.texts.flatMap(({ start, end }): Splice[] => {
    const raw = source.text.slice(start, end);
    const label = raw.trim().length <= LONGEST_LABEL && source.text.split(`>${raw}<`).length - 1 >= SHARED;
    return raw.trim() === '' || label ? [] : [{ start, end, text: newText(random, raw) }];
  });
  return [...attributes, ...texts];
}

function deleteStory(page: EditablePage): Edit | undefined {
  const list = pickList(page);
  if (!list) return undefined;
  const { start, end } = page.random.pick(list).element;
  return only([{ start, end, text: '' }]);
}

function pickList(page: EditablePage): readonly PageStory[] | undefined {
  const lists = storiesOf(page);
  return lists.length === 0 ? undefined : page.random.pick(lists);
}

function moveStory(page: EditablePage): Edit | undefined {
  const pair = storiesApart(page);
  if (!pair) return undefined;
  const [{ element: from }, { element: to }] = pair;
  const { source } = page;
  return {
    splices: [
      { start: from.start, end: from.end, text: '' },
      { start: to.end, end: to.end, text: written(source, from) },
    ],
    moved: inside(source, from).map(({ mark }) => mark),
  };
}

function swapStories(page: EditablePage): Edit | undefined {
  const pair = storiesApart(page);
  if (!pair) return undefined;
  const [{ element: a }, { element: b }] = pair;
  const { source } = page;
  return {
    splices: [
      { start: a.start, end: a.end, text: written(source, b) },
      { start: b.start, end: b.end, text: written(source, a) },
    ],
    moved: [a, b].flatMap((one) => inside(source, one).map(({ mark }) => mark)),
  };
}

/** Leaves between two stories: of neighbours, either could be said to have moved. */
const APART = 3;

/** Two stories in different blocks, written with the same tag. */
function storiesApart(page: EditablePage): readonly [PageStory, PageStory] | undefined {
  const all = storiesOf(page).flat();
  const pairs = page.random
    .sample(all, 30)
    .flatMap((a) =>
      all
        .filter((b) => b.element.tag === a.element.tag && Math.abs(b.leaf - a.leaf) >= APART)
        .map((b) => [a, b] as const),
    );
  return pairs.length === 0 ? undefined : page.random.pick(pairs);
}
