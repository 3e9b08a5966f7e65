/** Items that many pages show: articles in a list, with their state at the time. */
import type { Millis } from '../../../model/time.ts';
import type { Article, ArticleState } from '../article.ts';
import type { Image, Item, Moment, NewsPageSpec, PageClass } from '../content.ts';
import { clockTime, dayOf, isoDay, startOf } from '../days.ts';
import type { NewsEvent, Newsroom } from '../newsroom.ts';
import { SECTIONS } from '../sections.ts';

export type ListLook = 'full' | 'card' | 'line' | 'dated';

export const articleKey = (article: Article): string => `a${article.number.toString(36)}`;

export function photoOf(article: Article, photo: number, alt: string, look: 'wide' | 'thumb'): Image {
  const name = `${article.number.toString(36)}-${photo}`;
  return look === 'wide'
    ? { src: `/images/${name}.svg`, alt, width: 800, height: 450 }
    : { src: `/images/${name}-thumb.png`, alt, width: 320, height: 180 };
}

const items = new WeakMap<ArticleState, Partial<Record<ListLook, Item>>>();

/** The same state in the same look is the same object, as pages are compared often. */
export function articleItem(newsroom: Newsroom, article: Article, time: Millis, look: ListLook): Item {
  const state = newsroom.state(article, time);
  let known = items.get(state);
  if (!known) {
    known = {};
    items.set(state, known);
  }
  known[look] ??= makeItem(article, state, look);
  return known[look];
}

function makeItem(article: Article, state: ArticleState, look: ListLook): Item {
  const link = { href: state.path, text: state.headline };
  const key = articleKey(article);
  const title = SECTIONS[article.section].title;
  switch (look) {
    case 'full':
    case 'card': {
      const image = photoOf(article, state.photo, state.headline, look === 'full' ? 'wide' : 'thumb');
      return { key, link, text: state.standfirst, image, label: title };
    }
    case 'line':
      return { key, link, label: title };
    case 'dated': {
      const day = isoDay(dayOf(article.publishedAt));
      return { key, link, label: `${day}, ${clockTime(article.publishedAt)}` };
    }
  }
}

/** An HTML page that has existed since the world began. */
export const fromFirstDay = (
  { firstDay }: Newsroom,
  path: string,
  pageClass: PageClass,
): Pick<NewsPageSpec, 'path' | 'class' | 'media' | 'born'> => ({
  path,
  class: pageClass,
  media: 'html',
  born: startOf(firstDay),
});

/** News events that lists show, as moments. */
export function newsMoments(
  newsroom: Newsroom,
  from: Millis,
  to: Millis,
  accept?: (event: NewsEvent) => boolean,
): Moment[] {
  const moments: Moment[] = [];
  for (const event of newsroom.events(from, to)) {
    if (event.kind !== 'commented' && (!accept || accept(event)))
      moments.push({ at: event.at, reason: event.reason });
  }
  return moments;
}

export function deskMoments(
  newsroom: Newsroom,
  desk: Parameters<Newsroom['deskTimes']>[0],
  from: Millis,
  to: Millis,
): Moment[] {
  const moments: Moment[] = [];
  for (let day = dayOf(from); day <= dayOf(to); day++) {
    for (const at of newsroom.deskTimes(desk, day)) {
      if (at > from && at <= to) moments.push({ at, reason: `${desk} desk rearranged the front` });
    }
  }
  return moments;
}

/** One moment per day, `offset` after midnight. */
export function dailyMoments(from: Millis, to: Millis, offset: number, reason: string): Moment[] {
  const moments: Moment[] = [];
  for (let day = dayOf(from - offset); day <= dayOf(to); day++) {
    const at = startOf(day) + offset;
    if (at > from && at <= to) moments.push({ at, reason });
  }
  return moments;
}

/** How the desk ranks at the time of its decision: interest that fades with age, in hours. */
export function ranked(articles: readonly Article[], time: Millis, fade: number): Article[] {
  const score = (article: Article): number =>
    (0.15 + article.newsworthiness) * Math.exp(-(time - article.publishedAt) / (fade * 3_600_000));
  return [...articles].sort((a, b) => score(b) - score(a) || b.number - a.number);
}
