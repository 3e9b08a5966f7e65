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

/** Pages named that belong no more. */
const FALLEN_NAMED = 5;
/** Suspects of one commit. */
const TOLD_AT_ONCE = 1000;
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
    const facts = found.ofPage(
      { url: entry.url, ...(exchange.ip !== undefined && { ip: exchange.ip }) },
      words,
    );
    const links: string[] = [];
    for (const { kind, url } of discovered) if (kind === 'page') links.push(url);
    // Where a page has moved to is read in its place.
    if (isRedirect) {
      const target = discovered.find(({ redirects }) => redirects > 0);
      if (target) perimeter.moved(entry.url, target.url);
      else perimeter.forget(entry.url);
      for (const url of links) perimeter.restoreJoined(found.ofLink(url, url, undefined));
      return { discovered, suspects: [] };
    }
    const linksBefore = perimeter.wasRead(entry.url) ? await this.#linksOf(entry.url) : undefined;
    const reading = perimeter.read(
      {
        facts,
        links,
        hops: entry.extraHops,
        ...(linksBefore && { linksBefore }),
      },
      (url): PageFacts => found.ofLink(url, entry.url, words),
      now,
    );
    this.#reads++;
    const { standing, admits, joined, suspects } = reading;
    const answer = { suspects, ...(entry.kind === 'page' && { standing }) };
    if (!admits) return { discovered, ...answer };
    const risen = new Map(joined.map((one) => [one.url, one]));
    const admitted: NewFrontierEntry[] = [];
    let link = 0;
    for (const one of discovered) {
      if (one.kind !== 'page') admitted.push(one);
      else if (admits[link++]) {
        const found = risen.size === 0 ? undefined : risen.get(one.url);
        if (found) this.#note(one.host, found.chance);
        admitted.push(found ? { ...one, extraHops: found.hops } : one);
      }
    }
    return { discovered: admitted, ...answer };
  }

  /** The server has no such page, or nothing to show of it. */
  isGone(url: string): void {
    this.#with.perimeter.forget(url);
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
    for (const url of fresh) perimeter.restoreJoined(this.#with.facts.ofLink(url, url, undefined));
    const { discovered, suspects } = this.#admitted(risen, [], now);
    const further = fresh.flatMap((url) => this.#with.entryOf(url, now) ?? []);
    return { discovered: [...discovered, ...further.map(first)], suspects };
  }

  #admitted(joined: readonly Suspect[], suspects: readonly Suspect[], now: Millis): Admission {
    const discovered = joined.flatMap((one) => {
      const { url, hops, decided, chance } = one;
      const entry = this.#with.entryOf(url, now);
      if (!entry) return [];
      this.#note(entry.host, chance);
      const risen = { ...entry, extraHops: Number.isFinite(hops) ? hops : 0 };
      return [decided === undefined ? risen : first({ ...risen, reason: decided })];
    });
    return { discovered, suspects };
  }

  /** Hosts are served by the likeliest of their pages. */
  #note(host: string, chance: number): void {
    if (chance > (this.#chances.get(host) ?? 0)) this.#chances.set(host, chance);
  }

  /** Pages that joined and were not read, some at a time: for the end of a crawl. */
  *leftUnread(now: Millis): Generator<readonly Suspect[]> {
    let some: Suspect[] = [];
    for (const suspect of this.#with.perimeter.joinedUnread(now)) {
      some.push(suspect);
      if (some.length < TOLD_AT_ONCE) continue;
      yield some;
      some = [];
    }
    yield some;
  }

  /** What the crawl leaves out that earlier ones took, in a sentence. */
  fallen(now: Millis): readonly string[] {
    const { perimeter } = this.#with;
    const urls = [...perimeter.fallen(now)].map(({ url }) => url);
    if (urls.length === 0) return [];
    const more = urls.length - FALLEN_NAMED;
    const which = `${urls.slice(0, FALLEN_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    return [
      `perimeter ${perimeter.definition.name}: ${urls.length} known page${urls.length === 1 ? '' : 's'} belonged ` +
        `when last read and no longer ${urls.length === 1 ? 'does' : 'do'}, and ` +
        `${urls.length === 1 ? 'was' : 'were'} not read again: ${which} ('daguerre perimeter explain' says why)`,
    ];
  }

  async #linksOf(url: string): Promise<readonly string[]> {
    return (await this.#with.catalog.linksFrom([url])).get(url) ?? [];
  }
}

const first = (entry: NewFrontierEntry): NewFrontierEntry => ({ ...entry, rank: RANKS.decided });
