import type { AnsweredVisit } from '../../ports/catalog.ts';
import { recordIdOf } from '../names/stored-ids.ts';

/** A page of a crawl, a visit to it, and the document that came of it: from rows, or folded. */
export interface AnsweredRow {
  readonly url: string;
  readonly host: string;
  readonly via: string | null;
  readonly is_seed: number;
  readonly depth: number;
  readonly rate: number | null;
  readonly pass: number;
  readonly outcome: string;
  readonly status: number | null;
  readonly taken_at: number;
  readonly mime: string;
  readonly sha256: string;
  readonly record: Uint8Array;
  readonly record_id: string | null;
  readonly truncated: AnsweredVisit['truncated'] | null;
}

export function answeredVisit(row: AnsweredRow): AnsweredVisit {
  return {
    url: row.url,
    host: row.host,
    isSeed: row.is_seed === 1,
    ...(row.via !== null && { via: row.via }),
    depth: row.depth,
    rate: row.rate ?? 0,
    pass: row.pass === 1 ? 1 : 0,
    outcome: row.outcome as AnsweredVisit['outcome'],
    at: row.taken_at,
    status: row.status ?? 0,
    mime: row.mime,
    recordId: recordIdOf(row.record, row.record_id),
    sha256: row.sha256,
    ...(row.truncated && { truncated: row.truncated }),
  };
}
