import { wordsOf } from '../vi-diff/text-distance.ts';
import { prominenceOf } from './attention.ts';
import type { Finding } from './finding.ts';
import { type Front, HEADLINE_WORDS, likeness, likenessOf } from './front.ts';
import { readWords } from './known-text.ts';

/** A headline that came, went or reads otherwise, with everything that was found of it. */
export interface ToldStory {
  readonly finding: Finding;
  /** All that was found of it. */
  readonly findings: readonly Finding[];
  /** Of the finding, or the greatest where a page has a headline several times. */
  readonly share: number;
  readonly headline: string;
  /** How a reworded one read before. */
  readonly before?: string;
  readonly prominence: number;
  /** It leads the page: the new one, or, if it went, the old one. */
  readonly isLead: boolean;
}

export interface ToldStories {
  /** Each the most prominent first. */
  readonly news: readonly ToldStory[];
  readonly reworded: readonly ToldStory[];
  readonly gone: readonly ToldStory[];
  /** Findings that say that something is gone, or new, which stands on both pages. */
  readonly untrue: ReadonlySet<Finding>;
}

export interface Fronts {
  readonly old: Front;
  readonly new: Front;
}

/** Type that is this much larger than the page's is headline type. */
export const HEADLINE_TYPE = 1.15;
/** A line in larger type has so many words without clocks and degrees, if it is a headline: `3 °C, fog` is none. */
const LEAST_WORDS = 3;
/** In larger type, a sentence of this many words is what stands below a headline. */
const SENTENCE_WORDS = 9;
const LONGEST_HEADLINE = 200;
/** Two headlines that share so much are one, reworded, though their articles have other addresses. */
const LIKE = 0.5;
/** The same headline, give or take a figure or a function word. */
const SAME = 0.9;
/** A heading that leads nowhere is the title of a section as often as of a story: as if its type were half as large. */
const LEADS_NOWHERE = 1;
/** Pairs that are compared at most. */
const MOST_PAIRS = 10_000;

type Side = 'old' | 'new';

interface Titled {
  readonly article: string | undefined;
  readonly headline: string;
}

/** Whether the finding is of a headline: a link of some words, or a line in larger type. A standfirst is none, however large. */
export function isHeadlineText({ element, look }: Finding, text: string): boolean {
  const words = wordsOf(text).length;
  if (element === 'link') return words >= HEADLINE_WORDS;
  if (readWords(text).length < LEAST_WORDS) return false;
  if (look.isLeadHeadline) return true;
  const isSentence = words >= SENTENCE_WORDS && /[.!?…]["“”»«]?$/u.test(text);
  return look.type >= HEADLINE_TYPE && text.length <= LONGEST_HEADLINE && !isSentence;
}

/** Sorts what was found into stories that came, went or were reworded; each article once. */
export function storiesOf(
  ranked: readonly { readonly finding: Finding; readonly share: number }[],
  fronts: Fronts,
): ToldStories {
  const stories = new Stories(fronts);
  for (const { finding, share } of ranked) stories.add(finding, share);
  return stories.sorted();
}

class Stories {
  readonly #fronts: Fronts;
  readonly #news = new Map<string, ToldStory>();
  readonly #gone = new Map<string, ToldStory>();
  readonly #reworded = new Map<string, ToldStory>();
  readonly #untrue = new Set<Finding>();

  constructor(fronts: Fronts) {
    this.#fronts = fronts;
  }

  add(finding: Finding, share: number): void {
    const { old, new: now } = finding;
    const was = old !== undefined && isHeadlineText(finding, old) ? this.#side(finding, 'old') : undefined;
    const is = now !== undefined && isHeadlineText(finding, now) ? this.#side(finding, 'new') : undefined;
    if (was && is) {
      const isOne =
        was.article !== undefined && is.article !== undefined
          ? was.article === is.article || likeness(was.headline, is.headline) >= LIKE
          : likeness(was.headline, is.headline) >= 1 - LIKE;
      if (isOne) {
        put(this.#reworded, is.key, { ...this.#told(finding, share, is), before: was.headline });
        return;
      }
    }
    if (is) this.#came(finding, share, is);
    if (was) this.#went(finding, share, was);
  }

  sorted(): ToldStories {
    for (const key of this.#reworded.keys()) {
      this.#news.delete(key);
      this.#gone.delete(key);
    }
    this.#pairAlike();
    const inOrder = (stories: ReadonlyMap<string, ToldStory>): ToldStory[] =>
      [...stories.values()].sort((a, b) => b.prominence - a.prominence);
    return {
      news: inOrder(this.#news),
      reworded: inOrder(this.#reworded),
      gone: inOrder(this.#gone),
      untrue: this.#untrue,
    };
  }

  #told(finding: Finding, share: number, { article, headline }: Titled): ToldStory {
    const { lead } = this.#fronts[finding.isGone ? 'old' : 'new'];
    const isLead = finding.look.isLeadHeadline === true || (article !== undefined && article === lead);
    const prominence = isLead ? Number.POSITIVE_INFINITY : prominenceOf(finding.look);
    return {
      ...{ finding, findings: [finding], share, headline, isLead },
      prominence: prominence - (article === undefined ? LEADS_NOWHERE : 0),
    };
  }

  #side(finding: Finding, side: Side): Titled & { key: string } {
    const text = finding[side] as string;
    const address = finding.addresses?.[side];
    const front = this.#fronts[side];
    const article = front.articleOf(text, address);
    const headline = front.quoted(text, address);
    return { article, headline, key: article ?? headline.toLowerCase() };
  }

  #came(finding: Finding, share: number, { article, headline, key }: Titled & { key: string }): void {
    const before = this.#fronts.old.headlineOf(article);
    const story = this.#told(finding, share, { article, headline });
    if (before === undefined) put(this.#news, key, story);
    else if (likeness(before, headline) >= SAME) this.#untrue.add(finding);
    else put(this.#reworded, key, { ...story, before });
  }

  #went(finding: Finding, share: number, { article, headline, key }: Titled & { key: string }): void {
    const now = this.#fronts.new.headlineOf(article);
    const story = this.#told(finding, share, { article, headline });
    if (now === undefined) {
      put(this.#gone, key, story);
      return;
    }
    this.#untrue.add(finding);
    if (likeness(now, headline) < SAME)
      put(this.#reworded, key, { ...story, headline: now, before: headline });
  }

  /** What went and what came in nearly the same words is one story, under another address or none. */
  #pairAlike(): void {
    let left = MOST_PAIRS;
    const came = new Map([...this.#news].map(([key, { headline }]) => [key, readWords(headline)]));
    for (const [key, gone] of this.#gone) {
      const words = readWords(gone.headline);
      for (const [newKey, news] of this.#news) {
        if (left-- <= 0) return;
        if (likenessOf(words, came.get(newKey) ?? []) < LIKE) continue;
        this.#gone.delete(key);
        this.#news.delete(newKey);
        this.#untrue.add(gone.finding);
        const findings = [...news.findings, ...gone.findings];
        put(this.#reworded, newKey, { ...news, findings, before: gone.headline });
        break;
      }
    }
  }
}

/** A page may show a story several times: where it is seen best counts. */
function put(stories: Map<string, ToldStory>, key: string, story: ToldStory): void {
  const known = stories.get(key);
  const best = !known || story.prominence > known.prominence ? story : known;
  stories.set(key, {
    ...best,
    findings: [...(known?.findings ?? []), ...story.findings],
    share: Math.max(story.share, known?.share ?? 0),
  });
}
