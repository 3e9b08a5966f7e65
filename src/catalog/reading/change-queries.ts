import { type ExpressionBuilder, sql } from 'kysely';
import type { BlockCourse, ChangeOperation, PageCourse } from '../../model/change.ts';
import { pageInfoUri } from '../../model/derived-uris.ts';
import type { ChangeQuery, ChangeSummary } from '../../ports/catalog.ts';
import type { Connection } from '../engines/engine.ts';
import { keyOf, storable } from '../names/stored-text.ts';
import type { Tables } from '../tables.ts';
import { foldForSearch } from '../writing/commit-pages.ts';

/** Changes whose operations are read together. */
const AT_ONCE = 200;

/** Ranked by importance, or newest first. Operations: those that the query asks for, heaviest first. */
export async function changes(db: Connection, query: ChangeQuery): Promise<readonly ChangeSummary[]> {
  const { url, site, since, until, minImportance, limit = Number.MAX_SAFE_INTEGER, offset = 0 } = query;
  let rows = db
    .selectFrom('changes as c')
    .innerJoin('urls as u', 'u.id', 'c.url_id')
    .select(['c.id', 'u.url', 'c.from_at', 'c.to_at', 'c.importance', 'c.partial', 'c.operations'])
    .limit(limit)
    .offset(offset);
  rows =
    query.sort === 'time'
      ? rows.orderBy('c.to_at', 'desc').orderBy('c.importance', 'desc')
      : rows.orderBy('c.importance', 'desc').orderBy('c.to_at', 'desc');
  rows = rows.orderBy('u.url').orderBy('c.id');
  if (url !== undefined) rows = rows.where('u.key', '=', keyOf(storable(url)));
  if (site !== undefined) {
    const key = keyOf(storable(site));
    rows = rows.where('c.site_id', '=', ({ selectFrom }) =>
      selectFrom('sites').select('id').where('key', '=', key),
    );
  }
  if (since !== undefined) rows = rows.where('c.to_at', '>=', since);
  if (until !== undefined) rows = rows.where('c.to_at', '<=', until);
  if (minImportance !== undefined) rows = rows.where('c.importance', '>=', minImportance);
  if (asksForOperations(query)) {
    rows = rows.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('operations as o')
          .select('o.place')
          .whereRef('o.change_id', '=', 'c.id')
          .where((operation) => wanted(operation, query)),
      ),
    );
  }
  const found = await rows.execute();
  const operations = await operationsOf(
    db,
    found.map(({ id }) => id),
    query,
  );
  return found.map(({ id, url: page, from_at, to_at, importance, partial, operations: count }) => ({
    url: page,
    from: from_at,
    to: to_at,
    importance,
    ...(partial === 1 && { partial: true as const }),
    count,
    operations: operations.get(id) ?? [],
  }));
}

const asksForOperations = ({ op, element, text }: ChangeQuery): boolean =>
  op !== undefined || element !== undefined || wordsOf(text).length > 0;

const wordsOf = (text: string | undefined): readonly string[] =>
  foldForSearch(text ?? '')
    .split(/\s+/u)
    .filter((word) => word !== '');

type Operations = ExpressionBuilder<Tables & { o: Tables['operations'] }, 'o'>;

/** One operation that is all that was asked for; each word may stand anywhere in it. */
function wanted(operation: Operations, { op, element, text }: ChangeQuery) {
  return operation.and([
    ...(op === undefined ? [] : [operation('o.op', '=', op)]),
    ...(element === undefined ? [] : [operation('o.element', '=', element)]),
    ...wordsOf(text).map((word) => sql<boolean>`replace(o.search, ${word}, '') <> o.search`),
  ]);
}

async function operationsOf(
  db: Connection,
  changeIds: readonly number[],
  query: ChangeQuery,
): Promise<ReadonlyMap<number, readonly ChangeOperation[]>> {
  const found = new Map<number, ChangeOperation[]>();
  const { operationLimit = Number.MAX_SAFE_INTEGER } = query;
  for (let from = 0; from < changeIds.length; from += AT_ONCE) {
    const ranked = db
      .selectFrom('operations as o')
      .selectAll('o')
      .select(sql<number>`row_number() over (partition by o.change_id order by o.place)`.as('rank'))
      .where('o.change_id', 'in', changeIds.slice(from, from + AT_ONCE))
      .where((operation) => wanted(operation as unknown as Operations, query));
    const rows = await db
      .selectFrom(ranked.as('r'))
      .selectAll('r')
      .where('r.rank', '<=', operationLimit)
      .orderBy('r.change_id')
      .orderBy('r.place')
      .execute();
    for (const row of rows) {
      const list = found.get(row.change_id);
      if (list) list.push(operationOf(row));
      else found.set(row.change_id, [operationOf(row)]);
    }
  }
  return found;
}

function operationOf(row: Tables['operations']): ChangeOperation {
  return {
    op: row.op,
    element: row.element,
    block: row.block,
    weight: row.weight,
    ...(row.old_text !== null && { old: row.old_text }),
    ...(row.new_text !== null && { new: row.new_text }),
    ...(row.old_address !== null && { oldAddress: row.old_address }),
    ...(row.new_address !== null && { newAddress: row.new_address }),
    ...(row.advertisement === 1 && { advertisement: true as const }),
  };
}

/** Every visit that captured a page left a page info, or found the version before again; of the last `limit`, oldest first. */
export async function pageCourse(db: Connection, url: string, limit: number): Promise<PageCourse> {
  const [page, info] = [url, pageInfoUri(url)].map((name) => keyOf(storable(name)));
  const infos = await db
    .selectFrom('captures as c')
    .innerJoin('urls as u', 'u.id', 'c.url_id')
    .where(sql<boolean>`(u.key = ${info} or (u.key = ${page} and c.version_at is not null))`)
    .orderBy('c.taken_at', 'desc')
    .limit(limit)
    .select('c.taken_at')
    .execute();
  const visits = infos.map(({ taken_at }) => taken_at).reverse();
  const since = visits[0];
  if (since === undefined) return { visits: [], changes: [] };
  const rows = await db
    .selectFrom('changes as c')
    .innerJoin('urls as u', 'u.id', 'c.url_id')
    .where('u.key', '=', keyOf(storable(url)))
    .where('c.to_at', '>=', since)
    .orderBy('c.to_at')
    .select(['c.to_at', 'c.course'])
    .execute();
  return {
    visits,
    changes: rows.map(({ to_at, course }) => ({ at: to_at, course: JSON.parse(course) as BlockCourse })),
  };
}
