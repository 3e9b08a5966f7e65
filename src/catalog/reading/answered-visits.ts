import { sql } from 'kysely';
import type { AnsweredVisit } from '../../ports/catalog.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { keyOf, storable } from '../names/stored-text.ts';
import { answeredVisit } from './answered-visit.ts';
import { MIME, SHA256 } from './capture-facts.ts';
import { foldedAnswers, isPageStatus } from './folded-answers.ts';
import { foldedCounts } from './folded-entries.ts';

/** Rows fetched at a time. */
const PAGE = 2_000;

/**
 * Visits that brought an answer, of pages whose first visit did: redirects and pages that were missing then are none.
 * A visit that was tried again left no record before the last try, so that each pass of a page has one row.
 */
function selectAnswered(db: Connection, crawlId: number) {
  return (
    db
      .selectFrom('frontier as f')
      .innerJoin('visits as x', (join) =>
        join.onRef('x.url_id', '=', 'f.url_id').onRef('x.crawl_id', '=', 'f.crawl_id'),
      )
      .innerJoin('captures as c', (join) =>
        join.onRef('c.url_id', '=', 'x.url_id').onRef('c.event', '=', 'x.event'),
      )
      .leftJoin('captures as o', 'o.id', 'c.original_id')
      .innerJoin('urls as u', 'u.id', 'f.url_id')
      .innerJoin('hosts as h', 'h.id', 'f.host_id')
      .leftJoin('urls as v', 'v.id', 'f.via_id')
      .where('f.crawl_id', '=', crawlId)
      .where('f.pass', '=', 0)
      .where('f.kind', '=', 'page')
      .where('f.state', 'in', ['captured', 'unchanged'])
      .where('x.outcome', '<>', 'deferred')
      // The moment that dates the record; one event has one.
      .where('c.type', 'in', ['response', 'revisit'])
      .select(['f.id', 'f.is_seed', 'f.depth', 'f.rate', 'u.url', 'h.host', 'v.url as via'])
      .select(['x.pass', 'x.outcome', 'x.status', 'c.taken_at', 'c.record', 'c.record_id', 'c.truncated'])
      .select([MIME.as('mime'), SHA256.as('sha256')])
  );
}

/** A first visit that found a page: 304 says that the one known still stands. */
const foundPage = sql<boolean>`(x.status between 200 and 299 or x.status = 304)`;

export async function* answeredVisits(engine: Engine, crawlId: number): AsyncIterable<AnsweredVisit> {
  const { db } = engine;
  if ((await foldedCounts(db, crawlId)).length > 0) {
    yield* foldedAnswers(engine, crawlId);
    return;
  }
  let last = 0;
  for (;;) {
    const ids = await db
      .selectFrom('frontier as f')
      .where('f.crawl_id', '=', crawlId)
      .where('f.pass', '=', 0)
      .where('f.kind', '=', 'page')
      .where('f.state', 'in', ['captured', 'unchanged'])
      .where('f.id', '>', last)
      .orderBy('f.id')
      .limit(PAGE)
      .select('f.id')
      .execute();
    const end = ids.at(-1);
    if (!end) return;
    const rows = await selectAnswered(db, crawlId)
      .where('f.id', '>', last)
      .where('f.id', '<=', end.id)
      .orderBy('f.id')
      .orderBy('x.pass')
      .orderBy('c.id')
      .execute();
    const pages = new Set(
      rows.filter(({ pass, status }) => pass === 0 && isPageStatus(status)).map(({ id }) => id),
    );
    for (const row of rows) if (pages.has(row.id)) yield answeredVisit(row);
    last = end.id;
  }
}

export async function unplannedRevisits(
  db: Connection,
  crawlId: number,
  host: string,
): Promise<readonly AnsweredVisit[]> {
  const rows = await selectAnswered(db, crawlId)
    .where('h.key', '=', keyOf(storable(host)))
    .where('x.pass', '=', 0)
    .where(foundPage)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('frontier as again')
            .select('again.id')
            .whereRef('again.crawl_id', '=', 'f.crawl_id')
            .whereRef('again.url_id', '=', 'f.url_id')
            .where('again.pass', '=', 1),
        ),
      ),
    )
    .orderBy('x.id')
    .orderBy('c.id')
    .execute();
  // A page that asked for itself again has two captures in its event; the first is its document.
  const pages = new Map<string, AnsweredVisit>();
  for (const row of rows) if (!pages.has(row.url)) pages.set(row.url, answeredVisit(row));
  return [...pages.values()];
}
