import type { CaptureFact } from '../../model/capture.ts';
import type { Millis } from '../../model/time.ts';
import type { SeenVisit, Signal, SignalKind, WatchedPage } from '../../model/watch.ts';
import type { VisitCommit } from '../../ports/catalog.ts';
import type { Clock } from '../../ports/clock.ts';
import { storedResponse } from '../../ports/record-store.ts';
import type { CrawlEquipment } from '../crawl/equipment.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import type { LiveSite } from './live-site.ts';
import { itemsOf, SourceReadings } from './source-signals.ts';
import { decided, isFeed } from './watched-pages.ts';

/** Weight of a page that was found a moment ago: importance is told of pages that were read. */
const NEW_PAGE = 0.3;

/** By its address: the bytes of a page name its frames too, and those are no pages to a reader. */
const LIKE_A_FEED = /rss|atom|feed|\.(?:xml|json)\b/i;
/** Pages that wait for their first visit: a calendar without end must not fill the memory. */
const MOST_FOUND = 100_000;

/** Told of the hubs that a feed or a start page announces. */
export type OnHubs = (topic: string, hubs: readonly string[]) => void;

/** Pages that are watched, and when each was last visited: what is news is told against it. */
export class SeenPages {
  sites: readonly LiveSite[];
  readonly #archive: OpenArchive;
  readonly #clock: Clock;
  readonly #pageReader: CrawlEquipment['pageReader'];
  readonly #onHubs: OnHubs | undefined;
  readonly #readings = new SourceReadings();
  readonly #lastVisit = new Map<string, Millis>();
  /** Pages that were found and not visited yet. */
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

  /** They are in no list of the archive, whose pages were all captured. */
  found(): readonly WatchedPage[] {
    return [...this.#found.values()];
  }

  /** They are listed anew, all that were visited. */
  forget(): void {
    this.#lastVisit.clear();
  }

  /** It will not be there: gone, or a redirect. */
  drop(url: string): void {
    this.#found.delete(url);
  }

  siteOf(url: string): LiveSite | undefined {
    const name = this.#archive.catalog.siteBounds().siteOf(url);
    return this.sites.find((site) => site.name === name);
  }

  /** What a page that was read says of others: items of a source, and links to pages that nobody knows yet. */
  async newsIn(
    url: string,
    stored: VisitCommit,
    sources: Readonly<Record<string, SignalKind>>,
  ): Promise<Pick<SeenVisit, 'signals' | 'discovered'>> {
    const main = stored.captures.find((fact) => fact.url === url && fact.type === 'response');
    const kind = sources[url] ?? this.#kindOf(url, main);
    const signals = kind && main ? await this.#newsOf({ url, kind, at: stored.visit.at }, main) : [];
    const isStart = this.siteOf(url)?.wanted.includes(url) === true;
    if (main && (kind === 'feed' || isStart)) await this.#lookForHubs(main).catch(() => {});
    const named = main && isStart ? await this.#namedBy(main).catch(() => []) : [];
    const found = [...(stored.page?.links ?? []), ...named, ...signals.map((signal) => signal.url)];
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

  /** What its bytes name: feeds, which a browser shows nobody. */
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
    // A source that cannot be read tells nothing: that it is damaged, others say.
    const items = await itemsOf(main, ports).catch(() => new Map<string, Millis | undefined>());
    const watched = new Map([...items].filter(([page]) => this.siteOf(page)?.has(page)));
    return this.#readings.news(source, watched, (page) => this.#lastVisit.get(page));
  }

  /** Those of them that nobody knows, and that are watched: found from now on. */
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
