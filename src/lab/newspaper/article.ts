/** One article: when it appears, what happens to it, and its text after each revision. */
import type { Millis } from '../../model/time.ts';
import { DAY, type Day, dayOf, HOUR, SECOND, slashDay } from './days.ts';
import { headline, newStory, paragraph, paragraphs, type Story, standfirst } from './prose.ts';
import { stream } from './random.ts';
import { intensity, RHYTHMS } from './rhythms.ts';
import { type Author, type SectionId, slugOf } from './sections.ts';

export type RevisionKind =
  | 'published'
  | 'updated'
  | 'rewritten'
  | 'shortened'
  | 'corrected'
  | 'retitled'
  | 'rephotographed';

export interface Revision {
  readonly at: Millis;
  readonly kind: RevisionKind;
}

export interface Article {
  /** Day × 1000 + index in the day: unique and stable. */
  readonly number: number;
  readonly section: SectionId;
  readonly author: Author;
  readonly publishedAt: Millis;
  /** 0..1, mostly near 0: what the desk ranks by. */
  readonly newsworthiness: number;
  readonly story: Story;
  /** Ascending; the first is the publication. */
  readonly revisions: readonly Revision[];
  /** Times of readers' comments, ascending. */
  readonly comments: readonly Millis[];
  /** The time at which it was taken down. */
  readonly withdrawnAt?: Millis;
}

export interface ArticlePassage {
  readonly key: string;
  readonly text: string;
}

export interface ArticleState {
  readonly headline: string;
  readonly standfirst: string;
  readonly paragraphs: readonly ArticlePassage[];
  readonly corrections: readonly ArticlePassage[];
  /** Number of the photograph: a new one has a new URL. */
  readonly photo: number;
  readonly path: string;
  /** Set once the article has been revised. */
  readonly updatedAt?: Millis;
}

/** The latest revision, after publication; the latest comment comes at most two days after that. */
export const REVISION_WINDOW = 3 * DAY;
export const COMMENT_WINDOW = 5 * DAY;

const KINDS: readonly RevisionKind[] = [
  'updated',
  'updated',
  'updated',
  'rewritten',
  'rewritten',
  'retitled',
  'corrected',
  'rephotographed',
  'shortened',
];
const WITHDRAWN_SHARE = 0.015;
const MOVED_SHARE = 0.3;

const wholeSecond = (time: number): Millis => Math.floor(time / SECOND) * SECOND;

/** What day generation knows of an article before its text exists. */
export interface ArticleSeed {
  readonly seed: number;
  readonly number: number;
  readonly section: SectionId;
  readonly author: Author;
  readonly publishedAt: Millis;
  readonly scale: number;
}

export function newArticle({ seed, number, section, author, publishedAt, scale }: ArticleSeed): Article {
  const random = stream(seed, 'article', number);
  const newsworthiness = random.next() ** 2;
  const rhythm = RHYTHMS[section];
  const times = new Set<Millis>();
  for (let i = random.int(6); i > 0; i--) {
    const at = wholeSecond(publishedAt + 10 * 60 * SECOND + random.delay(5 * HOUR));
    // Thinned by the section's own rhythm: nobody edits at three in the morning, or economy on a Sunday.
    const kept = random.next() < 3 * intensity(rhythm, at);
    if (kept && at < publishedAt + REVISION_WINDOW) times.add(at);
  }
  const revisions: Revision[] = [{ at: publishedAt, kind: 'published' }];
  for (const at of [...times].sort((a, b) => a - b)) revisions.push({ at, kind: random.pick(KINDS) });

  const comments: Millis[] = [];
  const expected = RHYTHMS.comments.perDay * Math.min(scale, 1.5) * (0.3 + 2 * newsworthiness);
  for (let i = random.poisson(expected); i > 0; i--) {
    const at = wholeSecond(publishedAt + random.delay(8 * HOUR));
    const kept = random.next() < intensity(RHYTHMS.comments, at);
    if (kept && at > publishedAt && at < publishedAt + COMMENT_WINDOW) comments.push(at);
  }
  comments.sort((a, b) => a - b);

  const gone = wholeSecond(publishedAt + 4 * HOUR + random.delay(20 * HOUR));
  const withdrawn =
    random.chance(WITHDRAWN_SHARE) && gone < publishedAt + REVISION_WINDOW && intensity(rhythm, gone) > 0;
  return {
    number,
    section,
    author,
    publishedAt,
    newsworthiness,
    story: newStory(section, random),
    revisions: withdrawn ? revisions.filter(({ at }) => at < gone) : revisions,
    comments: withdrawn ? comments.filter((at) => at < gone) : comments,
    ...(withdrawn ? { withdrawnAt: gone } : {}),
  };
}

export const isLive = (article: Article, time: Millis): boolean =>
  article.publishedAt <= time && (article.withdrawnAt === undefined || time < article.withdrawnAt);

function pathOf(article: Article, title: string): string {
  return `/${article.section}/${slashDay(dayOf(article.publishedAt))}/${slugOf(title)}-${article.number.toString(36)}.html`;
}

/** The article's number from its path; undefined for other paths. */
export function numberFromPath(path: string): number | undefined {
  const match = /^\/[a-z]+\/\d{4}\/\d\d\/\d\d\/[a-z0-9-]*-([0-9a-z]{5})\.html$/.exec(path);
  return match?.[1] ? Number.parseInt(match[1], 36) : undefined;
}

export const dayOfNumber = (number: number): Day => Math.floor(number / 1000);

/** The text after each revision, in order. Revision k draws from its own stream. */
export function statesOf(seed: number, article: Article): readonly ArticleState[] {
  const states: ArticleState[] = [];
  for (const [index, revision] of article.revisions.entries()) {
    const random = stream(seed, 'revision', article.number, index);
    const previous = states.at(-1);
    if (!previous) {
      const title = headline(article.story, random, 0.25);
      const count = 4 + random.int(5);
      states.push({
        headline: title,
        standfirst: standfirst(article.story, random),
        paragraphs: paragraphs(article.story, count, random).map((text, i) => ({ key: `p${i}`, text })),
        corrections: [],
        photo: 1,
        path: pathOf(article, title),
      });
      continue;
    }
    const passages = [...previous.paragraphs];
    const at = random.int(passages.length);
    const fresh: ArticlePassage = { key: `p${index}x`, text: paragraph(article.story, random) };
    const rewritten: ArticlePassage = { key: passages[at]?.key ?? 'p0', text: fresh.text };
    const next = { ...previous, updatedAt: revision.at };
    switch (revision.kind) {
      case 'published':
        break;
      case 'updated':
        passages.splice(1 + random.int(passages.length), 0, fresh);
        break;
      case 'rewritten':
        passages[at] = rewritten;
        break;
      case 'shortened':
        if (passages.length > 3) passages.splice(at, 1);
        break;
      case 'corrected':
        passages[at] = rewritten;
        next.corrections = [
          ...previous.corrections,
          {
            key: `c${index}`,
            text: `Correction: an earlier version misstated a figure in paragraph ${at + 1}.`,
          },
        ];
        break;
      case 'retitled':
        next.headline = headline(article.story, random, 0.8);
        if (random.chance(MOVED_SHARE)) next.path = pathOf(article, next.headline);
        break;
      case 'rephotographed':
        next.photo = previous.photo + 1;
        break;
    }
    states.push({ ...next, paragraphs: passages });
  }
  return states;
}

/** Index of the last entry at or before `time`; -1 if all are later. Ascending input. */
export function lastAtOrBefore(times: readonly Millis[], time: Millis): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as Millis) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
