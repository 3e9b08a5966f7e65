import { type Crawl, type FrontierEntry, RANKS } from '../model/crawl.ts';
import type { Millis } from '../model/time.ts';
import type { FrontierCatalog, HostCount } from '../ports/catalog.ts';
import type { SiteOrder } from '../science/policy/site-order.ts';
import { Courtesy, type HostManners } from './courtesy.ts';
import { Host } from './host.ts';
import type { HostLeases } from './host-leases.ts';
import { type BandCounts, NOTHING_PENDING } from './host-queue.ts';
import { type KnownPage, KnownPages } from './known-pages.ts';
import type { HostPause } from './progress.ts';

export interface HostsOptions {
  readonly order: SiteOrder;
  /** Pages that the last capture had, by host. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Shared with other crawls; one of its own unless given. */
  readonly courtesy?: Courtesy;
  /** Where other processes ask hosts of the crawl as well. */
  readonly leases?: HostLeases;
  /** Pages of the last capture that the crawl begins with. */
  readonly known?: readonly KnownPage[];
}

/** A page that a person has named, and no link: as seeds are, it is taken before the limit is spent on others. */
export const isPromised = ({ kind, rank, via, isSeed }: FrontierEntry): boolean =>
  kind === 'page' && rank === RANKS.decided && via === undefined && !isSeed;

/** Chances from which a host comes before others: within each part, the one whose turn is longest ago. */
const LIKELY = [0.9, 0.7, 0] as const;

/** Milliseconds from which waiting for a host is told as such. */
const LONG_WAIT = 10_000;

/** The hosts of a crawl, made when they are first met, or as an earlier run of the crawl left them. */
export class Hosts {
  readonly #crawl: Crawl;
  readonly #catalog: Pick<FrontierCatalog, 'pending'>;
  readonly #options: HostsOptions;
  readonly #hosts = new Map<string, Host>();
  readonly #courtesy: Courtesy;
  readonly #promised = new Set<number>();
  readonly known: KnownPages;
  /** Entries that are asked for last: the estimate of the size does not count on them. */
  readonly #postponed = new Set<number>();
  /** Pages that the crawl knows, over all hosts. */
  pagesKnown = 0;
  /** Pages that were visited, or are being visited: what the page limit counts. */
  pagesClaimed = 0;

