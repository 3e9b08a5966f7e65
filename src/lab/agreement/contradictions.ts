/**
 * What a reader of a capture of the newspaper meets: a link with a headline, and behind it the article. They contradict each other
 * if the article has another headline or standfirst than the linking page, though they agreed on the live site when that page was
 * fetched: boxes that the paper itself leaves out of date are not the capture's fault.
 */
import type { CapturedPage, SiteCapture } from '../../model/site-capture.ts';
import type { Millis } from '../../model/time.ts';
import { pathOf, urlOf } from '../crawl/newspaper-site.ts';
import type { Item } from '../newspaper/content.ts';
import type { Newspaper } from '../newspaper/world.ts';

export interface ReadPairs {
  /** Links to articles, one per page and article. */
  readonly pairs: number;
  /** Those whose articles are archived but show something else. */
  readonly contradicting: number;
  /** Those whose articles are not in the capture: published after its first pass, or gone before their turn. */
  readonly dead: number;
  /** Those with both pages sharp, across one moment: proven to have existed together. */
  readonly proven: number;
}

/** For a reader who asks for this time: each page in the version fetched nearest to it. */
export function pairsAt({ pages }: SiteCapture, time: Millis, world: Newspaper): ReadPairs {
  const byUrl = new Map(pages.map((page) => [page.url, page]));
  const counts = { pairs: 0, contradicting: 0, dead: 0, proven: 0 };
  for (const page of pages) {
    const seenAt = nearest(page, time);
    for (const [path, item] of articleLinks(world, pathOf(page.url), seenAt)) {
      const live = headOf(world, path, seenAt);
      if (!live || !agrees(item, live)) continue;
      counts.pairs++;
      const article = byUrl.get(urlOf(path));
      const shown = article && headOf(world, path, nearest(article, time));
      if (!article || !shown) counts.dead++;
      else {
        if (!agrees(item, shown)) counts.contradicting++;
        if (sharpTogether(page, article)) counts.proven++;
      }
    }
  }
  return counts;
}

/** A page that is gone at its revisit has only its first version. */
function nearest({ visit, revisit }: CapturedPage, time: Millis): Millis {
  if (!revisit || revisit.outcome === 'gone') return visit.at;
  return Math.abs(revisit.at - time) < Math.abs(visit.at - time) ? revisit.at : visit.at;
}

function sharpTogether(a: CapturedPage, b: CapturedPage): boolean {
  const isSharp = ({ revisit }: CapturedPage): boolean => revisit?.outcome === 'same';
  const from = Math.max(a.visit.at, b.visit.at);
  return isSharp(a) && isSharp(b) && from <= Math.min(a.revisit?.at ?? 0, b.revisit?.at ?? 0);
}

/** A page's links to articles, each article once. */
function articleLinks(world: Newspaper, path: string, at: Millis): Map<string, Item> {
  const links = new Map<string, Item>();
  for (const { items } of world.contentAt(path, at)?.blocks ?? [])
    for (const item of items) {
      const href = item.link?.href;
      if (href === undefined || href === path || links.has(href)) continue;
      const found = world.resolve(href, at);
      if (found.kind === 'page' && found.spec.class === 'article') links.set(href, item);
    }
  return links;
}

interface ArticleHead {
  readonly headline: string;
  readonly standfirst: string;
}

function headOf(world: Newspaper, path: string, at: Millis): ArticleHead | undefined {
  const head = world.contentAt(path, at)?.blocks.find(({ role }) => role === 'article-head')?.items;
  const textOf = (key: string): string => head?.find((item) => item.key === key)?.text ?? '';
  return head && { headline: textOf('headline'), standfirst: textOf('standfirst') };
}

const agrees = ({ link, text }: Item, { headline, standfirst }: ArticleHead): boolean =>
  link?.text === headline && (text === undefined || text === standfirst);
