import { setImmediate as turn } from 'node:timers/promises';
import type { EntryKind, PageResult, VisitOutcome } from '../../model/crawl.ts';
import type { Connection } from '../engines/engine.ts';
import { unpackRows } from '../names/packed-rows.ts';
import type { StoredVisitRow } from './visit-rows.ts';

/**
 * What a finished crawl settled at its first try and without a fault is folded: thousands of entries and their visits into one
 * row. They are only ever looked up by URL. All other entries keep their rows.
 */
export interface FoldedEntry {
  readonly id: number;
  readonly url_id: number;
  readonly host_id: number | null;
  readonly kind: EntryKind;
  readonly state: 'captured' | 'unchanged' | 'dropped';
  readonly result: PageResult | 'captured';
  readonly depth: number;
  readonly extra_hops: number;
  readonly redirects: number;
  readonly rank: number;
  readonly reason: string;
  readonly attempts: number;
  readonly is_seed: number;
  readonly via_id: number | null;
  readonly pass: number;
  readonly rate: number | null;
  readonly visit_id: number;
  readonly made_at: number;
  readonly duration: number;
  readonly visit_reason: string;
  readonly outcome: VisitOutcome;
  readonly status: number | null;
  readonly bytes: number;
  /** As text: base64 of the bytes. */
  readonly event: string | null;
}

/** How many folded entries turned out alike: what a tally counts. */
export interface FoldedCount {
  readonly kind: EntryKind;
  readonly host_id: number | null;
  readonly result: PageResult | 'captured';
  readonly entries: number;
  /**
   * Of what is embedded: see embedding-sites.ts; and of pages whose host does not tell it. Absent in crawls from before this was
   * kept, and where no page named it.
   */
  readonly site?: string;
}

/** None where the crawl is not folded. */
export async function foldedCounts(db: Connection, crawlId: number): Promise<readonly FoldedCount[]> {
  const row = await db.selectFrom('crawls').select('folded').where('id', '=', crawlId).executeTakeFirst();
  return row ? foldedIn(row) : [];
}

export const foldedIn = ({ folded }: { readonly folded: string | null }): readonly FoldedCount[] =>
  folded === null ? [] : (JSON.parse(folded) as FoldedCount[]);

/** In the order of URLs. */
export async function* foldedEntries(
  db: Connection,
  crawlId: number,
  urlId?: number,
): AsyncGenerator<FoldedEntry> {
  for (let last = -1; ; ) {
    const part = await db
      .selectFrom('folded_entries')
      .selectAll()
      .where('crawl_id', '=', crawlId)
      .where('part', '>', last)
      .$if(urlId !== undefined, (parts) =>
        parts.where('first_url_id', '<=', urlId as number).where('last_url_id', '>=', urlId as number),
      )
      .orderBy('part')
      .limit(1)
      .executeTakeFirst();
    if (!part) return;
    last = part.part;
    await turn();
    for (const entry of unpackRows(part.entries) as unknown as FoldedEntry[])
      if (urlId === undefined || entry.url_id === urlId) yield entry;
  }
}

export function foldedVisit(entry: FoldedEntry): Omit<StoredVisitRow, 'url'> {
  const { visit_id, visit_reason, url_id, made_at, duration, outcome, status, bytes, event } = entry;
  return {
    ...{ id: visit_id, url_id, made_at, duration, reason: visit_reason, outcome, status, bytes },
    ...{ fault_kind: null, fault_detail: null },
    event: event === null ? null : Buffer.from(event, 'base64'),
  };
}

export interface WantedVisits {
  readonly of: (entry: FoldedEntry) => boolean;
  readonly urlId?: number | undefined;
  /** The newest so many. */
  readonly most: number;
}

export async function foldedVisits(
  db: Connection,
  crawlId: number,
  { of, urlId, most }: WantedVisits,
): Promise<readonly Omit<StoredVisitRow, 'url'>[]> {
  let visits: Omit<StoredVisitRow, 'url'>[] = [];
  const newest = () => visits.sort((a, b) => b.id - a.id).slice(0, most);
  for await (const entry of foldedEntries(db, crawlId, urlId)) {
    if (of(entry)) visits.push(foldedVisit(entry));
    if (visits.length > 2 * most + HELD) visits = newest();
  }
  return newest();
}

/** Visits that are held before they are sorted. */
const HELD = 10_000;
