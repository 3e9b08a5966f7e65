import type { Block, Layout } from '../../model/layout.ts';
import type { Passage, PassageKind } from '../../model/passage.ts';
import { headlinesOf, nameWithoutRank } from '../layout/headlines.ts';
import { placeWords } from '../layout/place-words.ts';
import { withKicker } from '../layout/quoted-link.ts';
import { leavesIn } from '../layout/segment-leaves.ts';
import { readTypeSizes } from '../layout/type-sizes.ts';

/** What a hit there is worth: a headline more than a footer. Chosen by hand. */
const WORTH: Readonly<Record<PassageKind, number>> = {
  title: 1,
  headline: 0.9,
  lead: 0.8,
  body: 0.6,
  aside: 0.35,
  navigation: 0.2,
  footer: 0.15,
};
/**
 * A line is a headline from this type size on, relative to that of most of the page's text; and up to this many characters. A link is
 * one too where the headlines of a span have it: sites set titles of stories in any size.
 */
const HEADLINE = { size: 1.25, characters: 200 } as const;
/** Largest number of characters kept of a passage. */
const LONGEST = 20_000;

/**
 * What a page says, passage by passage: each text and each link as a reader sees it, with the kind of place it is in.
 * Navigation is one passage per block: nobody searches for "Home" and wants a thousand links. Advertisements are left out.
 */
export function passagesOf(layout: Layout): Passage[] {
  const place = placeWords(layout);
  const leaves = leavesIn(layout.root, ({ blocks }) => blocks);
  const headlines = new Set([...headlinesOf(layout)].map(({ link }) => link));
  const nameOf = nameWithoutRank(layout);
  const usual = usualSize(leaves);
  const found = new Map<string, Passage>();
  const add = (text: string, kind: PassageKind): void => {
    const kept = text.trim().slice(0, LONGEST);
    const before = found.get(kept);
    if (kept !== '' && (before === undefined || before.weight < WORTH[kind]))
      found.set(kept, { text: kept, kind, weight: WORTH[kind] });
  };
  add(layout.title, 'title');
  for (const leaf of leaves) {
    const kind = kindOf(place(leaf.ref));
    const links = leaf.links.filter(({ advertisement }) => !advertisement);
    if (kind === 'navigation' || kind === 'footer') {
      add(links.map(({ name }) => name).join(' · '), kind);
      for (const { text } of leaf.texts) add(text, kind);
      continue;
    }
    const sizes = readTypeSizes(leaf.typeSizes);
    const kindAt = (text: string, at: number): PassageKind =>
      text.length <= HEADLINE.characters && (sizes[at] ?? 0) >= HEADLINE.size * usual ? 'headline' : kind;
    leaf.links.forEach((link, i) => {
      if (link.advertisement) return;
      const name = withKicker(nameOf(link), link.address);
      const isHeadline = headlines.has(link) && name.length <= HEADLINE.characters;
      add(name, isHeadline ? 'headline' : kindAt(name, i));
    });
    leaf.texts.forEach(({ text }, i) => {
      add(text, kindAt(text, leaf.links.length + i));
    });
  }
  return [...found.values()];
}

function kindOf(place: string): PassageKind {
  if (place === 'lead story') return 'lead';
  if (place === 'navigation' || place === 'page header') return 'navigation';
  if (place === 'footer') return 'footer';
  return place.includes('sidebar') ? 'aside' : 'body';
}

/** The type size in which most characters of the page are set. */
function usualSize(leaves: readonly Block[]): number {
  const characters = new Map<number, number>();
  for (const { links, texts, typeSizes } of leaves) {
    const sizes = readTypeSizes(typeSizes);
    [...links.map(({ name }) => name), ...texts.map(({ text }) => text)].forEach((text, i) => {
      const size = sizes[i] ?? 0;
      if (size > 0) characters.set(size, (characters.get(size) ?? 0) + text.length);
    });
  }
  const [usual] = [...characters].sort(([, a], [, b]) => b - a)[0] ?? [Number.POSITIVE_INFINITY];
  return usual;
}
