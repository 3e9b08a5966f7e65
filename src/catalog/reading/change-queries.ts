import { sql } from 'kysely';
import type { ChangeOperation } from '../../model/change.ts';
import type { ChangePlace, ChangeQuery, ChangeSummary } from '../../ports/catalog.ts';
import type { Connection } from '../engines/engine.ts';
import { keyOf, storable } from '../names/stored-text.ts';
import type { Tables } from '../tables.ts';
import { asksForOperations, mayHave, needsOperations, type Operations, wanted } from './change-words.ts';

/** Changes whose operations are read together. */
const AT_ONCE = 200;

/** Ranked by salience, importance or time. Operations: those that the query asks for. */
export async function changes(db: Connection, query: ChangeQuery): Promise<readonly ChangeSummary[]> {
  const found = isWalked(query)
    ? await walkedRows(db, query)
    : await rankedRows(db, selectChanges(db), query);
  const operations = await operationsOf(
    db,
    found.map(({ id }) => id),
    query,
  );
  return found.map((row) => ({
    ...summaryOf(row),
    operations: withSaliences(operations.get(row.id) ?? [], row.saliences),
  }));
}

/** Of all changes, the first by salience: an index has them in that order. Where few are asked about, sorting those is less work. */
const isWalked = ({
  url,
  site,
  since,
  until,
  by = 'salience',
  sort = by,
  limit,
  offset = 0,
}: ChangeQuery): boolean =>
  sort === 'salience' &&
  limit !== undefined &&
  offset === 0 &&
  [url, site, since, until].every((given) => given === undefined);

/** Those whose salience is known, as the index on it gives them, then the others: together, all would be joined and sorted. */
async function walkedRows(db: Connection, query: ChangeQuery): Promise<readonly RankedRow[]> {
  const { limit = 0, after } = query;
  const isKnownLeft = after === undefined || after.salience !== undefined;
  const known = isKnownLeft ? await rankedRows(db, selectSalient(db), query, true) : [];
  if (known.length >= limit || query.minSalience !== undefined) return known;
  const { after: _, ...fromStart } = query;
  const rest = { ...(isKnownLeft ? fromStart : query), limit: limit - known.length };
  return [...known, ...(await rankedRows(db, selectChanges(db).where('s.change_id', 'is', null), rest))];
}

async function rankedRows(
  db: Connection,
  all: ReturnType<typeof selectChanges>,
  query: ChangeQuery,
  isSalient = false,
): Promise<readonly RankedRow[]> {
  const {
    url,
    site,
    since,
    until,
    minImportance,
    minSalience,
    by = 'salience',
    sort = by,
    limit = Number.MAX_SAFE_INTEGER,
    offset = 0,
  } = query;
  let rows = all.select('s.operations as saliences').limit(limit).offset(offset);
  const order = orderOf(sort, by);
  const columnOf = (name: keyof typeof ORDERS) =>
    name === 'salience' && isSalient ? sql<number>`s.salience` : ORDERS[name].column;
  for (const name of order) rows = rows.orderBy(columnOf(name), 'desc');
  rows = rows.orderBy('u.url').orderBy('c.id');
  if (query.after) {
    const { after } = query;
    const [first] = order;
    const columns = sql.join(order.map(columnOf));
    const values = sql.join(order.map((name) => ORDERS[name].value(after)));
    // Said of the first column alone as well, an index on it is walked from there.
    rows = rows.where(sql<boolean>`${columnOf(first)} <= ${ORDERS[first].value(after)}`);
    rows = rows.where(
      sql<boolean>`((${columns}) < (${values}) or ((${columns}) = (${values}) and u.url > ${storable(after.url)}))`,
    );
  }
  if (query.seen) rows = rows.where(sql<boolean>`(c.importance > 0 or s.salience > 0 or c.partial = 1)`);
  if (url !== undefined) rows = rows.where('u.key', '=', keyOf(storable(url)));
  if (site !== undefined) {
    const key = keyOf(storable(site));
    rows = rows.where('c.site_id', '=', ({ selectFrom }) =>
      selectFrom('sites').select('id').where('key', '=', key),
    );
  }
  if (since !== undefined) rows = rows.where('c.to_at', '>=', since);
  if (until !== undefined) rows = rows.where('c.to_at', '<=', until);
  if (minSalience !== undefined) rows = rows.where('s.salience', '>=', minSalience);
  if (minImportance !== undefined) rows = rows.where('c.importance', '>=', minImportance);
  if (asksForOperations(query)) {
    const changeId = isSalient ? sql.ref<number>('s.change_id') : sql.ref<number>('c.id');
    rows = rows.where(sql<boolean>`${changeId} in ${mayHave(db, query)}`);
  }
  if (needsOperations(query)) {
    rows = rows.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('operations as o')
          .select('o.place')
          .whereRef('o.change_id', '=', 'c.id')
          .where((operation) => wanted(operation, query)),
      ),
    );
  }
  return rows.execute();
}

