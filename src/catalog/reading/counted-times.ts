import { type RawBuilder, sql } from 'kysely';
import type { CountedQuarter, TimesQuery } from '../../ports/catalog.ts';
import type { Connection } from '../engines/engine.ts';
import { siteId, urlId } from './sighting-queries.ts';

/** Milliseconds. */
const QUARTER = 900_000;

const quarterOf = (column: string): RawBuilder<number> => sql`${sql.ref(column)} / ${sql.lit(QUARTER)}`;

/** Counted by the database, captures from an index alone: a site has a hundred thousand captures and a thousand days. */
export async function countedTimes(db: Connection, query: TimesQuery): Promise<readonly CountedQuarter[]> {
  const { url, site, from, to } = query;
  const [page, of] = [
    url === undefined ? undefined : ((await urlId(db, url)) ?? -1),
    site === undefined ? undefined : ((await siteId(db, site)) ?? -1),
  ];
  const captures = await db
    .selectFrom('captures as c')
    // Records about a page or a crawl (`urn:…`) belong to no site.
    .where('c.site_id', 'is not', null)
    .$if(page !== undefined, (rows) => rows.where('c.url_id', '=', page as number))
    .$if(of !== undefined, (rows) => rows.where('c.site_id', '=', of as number))
    .$if(from !== undefined, (rows) => rows.where('c.taken_at', '>=', from as number))
    .$if(to !== undefined, (rows) => rows.where('c.taken_at', '<=', to as number))
    .select(({ fn }) => [quarterOf('c.taken_at').as('quarter'), fn.countAll<number>().as('captures')])
    .groupBy('quarter')
    .execute();
  const changes = await db
    .selectFrom('changes as c')
    .leftJoin('saliences as s', 's.change_id', 'c.id')
    .where(sql<boolean>`(c.importance > 0 or s.salience > 0 or c.partial = 1)`)
    .$if(page !== undefined, (rows) => rows.where('c.url_id', '=', page as number))
    .$if(of !== undefined, (rows) => rows.where('c.site_id', '=', of as number))
    .$if(from !== undefined, (rows) => rows.where('c.to_at', '>=', from as number))
    .$if(to !== undefined, (rows) => rows.where('c.to_at', '<=', to as number))
    .select(({ fn }) => [
      quarterOf('c.to_at').as('quarter'),
      fn.countAll<number>().as('changes'),
      fn.max<number | null>('s.salience').as('salience'),
    ])
    .groupBy('quarter')
    .execute();
  const all = new Map<number, CountedQuarter>();
  for (const { quarter, captures: count } of captures)
    all.set(quarter, { quarter, captures: count, changes: 0 });
  for (const { quarter, changes: count, salience } of changes)
    all.set(quarter, {
      ...{ quarter, captures: 0, ...all.get(quarter), changes: count },
      ...(salience !== null && { salience }),
    });
  return [...all.values()].sort((a, b) => a.quarter - b.quarter);
}
