import type { Crawl, FrontierEntry, NewFrontierEntry } from '../model/crawl.ts';
import type { HistoryCatalog } from '../ports/catalog.ts';

/** A page of the last capture, as an entry of this one. */
export interface KnownPage extends Pick<NewFrontierEntry, 'url' | 'host' | 'depth'> {
  /** The page that led to it then. */
  readonly ledBy?: string;
  /** Why it is in the crawl, before a slot is chosen for it. */
  readonly reason?: string;
}

/**
 * The pages of the last capture that a crawl began with. They stand in its frontier without a page that named them, until one
 * links to them; those that none does are told apart at the end.
 */
export class KnownPages {
  readonly #depths = new Map<string, Map<number, number>>();
  readonly #reasons: ReadonlyMap<string, string>;
  /** As far as this run of the crawl knows: the frontier keeps the first page that linked. */
  readonly #unlinked: Set<string>;
  /** The page that led to each in the last capture, by URL. */
  readonly #ledBy: ReadonlyMap<string, string>;
  /** Pages that were read in this run. */
  readonly #read = new Set<string>();

  constructor(entries: readonly KnownPage[] = []) {
    this.#reasons = new Map(entries.map(({ url, reason = '' }) => [url, reason]));
    this.#unlinked = new Set(this.#reasons.keys());
    this.#ledBy = new Map(
      entries.flatMap(({ url, ledBy }) => (ledBy === undefined ? [] : [[url, ledBy] as const])),
    );
    for (const { host, depth } of entries) {
      const depths = this.#depths.get(host) ?? new Map<number, number>();
      this.#depths.set(host, depths.set(depth, (depths.get(depth) ?? 0) + 1));
    }
  }

  get size(): number {
    return this.#reasons.size;
  }

  has({ url }: Pick<FrontierEntry, 'url'>): boolean {
    return this.#reasons.has(url);
  }

  /** Why it is in the crawl; undefined of what is no known page. */
  reasonOf({ url }: Pick<FrontierEntry, 'url'>): string | undefined {
    return this.#reasons.get(url);
  }

  /** How many of them a host has so many links away from the seeds. */
  at(host: string, depth: number): number {
    return this.#depths.get(host)?.get(depth) ?? 0;
  }

  /** The page that led to it was read again, and it was not linked there, nor anywhere: it may well be gone. */
  isDoubtful({ url }: Pick<FrontierEntry, 'url'>): boolean {
    const ledBy = this.#ledBy.get(url);
    return ledBy !== undefined && this.#read.has(ledBy) && this.#unlinked.has(url);
  }

  /** Of what a page names, those that nothing has named before in this run. */
  linked(from: string, found: readonly Pick<NewFrontierEntry, 'url' | 'kind'>[]): readonly string[] {
    if (this.#unlinked.size === 0) return [];
    this.#read.add(from);
    return found.flatMap(({ url, kind }) => (kind === 'page' && this.#unlinked.delete(url) ? [url] : []));
  }
}

/** Pages named in a note; the log of the crawl has all of them. */
const NAMED = 5;

/** Of the known pages, those that are still there and that no page of the crawl led to: a reader of the site finds them no more. */
export async function unlinkedNotes(
  { id }: Pick<Crawl, 'id'>,
  known: KnownPages,
  catalog: Pick<HistoryCatalog, 'answeredVisits'>,
): Promise<readonly string[]> {
  if (known.size === 0) return [];
  const named: string[] = [];
  let count = 0;
  for await (const { url, via, isSeed, pass } of catalog.answeredVisits(id)) {
    if (pass === 1 || isSeed || via !== undefined || !known.has({ url })) continue;
    count++;
    if (named.length < NAMED) named.push(url);
  }
  if (count === 0) return [];
  const rest = count > named.length ? ` and ${count - named.length} more` : '';
  const pages = count === 1 ? 'page of the last capture is' : 'pages of the last capture are';
  return [
    `${count} ${pages} still there, though no page that was visited links to ${count === 1 ? 'it' : 'them'} any more: ${named.join(', ')}${rest}`,
  ];
}
