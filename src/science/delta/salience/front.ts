import type { Block, Layout } from '../../../model/layout.ts';
import { nameWithoutRank } from '../../layout/headlines.ts';
import { quotedLink } from '../../layout/quoted-link.ts';
import { leavesIn } from '../../layout/segment-leaves.ts';
import { wordsOf } from '../vi-diff/text-distance.ts';
import { prominenceOf, ReaderView } from './attention.ts';
import { readWords } from './known-text.ts';
import type { ToldWord } from './told-words.ts';

/** A link with at least this many words is a headline, whatever its type. */
export const HEADLINE_WORDS = 4;

/** A link's name, without its rank in a list. */
interface Named {
  readonly name: string;
  readonly address: string;
}

const quoteOf = ({ name, address }: Named): string => quotedLink(name, address).headline;

/** The stories that one version shows: which article a headline leads to, and how that headline reads. */
export class Front {
  /** Names of links, as readers compare them → article. */
  readonly #articles = new Map<string, string>();
  /** Article → the longest name of a link to it. */
  readonly #headlines = new Map<string, Named>();
  /** Name of a link as it stands on the page → what is quoted of it. */
  readonly #links = new Map<string, Named>();
  /** How many stories could change. */
  readonly stories: number;
  /** The article of the headline that stands out most: larger type leads to none, such as the name of the paper. */
  readonly lead: string | undefined;

  constructor(layout: Layout) {
    const leaves = leavesIn(layout.root, ({ blocks }) => blocks);
    const nameOf = nameWithoutRank(layout);
    let unnamed = 0;
    for (const { links } of leaves)
      for (const link of links) {
        const name = nameOf(link);
        if (wordsOf(name).length < HEADLINE_WORDS) continue;
        const article = articleOf(link.address);
        if (article === undefined) unnamed++;
        if (article === undefined || link.advertisement) continue;
        const named = { name, address: link.address };
        this.#articles.set(lettersOf(name), article);
        this.#links.set(link.name, named);
        if (name.length > (this.#headlines.get(article)?.name.length ?? 0))
          this.#headlines.set(article, named);
      }
    this.stories = this.#headlines.size + unnamed;
    this.lead = this.#findLead(leaves, new ReaderView(layout));
  }

  #findLead(leaves: readonly Block[], view: ReaderView): string | undefined {
    let lead: string | undefined;
    let most = Number.NEGATIVE_INFINITY;
    const consider = (text: string, ref: string, at: readonly ['link' | 'text', number]): void => {
      const article = this.#articles.get(lettersOf(text));
      if (article === undefined) return;
      const prominence = prominenceOf(view.look(ref, ...at));
      if (prominence > most) [lead, most] = [article, prominence];
    };
    for (const { ref, links, texts } of leaves) {
      links.forEach(({ name }, i) => {
        consider(name, ref, ['link', i]);
      });
      texts.forEach(({ text }, i) => {
        consider(text, ref, ['text', i]);
      });
    }
    return lead;
  }

  /** The article that a text leads to: by its own address, or because a link here reads the same. */
  articleOf(text: string, address: string | undefined): string | undefined {
    return (address === undefined ? undefined : articleOf(address)) ?? this.#articles.get(lettersOf(text));
  }

  /** How an article's headline reads here; undefined where it is not on the page. */
  headlineOf(article: string | undefined): string | undefined {
    const named = article === undefined ? undefined : this.#headlines.get(article);
    return named && quoteOf(named);
  }

  /** A text as it is quoted. */
  quoted(text: string, address: string | undefined): string {
    const named = this.#links.get(text) ?? (address === undefined ? undefined : { name: text, address });
    return named ? quoteOf(named) : text;
  }
}

/**
 * What stands for the article behind an address: its number at the end, which stays when a headline is reworded, and the link with
 * it; otherwise the address itself, without fragment.
 */
function articleOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, host, pathname, search } = new URL(address);
  if (!/^https?:$/u.test(protocol) || (pathname === '/' && search === '')) return undefined;
  const number = /[-/_.](\d{6,})(?:\.\w{1,5})?\/?$/u.exec(pathname)?.[1];
  const site = host.replace(/^www\./u, '');
  return number === undefined ? `${site}${pathname.replace(/\/$/u, '')}${search}` : `${site} ${number}`;
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

const worthIn = (words: readonly ToldWord[]): number => words.reduce((sum, { worth }) => sum + worth, 0);

/** The share of their worth that two wordings have in common, in [0, 1]. */
export const likeness = (a: string, b: string): number => likenessOf(readWords(a), readWords(b));

export function likenessOf(one: readonly ToldWord[], other: readonly ToldWord[]): number {
  const keys = new Set(other.map(({ key }) => key));
  const shared = worthIn(one.filter(({ key }) => keys.has(key)));
  return shared / Math.max(worthIn(one), worthIn(other), Number.EPSILON);
}
