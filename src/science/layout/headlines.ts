/**
 * What a headline is, in one place: for the headlines of a span, for the kind of what is found, and for what a change is told by.
 * A link of some words in an important block of the page, outside of navigation, footer and advertisements. Type sizes do
 * not decide: many sites set the titles of their stories no larger than the rest.
 */
import type { Block, Layout, LinkElement } from '../../model/layout.ts';
import { placeWords } from './place-words.ts';
import { leavesIn } from './segment-leaves.ts';

export interface Headline {
  readonly link: LinkElement;
  /** The name of the link, without its rank in a list. */
  readonly name: string;
  readonly leaf: Block;
  readonly isLead: boolean;
}

/** A headline has at least this many words and characters; "more", "video" and names of sections have fewer. */
const LEAST = { words: 3, characters: 15 } as const;
/** Share of a block's mean importance: blocks with less are at the margin of the page. */
const IMPORTANT = 0.25;
/** Places whose links frame a page, and are not its news. At the top, where others have a header, short pages have stories. */
const FRAME = /^(?:navigation|footer)/;
/** Links that are numbered from 1 on are a list of ranks if there are so many. */
const LEAST_RANKS = 3;
const RANK = /^(\d{1,2})[.)]?\s+(?=\S)/u;

export function* headlinesOf(layout: Layout): Iterable<Headline> {
  const place = placeWords(layout);
  const leaves = leavesIn(layout.root, ({ blocks }) => blocks);
  const name = nameWithoutRank(layout);
  const least = IMPORTANT / Math.max(1, leaves.length);
  for (const leaf of leaves) {
    if (leaf.importance < least) continue;
    const where = place(leaf.ref);
    if (FRAME.test(where)) continue;
    for (const link of leaf.links)
      if (!link.advertisement && isHeadline(name(link)))
        yield { link, name: name(link), leaf, isLead: where === 'lead story' };
  }
}

const isHeadline = (text: string): boolean =>
  text.length >= LEAST.characters && text.trim().split(/\s+/u).length >= LEAST.words;

/**
 * The name of a link, without the rank that it has in a list of the most read: `3. Storm on the coast`. A number is a rank only where
 * links are numbered from 1 on, one after the other: `1. FC Magdeburg wins` keeps its own.
 */
export function nameWithoutRank({ root }: Layout): (link: LinkElement) => string {
  const ranked = new Set<LinkElement>();
  let run: LinkElement[] = [];
  let last = 0;
  const end = (): void => {
    if (last >= LEAST_RANKS) for (const link of run) ranked.add(link);
    [run, last] = [[], 0];
  };
  for (const { links } of leavesIn(root, ({ blocks }) => blocks))
    for (const link of links) {
      const rank = Number(RANK.exec(link.name)?.[1] ?? Number.NaN);
      const goesOn = rank === last + 1 || (rank === last && run.at(-1)?.address === link.address);
      if (!goesOn) end();
      if (!goesOn && rank !== 1) continue;
      run.push(link);
      last = rank;
    }
  end();
  return (link) => (ranked.has(link) ? link.name.replace(RANK, '') : link.name);
}
