import type { Crawl, FrontierEntry } from '../model/crawl.ts';
import type { FrontierCatalog, HostCount } from '../ports/catalog.ts';
import { newHost } from '../science/policy/politeness.ts';
import type { SiteOrder } from '../science/policy/site-order.ts';
import { Host } from './host.ts';
import { type BandCounts, NOTHING_PENDING } from './host-queue.ts';

export interface HostsOptions {
  readonly order: SiteOrder;
  /** Pages that the last capture had, by host. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** Chances from which a host comes before others: within each part, the one whose turn is longest ago. */
const LIKELY = [0.9, 0.7, 0] as const;

/** The hosts of a crawl, made when they are first met, or as an earlier run of the crawl left them. */
export class Hosts {
  readonly #crawl: Crawl;
  readonly #catalog: Pick<FrontierCatalog, 'pending'>;
  readonly #options: HostsOptions;
  readonly #hosts = new Map<string, Host>();
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
    for (const name of new Set(counts.map(({ host }) => host))) {
      this.#resume(
        name,
        counts.filter(({ host }) => host === name),
      );
    }
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

  claim({ kind }: FrontierEntry): void {
    if (kind === 'page') this.pagesClaimed++;
  }

  /** It was not visited after all, or will be visited again. */
  unclaim({ kind }: FrontierEntry): void {
    if (kind === 'page') this.pagesClaimed--;
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
    for (const { kind, depth, isPending, entries } of counts) {
      if (kind === 'revisit' && isPending) host.revisiting = true;
      if (kind !== 'page') continue;
      this.pagesKnown += entries;
      host.curve.detect(depth, entries);
      if (isPending) continue;
      host.curve.download(depth, entries);
      host.unplanned = true;
    }
  }

  #open(name: string, pending: BandCounts): Host {
    const { id, spec } = this.#crawl;
    const host = new Host(name, {
      politeness: newHost(),
      pending,
      load: ({ limit, ...range }) => this.#catalog.pending(id, name, limit, range),
      order: this.#options.order,
      sizeGuess: this.#options.sizes.get(name) ?? 0,
      pageLimit: spec.limits.pages,
    });
    this.#hosts.set(name, host);
    return host;
  }
}
