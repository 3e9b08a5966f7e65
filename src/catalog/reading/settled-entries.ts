import { sql } from 'kysely';
import type { PageResult } from '../../model/crawl.ts';
import { REDIRECT_STATUSES } from '../../model/exchange.ts';
import type { Connection } from '../engines/engine.ts';
import { EMBEDDED } from './embedding-sites.ts';

const HELD = sql<boolean>`exists (select 1 from captures c where c.url_id = f.url_id
  and c.taken_at < k.started_at and (c.status between 200 and 299 and c.status <> 206
    or c.status = 304 and c.type = 'revisit'))`;
/** Other bytes, and nothing that a reader sees, by the layouts: tokens and advertisements are no change (model/comparison.ts). */
const SAME_TO_READER = sql<boolean>`exists (select 1 from versions v
  left join changes ch on ch.url_id = v.url_id and ch.to_at = v.seen_at left join saliences sa on sa.change_id = ch.id
  where v.url_id = f.url_id and v.seen_at between x.made_at and x.made_at + x.duration
    and v.basis <> 'payload' and v.reason <> 'partial' and v.importance = 0
    and coalesce(sa.salience, 0) = 0 and coalesce(ch.partial, 0) = 0)`;
const REDIRECTS = sql.join(REDIRECT_STATUSES.map((status) => sql.lit(status)));

/**
 * How a settled entry `f` of the crawl `k` turned out, told from its visit `x` and from what the archive held before the crawl:
 * so a catalog rebuilt from the records tells the same.
 */
export const settledResult = sql<PageResult | 'captured'>`case
  when f.kind <> 'page' then f.state
  when f.state <> 'failed' and x.status in (${REDIRECTS}) then 'redirect'
  when f.state = 'captured' then case when not ${HELD} then 'new' when ${SAME_TO_READER} then 'unchanged' else 'changed' end
  when f.state = 'failed' and x.status in (404, 410) and ${HELD} then 'gone'
  else f.state end`;

/** What names an entry, where it counts for the site of that. */
export const VIA = sql<
  number | null
>`case when f.kind in (${sql.join(EMBEDDED.map((kind) => sql.lit(kind)))}) then f.via_id end`;

/** The page itself, where its host does not tell its site. */
export const ownUrl = (divided: ReadonlySet<number>) =>
  divided.size === 0
    ? sql<number | null>`cast(null as bigint)`
    : sql<number | null>`case when f.kind in ('page', 'revisit')
        and f.host_id in (${sql.join([...divided].map((id) => sql.lit(id)))}) then f.url_id end`;

/** Those that have rows: see folded-entries.ts. */
export function settledEntries(
  db: Connection,
  crawlIds: readonly number[],
  divided: ReadonlySet<number> = new Set(),
) {
  return (
    db
      .selectFrom('frontier as f')
      .innerJoin('crawls as k', 'k.id', 'f.crawl_id')
      .leftJoin('hosts as h', 'h.id', 'f.host_id')
      // The visit that settled it; those before were deferred. The plus keeps SQLite from walking all visits of the crawl for
      // each entry: the index by URL is the one to use.
      .leftJoin('visits as x', (join) =>
        join.on(
          sql<boolean>`x.id = (select max(v.id) from visits v where v.url_id = f.url_id
          and +v.crawl_id = f.crawl_id and v.pass = f.pass and v.outcome = f.state)`,
        ),
      )
      .where('f.crawl_id', 'in', crawlIds)
      .where('f.pass', '=', 0)
      .where('f.state', 'in', ['captured', 'unchanged', 'dropped', 'failed'])
      .select([
        'f.crawl_id',
        'f.kind',
        'f.why',
        'h.host',
        'x.id as visitId',
        settledResult.as('result'),
        VIA.as('via'),
      ])
      .select(ownUrl(divided).as('own'))
  );
}
