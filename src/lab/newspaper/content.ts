/**
 * What a page says, before it is HTML, XML or JSON. Renderers read nothing else (apart from the noise of ads and
 * tokens), so two contents render alike exactly when they are equal, and the truth about changes is a diff of two
 * contents.
 */
import type { Millis } from '../../model/time.ts';
import type { SectionId } from './sections.ts';

export interface ContentLink {
  readonly href: string;
  readonly text: string;
}

export interface Image {
  readonly src: string;
  readonly alt: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** The smallest thing that appears, moves or disappears as a whole. */
export interface Item {
  /** Same key, same thing, across blocks too, where it makes a move. */
  readonly key: string;
  readonly link?: ContentLink;
  readonly image?: Image;
  readonly text?: string;
  /** Kicker, byline, time. */
  readonly label?: string;
}

export const ROLES = [
  'masthead',
  'breaking',
  'lead',
  'top',
  'headlines',
  'section-box',
  'weather',
  'live',
  'service',
  'weekend',
  'page-title',
  'article-head',
  'figure',
  'body',
  'correction',
  'related',
  'comments',
  'list',
  'table',
  'cards',
  'entries',
  'data',
] as const;
export type NewsRole = (typeof ROLES)[number];

export interface ContentBlock {
  /** Unique within the page and stable over time. */
  readonly id: string;
  readonly role: NewsRole;
  /** 0..1: how much a change in it matters. */
  readonly weight: number;
  readonly heading?: string;
  readonly items: readonly Item[];
}

/** @param weight 0..1: how much a change in it matters */
export const block = (
  id: string,
  role: NewsRole,
  weight: number,
  items: readonly Item[],
  heading?: string,
): ContentBlock => ({ id, role, weight, ...(heading !== undefined && { heading }), items });

/** A page's own title, at its top. */
export const titleBlock = (weight: number, text: string, label?: string): ContentBlock =>
  block('title', 'page-title', weight, [{ key: 'title', text, ...(label !== undefined && { label }) }]);

export const linkItem = (key: string, href: string, text: string): Item => ({ key, link: { href, text } });

export interface NewsContent {
  readonly title: string;
  readonly blocks: readonly ContentBlock[];
}

export const PAGE_CLASSES = [
  'home',
  'section',
  'article',
  'archive',
  'author',
  'static',
  'ticker',
  'weather',
  'markets',
  'crossword',
  'magazine',
  'events',
  'scripted',
  'form',
  'feed',
  'sitemap',
  'robots',
  'data',
  'image',
  'style',
  'script',
  'print',
] as const;
export type PageClass = (typeof PAGE_CLASSES)[number];

/** A time at which a page may change, and the reason. */
export interface Moment {
  readonly at: Millis;
  readonly reason: string;
}

/** What a page's bytes are; selects the renderer. */
export type Media =
  | 'html'
  | 'rss'
  | 'atom'
  | 'sitemap'
  | 'sitemap-index'
  | 'text'
  | 'json'
  | 'svg'
  | 'png'
  | 'css'
  | 'js'
  | 'pdf';

export interface NewsPageSpec {
  readonly path: string;
  readonly class: PageClass;
  readonly media: Media;
  readonly section?: SectionId;
  readonly born: Millis;
  readonly end?: { readonly at: Millis; readonly reason: string; readonly movedTo?: string };
  /** JSON that the page's scripts display: its changes are visible though the HTML stays the same. */
  readonly shows?: readonly string[];
  /** A superset of the times in (from, to] at which the content changes, ascending. */
  moments(from: Millis, to: Millis): readonly Moment[];
  content(time: Millis): NewsContent;
  /**
   * Set for long lists whose every moment is known to change one entry: avoids comparing thousands of unchanged entries
   * at each of thousands of moments.
   */
  entry?(moment: Moment): { readonly kind: 'insert' | 'delete' | 'update'; readonly text: string };
}

export const never = (): readonly Moment[] => [];

/** Merges moments from several sources in order of time. */
export function inOrder(...lists: readonly (readonly Moment[])[]): readonly Moment[] {
  return lists.flat().sort((a, b) => a.at - b.at);
}