type RankedRow = SummaryRow & { readonly id: number; readonly saliences: string | null };

/** Changes with their page and the reader's number, where there is one. */
export const selectChanges = (db: Connection) =>
  db
    .selectFrom('changes as c')
    .innerJoin('urls as u', 'u.id', 'c.url_id')
    .leftJoin('saliences as s', 's.change_id', 'c.id')
    .select(['c.id', 'u.url', 'c.from_at', 'c.to_at', 'c.importance', 'c.partial', 'c.operations'])
    .select(['s.salience', 's.why']);

/** The same of those whose salience is known, by it. SQLite keeps the order of a CROSS JOIN, and so walks the index. */
const selectSalient = (db: Connection) =>
  db
    .selectFrom('saliences as s')
    .crossJoin('changes as c')
    .innerJoin('urls as u', 'u.id', 'c.url_id')
    .whereRef('c.id', '=', 's.change_id')
    .select(['c.id', 'u.url', 'c.from_at', 'c.to_at', 'c.importance', 'c.partial', 'c.operations'])
    .select(['s.salience', 's.why']) as unknown as ReturnType<typeof selectChanges>;

interface SummaryRow {
  readonly url: string;
  readonly from_at: number;
  readonly to_at: number;
  readonly importance: number;
  readonly partial: number;
  readonly operations: number;
  readonly salience: number | null;
  readonly why: string | null;
}

/** A change without its operations. */
export const summaryOf = (row: SummaryRow) => ({
  url: row.url,
  from: row.from_at,
  to: row.to_at,
  importance: row.importance,
  ...(row.salience !== null && { salience: row.salience, why: row.why ?? '' }),
  ...(row.partial === 1 && { partial: true as const }),
  count: row.operations,
});

/** Of changes from before there was salience it is not known, which is less than 0. */
const ORDERS = {
  salience: {
    column: sql<number>`coalesce(s.salience, -1)`,
    value: ({ salience = -1 }: ChangePlace) => sql<number>`cast(${salience} as double precision)`,
  },
  importance: {
    column: sql<number>`c.importance`,
    value: ({ importance }: ChangePlace) => sql<number>`cast(${importance} as double precision)`,
  },
  time: { column: sql<number>`c.to_at`, value: ({ to }: ChangePlace) => sql<number>`${to}` },
} as const;

/** A page changes once at a time: its address ends every order. */
function orderOf(
  sort: NonNullable<ChangeQuery['sort']>,
  by: NonNullable<ChangeQuery['by']>,
): readonly [keyof typeof ORDERS, ...(keyof typeof ORDERS)[]] {
  if (sort === 'time') return by === 'salience' ? ['time', 'salience', 'importance'] : ['time', 'importance'];
  return sort === 'salience' ? ['salience', 'importance', 'time'] : ['importance', 'time'];
}

interface PlacedOperation {
  readonly place: number;
  readonly operation: ChangeOperation;
}

function withSaliences(list: readonly PlacedOperation[], written: string | null): ChangeOperation[] {
  const saliences = written === null ? [] : (JSON.parse(written) as number[]);
  return list.map(({ place, operation }) => {
    const salience = saliences[place];
    return salience === undefined ? operation : { ...operation, salience };
  });
}

async function operationsOf(
  db: Connection,
  changeIds: readonly number[],
  query: ChangeQuery,
): Promise<ReadonlyMap<number, readonly PlacedOperation[]>> {
  const found = new Map<number, PlacedOperation[]>();
  const { operationLimit = Number.MAX_SAFE_INTEGER } = query;
  const order = query.by === 'importance' ? sql`o.weight desc, o.place` : sql`o.place`;
  for (let from = 0; from < changeIds.length; from += AT_ONCE) {
    const ranked = db
      .selectFrom('operations as o')
      .selectAll('o')
      .select(sql<number>`row_number() over (partition by o.change_id order by ${order})`.as('rank'))
      .where('o.change_id', 'in', changeIds.slice(from, from + AT_ONCE))
      .where((operation) => wanted(operation as unknown as Operations, query));
    const rows = await db
      .selectFrom(ranked.as('r'))
      .selectAll('r')
      .where('r.rank', '<=', operationLimit)
      .orderBy('r.change_id')
      .orderBy('r.rank')
      .execute();
    for (const row of rows) {
      const one = { place: row.place, operation: operationOf(row) };
      const list = found.get(row.change_id);
      if (list) list.push(one);
      else found.set(row.change_id, [one]);
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
