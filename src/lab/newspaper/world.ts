/**
 * The newspaper as a pure world: which pages exist at a time, what they say, and every change they ever had. No clock,
 * no network, no shared randomness; any time may be requested, in any order.
 */
import type { Millis } from '../../model/time.ts';
import { isLive, numberFromPath } from './article.ts';
import type { NewsContent, NewsPageSpec, PageClass } from './content.ts';
import { dayFrom, dayOf, slashDay, startOf } from './days.ts';
import { type Newsroom, openNewsroom } from './newsroom.ts';
import { archiveDay, archiveMonth, archiveRoot, archiveYear } from './pages/archive.ts';
import { articlePage, tenures } from './pages/article-page.ts';
import { crosswordNumber, crosswordPage } from './pages/crossword.ts';
import { eventPages } from './pages/events.ts';
import { articleMonths, articleSitemap, feed, mostRead, sitemapIndex, trends } from './pages/feeds.ts';
import { assets, authorPage, picture, printEdition, printIndex, staticPages } from './pages/fixed.ts';
import { homePage } from './pages/home.ts';
import { issues, magazineFront, magazineIssue } from './pages/magazine.ts';
import { marketPages } from './pages/markets.ts';
import { pageSitemap } from './pages/page-sitemap.ts';
import { sectionPage } from './pages/section.ts';
import { tickerPage } from './pages/ticker.ts';
import { weatherPages } from './pages/weather.ts';
import { isSection, SECTION_IDS, type SizeName } from './sections.ts';
import { openTimeline, type Timeline, type Version } from './timeline.ts';

/** The endless calendar: absent, linked but disallowed by robots.txt, or linked and open. */
export type Traps = 'off' | 'disallowed' | 'open';

export interface NewspaperOptions {
  readonly seed: number;
  /** The world has `historyDays` of its size before `start`, and no end after it. */
  readonly start: Millis;
  readonly size: SizeName;
  readonly traps?: Traps;
}

export interface NewsPageFacts {
  readonly path: string;
  readonly class: PageClass;
  readonly born: Millis;
  /** JSON that the page's scripts display. */
  readonly shows: readonly string[];
}

export type Resolution =
  | { readonly kind: 'page'; readonly spec: NewsPageSpec; readonly version: Version }
  | { readonly kind: 'redirect'; readonly status: 301 | 302; readonly to: string }
  | { readonly kind: 'gone' }
  | { readonly kind: 'none' };

export interface Newspaper {
  readonly seed: number;
  readonly start: Millis;
  readonly size: SizeName;
  readonly traps: Traps;
  readonly newsroom: Newsroom;
  /** HTML pages that exist at `time`, excluding forms and ads. */
  pages(time: Millis): readonly NewsPageFacts[];
  /** Feeds, sitemaps, images, scripts, JSON, PDF. */
  resources(time: Millis): readonly NewsPageFacts[];
  versionAt(path: string, time: Millis): Version | undefined;
  /** All versions of a page that began at or before `until`. */
  versions(path: string, until: Millis): readonly Version[];
  /** Versions of HTML pages (with `resources`, of everything) that began in (from, to], by time, then by path. */
  changesBetween(from: Millis, to: Millis, options?: { readonly resources?: boolean }): readonly Version[];
  contentAt(path: string, time: Millis): NewsContent | undefined;
  resolve(path: string, time: Millis): Resolution;
}

interface Known {
  readonly spec: NewsPageSpec;
  readonly timeline: Timeline;
}

