import type { Visit, VisitOutcome } from '../../model/crawl.ts';
import type { FaultKind } from '../../model/fault.ts';
import type { Connection } from '../engines/engine.ts';
import { eventText } from '../names/stored-ids.ts';
import { urlsById } from './urls-by-id.ts';

/** Outcomes of visits that captured their page; with a fault, the page is impaired. */
export const CAPTURING: readonly VisitOutcome[] = ['captured', 'unchanged', 'dropped'];

export function selectVisits(db: Connection) {
  return db
    .selectFrom('visits as x')
    .innerJoin('urls as u', 'u.id', 'x.url_id')
    .select([
      'x.id',
      'x.url_id',
      'u.url',
      'x.made_at',
      'x.duration',
      'x.reason',
      'x.outcome',
      'x.status',
      'x.bytes',
    ])
    .select(['x.fault_kind', 'x.fault_detail', 'x.event']);
}

export interface StoredVisitRow {
  readonly id: number;
  readonly url_id: number;
  readonly url: string;
  readonly made_at: number;
  readonly duration: number;
  readonly reason: string;
  readonly outcome: VisitOutcome;
  readonly status: number | null;
  readonly bytes: number;
  readonly fault_kind: FaultKind | null;
  readonly fault_detail: string | null;
  readonly event: Uint8Array | null;
}

export function visitOf(row: StoredVisitRow): Visit {
  return {
    url: row.url,
    at: row.made_at,
    duration: row.duration,
    reason: row.reason,
    outcome: row.outcome,
    ...(row.status !== null && { status: row.status }),
    bytes: row.bytes,
    ...(row.fault_kind !== null && { fault: { kind: row.fault_kind, detail: row.fault_detail ?? '' } }),
    ...(row.event !== null && { eventId: eventText(row.event) }),
  };
}

/** Visits that were folded have the id of their URL alone. */
export async function withUrls(
  db: Connection,
  rows: readonly (Omit<StoredVisitRow, 'url'> & { readonly url?: string })[],
): Promise<readonly StoredVisitRow[]> {
  const names = await urlsById(
    db,
    rows.flatMap(({ url, url_id }) => (url === undefined ? [url_id] : [])),
  );
  return rows.map((row) => ({ ...row, url: row.url ?? names.get(row.url_id) ?? '' }));
}