  constructor(
    crawl: Crawl,
    catalog: Pick<FrontierCatalog, 'pending'>,
    counts: readonly HostCount[],
    options: HostsOptions,
  ) {
    this.#crawl = crawl;
    this.#catalog = catalog;
    this.#options = options;
    this.#courtesy = options.courtesy ?? new Courtesy();
    this.known = new KnownPages(options.known);
    for (const name of new Set(counts.map(({ host }) => host))) {
      this.#resume(
        name,
        counts.filter(({ host }) => host === name),
      );
    }
  }

  /** The host whose turn comes first, where that is a while off. */
  pause(now: Millis): HostPause | undefined {
    let first: HostPause | undefined;
    for (const host of this.#hosts.values()) {
      if (host.queue.waiting === 0) continue;
      const left = host.readyAt(now) - now;
      if (left < LONG_WAIT) return undefined;
      if (!first || left < first.left) first = { host: host.name, left };
    }
    return first;
  }

  /** Those whose turn is longest ago first. */
  all(): readonly Host[] {
    return [...this.#hosts.values()];
  }

  /** Likewise, and before that the likelier ones. */
  byChance(chanceOf: (host: string) => number): readonly Host[] {
    if (this.#hosts.size < 2) return this.all();
    const parts: Host[][] = LIKELY.map(() => []);
    for (const host of this.#hosts.values()) {
      const chance = chanceOf(host.name);
      parts[LIKELY.findIndex((least) => chance >= least)]?.push(host);
    }
    return parts.flat();
  }

  get(name: string): Host {
    return this.#hosts.get(name) ?? this.#open(name, NOTHING_PENDING);
  }

  /** Pages that may still join the schedule. */
  get room(): number {
    return this.#crawl.spec.limits.pages - this.pagesKnown;
  }

  /** Pages that wait and that the page limit keeps room for. */
  get promised(): number {
    return this.#promised.size;
  }

  /** A new entry stands in the catalog. */
  joined(entry: FrontierEntry): void {
    const host = this.get(entry.host);
    if (entry.kind === 'page') {
      this.#count(host, entry, 1);
      this.pagesKnown++;
      this.#promise(entry);
    }
    host.queue.offer(entry);
  }

  #promise(entry: FrontierEntry): void {
    if (isPromised(entry)) this.#promised.add(entry.id);
  }

  #count({ curve }: Host, entry: FrontierEntry, pages: 1 | -1): void {
    if (this.known.has(entry)) curve.know(entry.depth, pages);
    else curve.detect(entry.depth, pages);
  }

  /** A known page that is likely to be gone waits until nothing else does; false where that is so. */
  postpone(host: Host, entry: FrontierEntry): boolean {
    if (!this.known.isDoubtful(entry) || !host.queue.postpone(entry)) return false;
    if (!this.#postponed.has(entry.id)) this.#count(host, entry, -1);
    this.#postponed.add(entry.id);
    return true;
  }

  claim(entry: FrontierEntry): void {
    this.#promised.delete(entry.id);
    if (entry.kind !== 'page') return;
    this.pagesClaimed++;
    if (this.#postponed.delete(entry.id)) this.#count(this.get(entry.host), entry, 1);
  }

  /** It was visited for the last time, or will not be. */
  settled({ id }: FrontierEntry): void {
    this.#promised.delete(id);
  }

  /** Of a host that the crawl may hold nothing of. */
  mannersAt(name: string): { readonly manners: HostManners; readonly leases: HostLeases | undefined } {
    return { manners: this.#courtesy.of(name), leases: this.#options.leases };
  }

  /** It will not be visited. */
  dropped(entry: FrontierEntry): void {
    this.settled(entry);
    if (entry.kind === 'page' && !this.#postponed.delete(entry.id))
      this.#count(this.get(entry.host), entry, -1);
  }

  /** It was not visited after all, or will be visited again. */
  unclaim(entry: FrontierEntry): void {
    this.#promise(entry);
    if (entry.kind === 'page') this.pagesClaimed--;
  }

  /** To the end of the line, so that with few workers every host gets its turn. */
  hadTurn(host: Host): void {
    this.#hosts.delete(host.name);
    this.#hosts.set(host.name, host);
  }

  #resume(name: string, counts: readonly HostCount[]): void {
    const sum = (band: HostCount['band']): number =>
      counts.reduce((total, one) => total + (one.isPending && one.band === band ? one.entries : 0), 0);
    const host = this.#open(name, { atOnce: sum('at-once'), pages: sum('pages'), reserve: sum('reserve') });
    const atDepth = new Map<number, number>();
    for (const { kind, depth, isPending, entries } of counts) {
      if (kind === 'revisit' && isPending) host.revisiting = true;
      if (kind !== 'page') continue;
      this.pagesKnown += entries;
      const before = atDepth.get(depth) ?? 0;
      atDepth.set(depth, before + entries);
      const known = Math.min(entries, Math.max(0, this.known.at(name, depth) - before));
      host.curve.know(depth, known);
      host.curve.detect(depth, entries - known);
      if (isPending) continue;
      host.curve.download(depth, entries);
      host.unplanned = true;
    }
  }

  #open(name: string, pending: BandCounts): Host {
    const { id, spec } = this.#crawl;
    const host = new Host(name, {
      manners: this.#courtesy.of(name),
      pending,
      load: ({ limit, ...range }) => this.#catalog.pending(id, name, limit, range),
      order: this.#options.order,
      sizeGuess: this.#options.sizes.get(name) ?? 0,
      pageLimit: spec.limits.pages,
      known: this.known,
      leases: this.#options.leases,
    });
    this.#hosts.set(name, host);
    return host;
  }
}