export function createNewspaper({ seed, start, size, traps = 'off' }: NewspaperOptions): Newspaper {
  if (!Number.isFinite(start))
    throw new RangeError(`the start of the newspaper must be a time in milliseconds, not ${start}`);
  const newsroom = openNewsroom(seed, start, size);
  const { firstDay } = newsroom;
  const fixed = [
    homePage(newsroom),
    ...SECTION_IDS.map((id) => sectionPage(newsroom, id)),
    tickerPage(newsroom),
    ...weatherPages(newsroom),
    ...marketPages(newsroom),
    crosswordPage(newsroom),
    magazineFront(newsroom),
    ...eventPages(newsroom, traps !== 'off'),
    ...staticPages(newsroom),
    ...newsroom.authors.map((author) => authorPage(newsroom, author)),
    archiveRoot(newsroom),
    printIndex(newsroom),
    ...(['all', ...SECTION_IDS] as const).flatMap((of) => [
      feed(newsroom, of, 'rss'),
      feed(newsroom, of, 'atom'),
    ]),
    mostRead(newsroom),
    trends(newsroom),
    sitemapIndex(newsroom),
    pageSitemap(newsroom, (time) => list(time).filter(isListed)),
    ...assets(newsroom),
  ];
  const known = new Map<string, Known>(
    fixed.map((spec) => [spec.path, { spec, timeline: openTimeline(spec) }]),
  );

  /** The page at this path, whatever the time; pages that come with the days are made on demand. */
  function make(path: string): NewsPageSpec | undefined {
    const parts = path.split('/');
    const [, top = '', second = ''] = parts;
    if (isSection(top)) {
      const article = newsroom.article(numberFromPath(path) ?? -1);
      const tenure = article && tenures(newsroom, article).find((t) => t.path === path);
      return article && tenure && articlePage(newsroom, article, tenure);
    }
    if (top === 'archive' && parts.at(-1) === '') {
      const [, , year = '', month = '', date = ''] = parts;
      if (!/^\d{4}$/.test(year)) return undefined;
      if (parts.length === 4) return archiveYear(newsroom, year);
      if (parts.length === 5) return archiveMonth(newsroom, year, month);
      const day = parts.length === 6 ? dayFrom(year, month, date) : undefined;
      return day !== undefined && day >= firstDay ? archiveDay(newsroom, day) : undefined;
    }
    const dated = /^\/(print|magazine)\/(\d{4})-(\d\d)-(\d\d)(\.pdf|\/)$/.exec(path);
    if (dated) {
      const [, kind, year = '', month = '', date = '', ending] = dated;
      const day = dayFrom(year, month, date);
      if (day === undefined || day < firstDay) return undefined;
      if (kind === 'print') return ending === '.pdf' ? printEdition(newsroom, day) : undefined;
      const issue = ending === '/' && issues(newsroom, startOf(day + 1) - 1).includes(day);
      return issue ? magazineIssue(newsroom, day) : undefined;
    }
    if (top === 'images') {
      const match = /^([0-9a-z]{5})-(\d)(\.svg|-thumb\.png)$/.exec(second);
      const article = match && newsroom.article(Number.parseInt(match[1] ?? '', 36));
      const index = article
        ? newsroom.states(article).findIndex(({ photo }) => String(photo) === match[2])
        : -1;
      const born = article?.revisions[index]?.at;
      if (!article || born === undefined) return undefined;
      return picture(newsroom, path, born, `scene ${article.section} ${article.number} ${match[2]}`);
    }
    if (top === 'crossword') {
      const number = Number(/^(\d+)\.svg$/.exec(second)?.[1] ?? Number.NaN);
      const day = number - crosswordNumber(0);
      return day >= firstDay ? picture(newsroom, path, startOf(day), `grid ${number}`) : undefined;
    }
    const sitemap = /^\/sitemaps\/articles-(\d{4})-(\d\d)\.xml\.gz$/.exec(path);
    if (sitemap) {
      const first = dayFrom(sitemap[1] ?? '', sitemap[2] ?? '', '01');
      const month = `${sitemap[1]}-${sitemap[2]}`;
      if (first === undefined || !articleMonths(newsroom, startOf(first + 31)).includes(month))
        return undefined;
      return articleSitemap(newsroom, month, Math.max(first, firstDay));
    }
    return undefined;
  }

  function lookup(path: string): Known | undefined {
    let entry = known.get(path);
    if (!entry) {
      const spec = make(path);
      // Paths without a page are not cached: a trap would fill the memory.
      if (!spec) return undefined;
      entry = { spec, timeline: openTimeline(spec) };
      known.set(path, entry);
    }
    return entry;
  }

  /** Every path born by `time`, including those that have ended. */
  function* born(time: Millis): Generator<string> {
    for (const { path } of fixed) yield path;
    const years = new Set<string>();
    for (let day = firstDay; day <= dayOf(time); day++) {
      const path = slashDay(day);
      for (const length of [4, 7]) {
        const prefix = path.slice(0, length);
        if (!years.has(prefix)) yield `/archive/${prefix}/`;
        years.add(prefix);
      }
      yield `/archive/${path}/`;
      yield `/print/${path.replaceAll('/', '-')}.pdf`;
      yield `/crossword/${crosswordNumber(day)}.svg`;
      for (const article of newsroom.articlesOf(day)) {
        for (const tenure of tenures(newsroom, article)) yield tenure.path;
        for (const { photo } of new Map(newsroom.states(article).map((s) => [s.photo, s])).values()) {
          const name = `/images/${article.number.toString(36)}-${photo}`;
          yield `${name}.svg`;
          yield `${name}-thumb.png`;
        }
      }
    }
    for (const day of issues(newsroom, time)) yield `/magazine/${slashDay(day).replaceAll('/', '-')}/`;
    for (const month of articleMonths(newsroom, time)) yield `/sitemaps/articles-${month}.xml.gz`;
  }

  function* specs(time: Millis): Generator<Known> {
    for (const path of born(time)) {
      const entry = lookup(path);
      if (entry && entry.spec.born <= time) yield entry;
    }
  }

  const isListed = ({ media, class: pageClass }: NewsPageSpec): boolean =>
    media === 'html' && pageClass !== 'form';

  function list(time: Millis): NewsPageSpec[] {
    return [...specs(time)].map(({ spec }) => spec).filter(({ end }) => !end || time < end.at);
  }

  const facts = ({ path, class: pageClass, born: at, shows = [] }: NewsPageSpec): NewsPageFacts => ({
    path,
    class: pageClass,
    born: at,
    shows,
  });

  return {
    seed,
    start,
    size,
    traps,
    newsroom,
    pages: (time) => list(time).filter(isListed).map(facts),
    resources: (time) =>
      list(time)
        .filter(({ media }) => media !== 'html')
        .map(facts),
    versionAt: (path, time) => lookup(path)?.timeline.at(time),
    versions: (path, until) => lookup(path)?.timeline.until(until) ?? [],
    changesBetween: (from, to, options = {}) => {
      const found: Version[] = [];
      for (const { spec, timeline } of specs(to)) {
        if (!isListed(spec) && !(options.resources && spec.media !== 'html')) continue;
        if (spec.end && spec.end.at <= from) continue;
        for (const version of timeline.until(to)) if (version.from > from) found.push(version);
      }
      return found.sort((a, b) => a.from - b.from || (a.path < b.path ? -1 : 1));
    },
    contentAt: (path, time) => {
      const entry = lookup(path);
      const version = entry?.timeline.at(time);
      return version && entry?.spec.content(version.from);
    },
    resolve: (path, time) => {
      const entry = lookup(path);
      const version = entry?.timeline.at(time);
      if (entry && version) return { kind: 'page', spec: entry.spec, version };
      if (entry?.spec.end && time >= entry.spec.end.at) {
        const { movedTo } = entry.spec.end;
        return movedTo === undefined ? { kind: 'gone' } : { kind: 'redirect', status: 301, to: movedTo };
      }
      if (path === '/today')
        return { kind: 'redirect', status: 302, to: `/archive/${slashDay(dayOf(time))}/` };
      const legacy = /^\/article\?id=(\d+)$/.exec(path);
      const article = legacy && newsroom.article(Number(legacy[1]));
      if (article && article.publishedAt <= time) {
        if (!isLive(article, time)) return { kind: 'gone' };
        return { kind: 'redirect', status: 301, to: newsroom.state(article, time).path };
      }
      // A directory without its slash, redirected as file servers do.
      if (!path.endsWith('/') && !path.includes('?') && lookup(`${path}/`)?.timeline.at(time)) {
        return { kind: 'redirect', status: 301, to: `${path}/` };
      }
      return { kind: 'none' };
    },
  };
}
