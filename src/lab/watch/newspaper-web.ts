/** The living newspaper as a web to be watched: its truth, with its feeds, sitemaps and front pages as sources. No HTTP. */
import type { Millis } from '../../model/time.ts';
import type { Signal, SignalKind, WatchedPage } from '../../model/watch.ts';
import { NEWSPAPER_HOST, newspaperSite, urlOf } from '../crawl/newspaper-site.ts';
import { createNewspaper, type Newspaper, type SizeName } from '../newspaper/index.ts';
import type { TruePage, WatchedWeb, WhatIsSaid } from './watched-web.ts';

export interface NewspaperWebOptions {
  readonly seed: number;
  readonly start: Millis;
  readonly days: number;
  readonly size: SizeName;
  /** Whether feeds and sitemaps are read; otherwise new pages are found only by the links on front pages. */
  readonly feeds: boolean;
  /** Whether pages are sources too: a link that is new on a page, or has a new label, is a signal for the page it leads to. */
  readonly links?: boolean;
}

const DAY = 86_400_000;

/** Read only for their signals; otherwise they have no weight. */
const SOURCES: readonly { readonly path: RegExp; readonly tells: SignalKind }[] = [
  { path: /^\/feeds\/.*\.atom$/, tells: 'feed' },
  { path: /^\/sitemaps\/.*\.xml(\.gz)?$/, tells: 'sitemap' },
];

export function newspaperWeb({ seed, start, days, size, feeds, links }: NewspaperWebOptions): WatchedWeb {
  const world = createNewspaper({ seed, start, size });
  const end = start + days * DAY;
  const pages = truthOf(world, start, end);
  const sources = feeds
    ? world.resources(start).flatMap(({ path }) => {
        const tells = SOURCES.find((source) => source.path.test(path))?.tells;
        return tells ? [watched(path, start, { weight: 0, tells })] : [];
      })
    : [];
  // Pages on which nothing changes are known too, and cost as much as others.
  const atStart = world.pages(start).map(({ path }) => watched(path, start, {}));
  const said = new Map<string, ReadonlyMap<string, string>>();
  return {
    start,
    end,
    pages,
    site: () => newspaperSite(world, start, end),
    known: () => [...atStart, ...sources],
    read: (url, at) => {
      const before = said.get(url);
      const items = itemsOf(world, url.slice(NEWSPAPER_HOST.length), at);
      said.set(url, items);
      const tells = sources.find((source) => source.url === url)?.tells ?? (links ? 'link' : undefined);
      return whatIsSaid(items, before, { at, ...(tells && { source: url, kind: tells }) }, pages);
    },
  };
}

const watched = (path: string, lastVisit: Millis | undefined, more: Partial<WatchedPage>): WatchedPage => ({
  url: urlOf(path),
  site: 'newspaper.example',
  weight: 1,
  observations: lastVisit === undefined ? 0 : 1,
  changes: 0,
  ...(lastVisit !== undefined && { lastVisit }),
  ...more,
});

/** Pages that exist during the time, with every version that begins in it. A page born during it counts with its first. */
function truthOf(world: Newspaper, start: Millis, end: Millis): Map<string, TruePage> {
  const pages = new Map<string, TruePage>();
  for (const version of world.changesBetween(start, end)) {
    const url = urlOf(version.path);
    const page = pages.get(url) ?? { url, weight: 1, versions: [] };
    const seconds = version.from / 1000;
    pages.set(
      url,
      version.state === 'gone'
        ? { ...page, goneAt: seconds }
        : { ...page, versions: [...page.versions, { time: seconds, importance: version.importance }] },
    );
  }
  return pages;
}

/** Links on what is shown, each with its label: in feeds and sitemaps, the time of the last revision. */
function itemsOf(world: Newspaper, path: string, at: Millis): Map<string, string> {
  const items = new Map<string, string>();
  for (const { items: list } of world.contentAt(path, at)?.blocks ?? [])
    for (const { link, label = '' } of list) if (link) items.set(urlOf(link.href), label);
  return items;
}

interface Reading {
  readonly at: Millis;
  readonly source?: string;
  readonly kind?: SignalKind;
}

function whatIsSaid(
  items: ReadonlyMap<string, string>,
  before: ReadonlyMap<string, string> | undefined,
  { at, source, kind }: Reading,
  pages: ReadonlyMap<string, TruePage>,
): WhatIsSaid {
  const signals: Signal[] = [];
  const discovered: WatchedPage[] = [];
  for (const [url, label] of items) {
    const page = pages.get(url);
    if (!page || (page.versions[0]?.time ?? 0) * 1000 > at) continue;
    discovered.push(watched(url.slice(NEWSPAPER_HOST.length), undefined, {}));
    // At the first reading nothing counts as new.
    if (!source || !kind || !before || before.get(url) === label) continue;
    const changedAt = Date.parse(label);
    signals.push({ kind, source, url, heardAt: at, ...(Number.isFinite(changedAt) && { changedAt }) });
  }
  return { signals, discovered };
}
