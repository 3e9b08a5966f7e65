import type { Visit, VisitOutcome } from '../../model/crawl.ts';
import type { FaultKind } from '../../model/fault.ts';
import type { Connection } from '../engines/engine.ts';

/** Outcomes of visits that brought their page home; with a fault, it is impaired. */
export const CAPTURING: readonly VisitOutcome[] = ['captured', 'unchanged', 'dropped'];

export function selectVisits(db: Connection) {
  return db
    .selectFrom('visits as x')
    .innerJoin('urls as u', 'u.id', 'x.url_id')
    .select(['u.url', 'x.made_at', 'x.duration', 'x.reason', 'x.outcome', 'x.status', 'x.bytes'])
    .select(['x.fault_kind', 'x.fault_detail', 'x.event_id']);
}

export interface VisitRow {
  readonly url: string;
  readonly made_at: number;
  readonly duration: number;
  readonly reason: string;
  readonly outcome: VisitOutcome;
  readonly status: number | null;
  readonly bytes: number;
  readonly fault_kind: FaultKind | null;
  readonly fault_detail: string | null;
  readonly event_id: string | null;
}

export function visitOf(row: VisitRow): Visit {
  return {
    url: row.url,
    at: row.made_at,
    duration: row.duration,
    reason: row.reason,
    outcome: row.outcome,
    ...(row.status !== null && { status: row.status }),
    bytes: row.bytes,
    ...(row.fault_kind !== null && { fault: { kind: row.fault_kind, detail: row.fault_detail ?? '' } }),
    ...(row.event_id !== null && { eventId: row.event_id }),
  };
}
