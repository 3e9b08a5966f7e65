import type { NewFrontierEntry } from '../model/crawl.ts';
import { RANKS } from '../model/crawl.ts';
import type { PerimeterStanding, Suspect } from '../model/perimeter.ts';
import type { Millis } from '../model/time.ts';
import type { PerimeterCatalog } from '../ports/catalog.ts';
import type { OnlinePerimeter } from '../science/perimeter/online-perimeter.ts';
import type { PageFacts } from '../science/perimeter/page-facts.ts';
import type { PerimeterFacts } from '../stages/perimeter-facts.ts';
import type { Digested } from './visit/visit-state.ts';

/** What became of a page and its links. */
export interface Admission {
  readonly discovered: readonly NewFrontierEntry[];
  /** How the page stands; absent of what is no page. */
  readonly standing?: PerimeterStanding;
  readonly suspects: readonly Suspect[];
}

export interface GateOptions {
  readonly perimeter: OnlinePerimeter;
  readonly facts: PerimeterFacts;
  readonly catalog: Pick<PerimeterCatalog, 'linksFrom'>;
  /** An entry for a page that no link of the moment leads to. */
  readonly entryOf: (url: string, now: Millis) => NewFrontierEntry | undefined;
}

/** Share of the pages read whose late relevance is handed on when nothing else is left to do, and the fewest. */
const RELEASED_SHARE = 0.05;
const RELEASED_AT_LEAST = 100;

/**
 * Keeps a crawl inside a perimeter: each page that is read is judged, and of its links those alone join the frontier that are
 * believed to belong. The others are suspects: stored, and judged again whenever another page links to them.
 */
export class PerimeterGate {
  readonly #with: GateOptions;
  /** By host: the highest chance of a page that joined. */
  readonly #chances = new Map<string, number>();
  #reads = 0;
  #readsReleased = 0;

  constructor(options: GateOptions) {
    this.#with = options;
  }

  /** Links of a page are the pages among `discovered`. */
  async admit(state: Digested, discovered: readonly NewFrontierEntry[], now: Millis): Promise<Admission> {
    const { entry, document, isRedirect, words } = state;
    const { perimeter, facts: found } = this.#with;
    if (entry.kind !== 'page' && entry.kind !== 'sitemap') return { discovered, suspects: [] };
    const { exchange } = document;
    const facts = found.ofPage({ ...exchange, url: entry.url }, words?.text);
    const links = discovered.filter(({ kind }) => kind === 'page');
    // Where a page has moved to is read in its place.
    if (isRedirect) {
      for (const { url } of links) perimeter.restoreJoined(url);
      return { discovered, suspects: [] };
    }
    const linksBefore = perimeter.wasRead(entry.url) ? await this.#linksOf(entry.url) : undefined;
    const reading = perimeter.read(
      {
        facts,
        links: links.map(({ url }) => url),
        hops: entry.extraHops,
        ...(linksBefore && { linksBefore }),
      },
      (url): PageFacts => found.ofLink(url, entry.url, words),
      now,
    );
    this.#reads++;
    const rising = new Map(reading.joined.map((suspect) => [suspect.url, suspect]));
    return {
      discovered: discovered.flatMap((one) => {
        const risen = rising.get(one.url);
        if (risen) return [this.#joining({ ...one, extraHops: risen.hops }, risen)];
        return one.kind !== 'page' || perimeter.hasJoined(one.url) ? [one] : [];
      }),
      ...(entry.kind === 'page' && { standing: reading.standing }),
      suspects: [...reading.joined, ...reading.suspects],
    };
  }

  /** How likely pages of a host are to belong; seeds and what is known from before are as likely as can be. */
  chanceOf(host: string): number {
    return this.#chances.get(host) ?? 1;
  }

  /** Whether relevance may wait at pages that were read. */
  get hasWaiting(): boolean {
    return this.#with.perimeter.depth > 1 && this.#reads > this.#readsReleased;
  }

  /** Nothing else is left to do: what waits is handed on, and may raise suspects. */
  async release(now: Millis): Promise<Admission> {
    this.#readsReleased = this.#reads;
    const { perimeter, catalog } = this.#with;
    const pages = perimeter.waiting(Math.max(RELEASED_AT_LEAST, Math.ceil(RELEASED_SHARE * this.#reads)));
    const links = await catalog.linksFrom(pages);
    const joined: Suspect[] = [];
    const suspects: Suspect[] = [];
    for (const page of pages) {
      const judged = perimeter.release(page, links.get(page) ?? [], now);
      joined.push(...judged.joined);
      suspects.push(...judged.suspects);
    }
    return this.#admitted(joined, suspects, now);
  }

  /** A person has decided something: suspects that belong by it join, and pages that nobody links to. */
  decided(pages: readonly string[], now: Millis): Admission {
    const { perimeter } = this.#with;
    const risen = perimeter.decidedIn(now);
    const fresh = pages.filter((url) => !perimeter.hasJoined(url));
    for (const url of fresh) perimeter.restoreJoined(url);
    const { discovered, suspects } = this.#admitted(risen, [], now);
    const further = fresh.flatMap((url) => this.#with.entryOf(url, now) ?? []);
    return { discovered: [...discovered, ...further.map(first)], suspects };
  }

  #admitted(joined: readonly Suspect[], suspects: readonly Suspect[], now: Millis): Admission {
    const discovered = joined.flatMap(({ url, hops, chance, decided }) => {
      const entry = this.#with.entryOf(url, now);
      if (!entry) return [];
      const risen = this.#joining({ ...entry, extraHops: Number.isFinite(hops) ? hops : 0 }, { chance });
      return [decided === undefined ? risen : first({ ...risen, reason: decided })];
    });
    return { discovered, suspects: [...joined, ...suspects] };
  }

  #joining(entry: NewFrontierEntry, { chance }: Pick<Suspect, 'chance'>): NewFrontierEntry {
    this.#chances.set(entry.host, Math.max(chance, this.#chances.get(entry.host) ?? 0));
    return entry;
  }

  async #linksOf(url: string): Promise<readonly string[]> {
    return (await this.#with.catalog.linksFrom([url])).get(url) ?? [];
  }
}

const first = (entry: NewFrontierEntry): NewFrontierEntry => ({ ...entry, rank: RANKS.decided });
