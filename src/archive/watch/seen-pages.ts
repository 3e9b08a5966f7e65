import type { CaptureFact } from '../../model/capture.ts';
import type { Millis } from '../../model/time.ts';
import type { VisitLesson } from '../../model/visit-lesson.ts';
import type { SeenVisit, Signal, SignalKind, WatchedPage } from '../../model/watch.ts';
import type { Clock } from '../../ports/clock.ts';
import { storedResponse } from '../../ports/record-store.ts';
import type { CrawlEquipment } from '../crawl/equipment.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import type { LiveSite } from './live-site.ts';
import { itemsOf, SourceReadings } from './source-signals.ts';
import { decided, isFeed } from './watched-pages.ts';

/** Weight of a page that was only just found: importance is known for pages that were read. */
const NEW_PAGE = 0.3;

/** Matched on the address: a page's bytes also name its frames, which are not pages to a reader. */
const LIKE_A_FEED = /rss|atom|feed|\.(?:xml|json)\b/i;
/** Most pages that may wait for their first visit: an endless calendar must not fill the memory. */
const MOST_FOUND = 100_000;

/** Called with the hubs that a feed or a start page announces. */
export type OnHubs = (topic: string, hubs: readonly string[]) => void;

/** Watched pages, and when each was last visited, which decides what is news. */
export class SeenPages {
  sites: readonly LiveSite[];
  readonly #archive: OpenArchive;
  readonly #clock: Clock;
  readonly #pageReader: CrawlEquipment['pageReader'];
  readonly #onHubs: OnHubs | undefined;
  readonly #readings = new SourceReadings();
  readonly #lastVisit = new Map<string, Millis>();
  /** Pages that were found but not visited yet. */
  readonly #found = new Map<string, WatchedPage>();

  constructor(
    archive: OpenArchive,
    sites: readonly LiveSite[],
    {
      clock,
      equipment,
      onHubs,
    }: { readonly clock: Clock; readonly equipment: CrawlEquipment; readonly onHubs?: OnHubs },
  ) {
    this.#onHubs = onHubs;
    this.#archive = archive;
    this.#clock = clock;
    this.#pageReader = equipment.pageReader;
    this.sites = sites;
  }

  has(url: string): boolean {
    return this.#lastVisit.has(url);
  }

  visited(url: string, at: Millis): void {
    this.#lastVisit.set(url, at);
    this.#found.delete(url);
  }

  /** They are in none of the archive's lists, which only have captured pages. */
  found(): readonly WatchedPage[] {
    return [...this.#found.values()];
  }

  /** Called before all pages that were visited are listed again. */
  forget(): void {
    this.#lastVisit.clear();
  }

  /** It will not become a page: gone, or a redirect. */
  drop(url: string): void {
    this.#found.delete(url);
  }

  siteOf(url: string): LiveSite | undefined {
    const name = this.#archive.catalog.siteBounds().siteOf(url);
    return this.sites.find((site) => site.name === name);
  }

  /** What a page that was read says of others: items of a source, and links to unknown pages. */
  async newsIn(
    { url, at, answer: main, links }: Pick<VisitLesson, 'url' | 'at' | 'answer' | 'links'>,
    sources: Readonly<Record<string, SignalKind>>,
  ): Promise<Pick<SeenVisit, 'signals' | 'discovered'>> {
    const kind = sources[url] ?? this.#kindOf(url, main);
    const signals = kind && main ? await this.#newsOf({ url, kind, at }, main) : [];
    const isStart = this.siteOf(url)?.wanted.includes(url) === true;
    if (main && (kind === 'feed' || isStart)) await this.#lookForHubs(main).catch(() => {});
    const named = main && isStart ? await this.#namedBy(main).catch(() => []) : [];
    const found = [...links, ...named, ...signals.map((signal) => signal.url)];
    const discovered = await this.discover(found);
    return { signals, ...(discovered.length > 0 && { discovered }) };
  }

  /** Only pages of watched sites are subscribed to, whatever a document calls itself. */
  async #lookForHubs(main: CaptureFact): Promise<void> {
    if (!this.#onHubs) return;
    const response = storedResponse(await this.#archive.reader.read(main));
    if (!response) return;
    const { hubs, topic } = await this.#pageReader.readHubs({ url: main.url, response });
    const isWatched = topic === main.url || this.siteOf(topic)?.has(topic) === true;
    if (hubs.length > 0 && isWatched) this.#onHubs(topic, hubs);
  }

  /** URLs that its bytes name: feeds, which a browser does not show. */
  async #namedBy(main: CaptureFact): Promise<readonly string[]> {
    const response = storedResponse(await this.#archive.reader.read(main));
    const links = response ? (await this.#pageReader.read({ url: main.url, response })).links : [];
    return links.filter((url) => LIKE_A_FEED.test(url));
  }

  #kindOf(url: string, main: CaptureFact | undefined): SignalKind | undefined {
    const isNamed = this.siteOf(url)?.settings.feeds.includes(url);
    return isNamed || (main && isFeed(main.mime)) ? 'feed' : undefined;
  }

  async #newsOf(
    source: Parameters<SourceReadings['news']>[0],
    main: CaptureFact,
  ): Promise<readonly Signal[]> {
    const ports = { reader: this.#archive.reader, pageReader: this.#pageReader };
    // An unreadable source tells nothing; that it is damaged is reported elsewhere.
    const items = await itemsOf(main, ports).catch(() => new Map<string, Millis | undefined>());
    const watched = new Map([...items].filter(([page]) => this.siteOf(page)?.has(page)));
    return this.#readings.news(source, watched, (page) => this.#lastVisit.get(page));
  }

  /** Those of them that are unknown and watched: found from now on. */
  async discover(links: readonly string[]): Promise<readonly WatchedPage[]> {
    if (links.length === 0) return [];
    const { held } = await this.#archive.decisions();
    const now = this.#clock.now();
    const found: WatchedPage[] = [];
    for (const url of new Set(links)) {
      const isKnown = this.#lastVisit.has(url) || this.#found.has(url) || this.#found.size >= MOST_FOUND;
      const site = isKnown ? undefined : this.siteOf(url);
      const page = site?.has(url)
        ? decided({ url, observations: 0, changes: 0 }, site, held, now, NEW_PAGE)
        : undefined;
      if (!page) continue;
      this.#found.set(url, page);
      found.push(page);
    }
    return found;
  }
}
