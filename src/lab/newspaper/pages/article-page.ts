import type { Millis } from '../../../model/time.ts';
import { type Article, isLive, lastAtOrBefore } from '../article.ts';
import { block, type ContentBlock, type Item, linkItem, type Moment, type NewsPageSpec } from '../content.ts';
import { longTime } from '../days.ts';
import type { Newsroom } from '../newsroom.ts';
import { fill } from '../prose.ts';
import { stream, uniform } from '../random.ts';
import { PAPER, personName } from '../sections.ts';
import { COMMENTS } from '../words.ts';
import { articleKey, photoOf } from './lists.ts';

const RELATED = 3;
const COMMENTS_SHOWN = 3;

interface Tenure {
  readonly path: string;
  readonly from: Millis;
  readonly to?: Millis;
}

/** The addresses that an article has had, in order: a new headline may bring a new slug. */
export function tenures(newsroom: Newsroom, article: Article): readonly Tenure[] {
  const list: { path: string; from: Millis; to?: Millis }[] = [];
  for (const [i, state] of newsroom.states(article).entries()) {
    const last = list.at(-1);
    if (last?.path === state.path) continue;
    const from = article.revisions[i]?.at ?? article.publishedAt;
    if (last) last.to = from;
    list.push({ path: state.path, from });
  }
  return list;
}

/** Older articles of the section, as they were when this one was published: their addresses may have changed since. */
function relatedItems(newsroom: Newsroom, article: Article, time: Millis): Item[] {
  const older = newsroom.recent(
    article.publishedAt,
    RELATED,
    (other) => other.section === article.section && other.number < article.number,
  );
  return older
    .filter((other) => isLive(other, time))
    .map((other) => {
      const state = newsroom.state(other, article.publishedAt);
      // Some old templates still link by number; the server answers with a permanent redirect.
      const legacy = uniform(newsroom.seed, 'legacy link', article.number, other.number) < 0.1;
      const href = legacy ? `/article?id=${other.number}` : state.path;
      return linkItem(articleKey(other), href, state.headline);
    });
}

function commentItems(newsroom: Newsroom, article: Article, time: Millis): Item[] {
  const count = lastAtOrBefore(article.comments, time) + 1;
  const items: Item[] = [{ key: 'count', text: count === 1 ? '1 comment' : `${count} comments` }];
  for (let i = count - 1; i >= Math.max(0, count - COMMENTS_SHOWN); i--) {
    const random = stream(newsroom.seed, 'comment', article.number, i);
    items.push({ key: `comment${i}`, label: personName(random), text: fill(random.pick(COMMENTS), random) });
  }
  return items;
}

export function articlePage(newsroom: Newsroom, article: Article, tenure: Tenure): NewsPageSpec {
  const id = article.number.toString(36);
  const moved = tenures(newsroom, article).find(({ from }) => from === tenure.to);
  const end = moved
    ? { at: moved.from, reason: `article ${id} moved`, movedTo: moved.path }
    : article.withdrawnAt !== undefined
      ? { at: article.withdrawnAt, reason: `article ${id} withdrawn` }
      : undefined;
  return {
    path: tenure.path,
    class: 'article',
    media: 'html',
    section: article.section,
    born: tenure.from,
    ...(end ? { end } : {}),
    moments: (from, to) => {
      const moments: Moment[] = [];
      const add = (at: Millis | undefined, reason: string): void => {
        if (at !== undefined && at > from && at <= to) moments.push({ at, reason });
      };
      for (const { at, kind } of article.revisions) add(at, `article ${id} ${kind}`);
      for (const at of article.comments) add(at, `comment on article ${id}`);
      const older = newsroom.recent(
        article.publishedAt,
        RELATED,
        (other) => other.section === article.section && other.number < article.number,
      );
      for (const other of older)
        add(other.withdrawnAt, `related article ${other.number.toString(36)} withdrawn`);
      return moments.sort((a, b) => a.at - b.at);
    },
    content: (time) => {
      const state = newsroom.state(article, time);
      const blocks: ContentBlock[] = [
        block('head', 'article-head', 1, [
          { key: 'headline', text: state.headline },
          { key: 'standfirst', text: state.standfirst },
          {
            key: 'byline',
            link: { href: `/authors/${article.author.slug}.html`, text: article.author.name },
            label: longTime(article.publishedAt),
          },
          ...(state.updatedAt === undefined
            ? []
            : [{ key: 'updated', label: `Updated ${longTime(state.updatedAt)}` }]),
        ]),
        block('figure', 'figure', 0.4, [
          { key: 'photo', image: photoOf(article, state.photo, state.headline, 'wide') },
        ]),
        block(
          'body',
          'body',
          0.9,
          state.paragraphs.map(({ key, text }) => ({ key, text })),
        ),
      ];
      if (state.corrections.length > 0) {
        blocks.push(block('corrections', 'correction', 0.5, state.corrections, 'Corrections'));
      }
      const related = relatedItems(newsroom, article, time);
      if (related.length > 0) blocks.push(block('related', 'related', 0.1, related, 'More on this'));
      blocks.push(block('comments', 'comments', 0.05, commentItems(newsroom, article, time), 'Readers'));
      return { title: `${state.headline} – ${PAPER}`, blocks };
    },
  };
}
