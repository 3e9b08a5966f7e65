import { sql } from 'kysely';
import type { Alert, AlertMessage, Delivery, DeliveryState } from '../model/alert.ts';
import type {
  AlertQuery,
  DeliveryQuery,
  NewMessage,
  OutboxCounts,
  StoredAlert,
  VisitCommit,
} from '../ports/catalog.ts';
import { bulkInsert, type RowOf } from './engines/bulk-statement.ts';
import { type Connection, type Engine, transaction } from './engines/engine.ts';
import { optional, storable, whole } from './names/stored-text.ts';
import type { Tables } from './tables.ts';

/** The first one stays: it may have been told already. */
const ADD_ALERT = bulkInsert('alerts', 'on conflict (key) do nothing');
const ADD_MESSAGE = bulkInsert('alert_messages', 'on conflict (key) do nothing');
const ADD_DELIVERY = bulkInsert('deliveries', 'on conflict (message, channel) do nothing');

/** Inside the transaction that stores the visits. */
export async function writeAlerts(
  { engine, connection }: { readonly engine: Engine; readonly connection: Connection },
  visits: readonly Pick<VisitCommit, 'alerts'>[],
): Promise<void> {
  const told = visits.flatMap((visit) => visit.alerts ?? []);
  if (told.length > 0) await engine.bulk(connection, ADD_ALERT, told.map(rowOf));
}

export function addAlerts(engine: Engine, told: readonly Alert[]): Promise<void> {
  return transaction(engine, (connection) => writeAlerts({ engine, connection }, [{ alerts: told }]));
}

function rowOf(alert: Alert): RowOf<(typeof ADD_ALERT)['columns']> {
  return {
    key: storable(alert.id),
    rule: storable(alert.rule),
    url: storable(alert.url),
    kind: alert.kind,
    from_at: alert.from === undefined ? null : whole(alert.from),
    to_at: whole(alert.to),
    made_at: whole(alert.madeAt),
    importance: alert.importance ?? null,
    salience: alert.salience ?? null,
    summary: storable(alert.summary),
    operations: storable(JSON.stringify(alert.operations)),
    message: null,
  };
}

export function alertOf(row: Omit<Tables['alerts'], 'id'>): StoredAlert {
  return {
    id: row.key,
    rule: row.rule,
    url: row.url,
    kind: row.kind,
    ...(row.from_at !== null && { from: row.from_at }),
    to: row.to_at,
    madeAt: row.made_at,
    ...(row.importance !== null && { importance: row.importance }),
    ...(row.salience !== null && { salience: row.salience }),
    summary: row.summary,
    operations: JSON.parse(row.operations) as Alert['operations'],
    ...(row.message !== null && { message: row.message }),
  };
}

export async function alerts(db: Connection, query: AlertQuery): Promise<readonly StoredAlert[]> {
  const { rule, url, waiting, message, since, limit = Number.MAX_SAFE_INTEGER, offset = 0 } = query;
  const isForward = waiting === true || message !== undefined;
  let rows = db
    .selectFrom('alerts')
    .selectAll()
    .orderBy('id', isForward ? 'asc' : 'desc')
    .limit(limit)
    .offset(offset);
  if (rule !== undefined) rows = rows.where('rule', '=', storable(rule));
  if (url !== undefined) rows = rows.where('url', '=', storable(url));
  if (waiting) rows = rows.where('message', 'is', null);
  if (message !== undefined) rows = rows.where('message', '=', storable(message));
  if (since !== undefined) rows = rows.where('made_at', '>=', whole(since));
  return (await rows.execute()).map(alertOf);
}

export async function waitingRules(db: Connection): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('alerts')
    .select('rule')
    .distinct()
    .where('message', 'is', null)
    .orderBy('rule')
    .execute();
  return rows.map(({ rule }) => rule);
}

/** Alerts that one statement names. */
const AT_ONCE = 200;

export function addMessage(engine: Engine, message: NewMessage): Promise<void> {
  const { id, rule, madeAt, channels } = message;
  const key = storable(id);
  return transaction(engine, async (db) => {
    await engine.bulk(db, ADD_MESSAGE, [{ key, rule: storable(rule), made_at: whole(madeAt) }]);
    for (let from = 0; from < message.alerts.length; from += AT_ONCE)
      await db
        .updateTable('alerts')
        .set({ message: key })
        .where('key', 'in', message.alerts.slice(from, from + AT_ONCE).map(storable))
        .where('message', 'is', null)
        .execute();
    const delivery = { state: 'waiting', tries: 0, next_try: whole(madeAt) } as const;
    const unknown = { first_try: null, done_at: null, last_error: null };
    const rows = [...new Set(channels.map(storable))].map((channel) => ({
      message: key,
      channel,
      ...delivery,
      ...unknown,
    }));
    if (rows.length > 0) await engine.bulk(db, ADD_DELIVERY, rows);
  });
}

export async function messages(
  db: Connection,
  { rule, limit }: { readonly rule: string; readonly limit: number },
): Promise<readonly AlertMessage[]> {
  const rows = await db
    .selectFrom('alert_messages')
    .selectAll()
    .where('rule', '=', storable(rule))
    .orderBy('made_at', 'desc')
    .orderBy('key')
    .limit(limit)
    .execute();
  return rows.reverse().map((row) => ({ id: row.key, rule: row.rule, madeAt: row.made_at }));
}

export async function deliveries(
  db: Connection,
  { state, due, message, limit = Number.MAX_SAFE_INTEGER }: DeliveryQuery,
): Promise<readonly (Delivery & { readonly rule: string })[]> {
  let rows = db
    .selectFrom('deliveries as d')
    .innerJoin('alert_messages as m', 'm.key', 'd.message')
    .selectAll('d')
    .select('m.rule')
    .orderBy('d.next_try')
    .orderBy('d.message')
    .orderBy('d.channel')
    .limit(limit);
  if (state !== undefined) rows = rows.where('d.state', '=', state);
  if (due !== undefined) rows = rows.where('d.next_try', '<=', whole(due));
  if (message !== undefined) rows = rows.where('d.message', '=', storable(message));
  return (await rows.execute()).map((row) => ({
    message: row.message,
    rule: row.rule,
    channel: row.channel,
    state: row.state,
    tries: row.tries,
    nextTry: row.next_try,
    ...(row.first_try !== null && { firstTry: row.first_try }),
    ...(row.done_at !== null && { doneAt: row.done_at }),
    ...(row.last_error !== null && { lastError: row.last_error }),
  }));
}

export async function setDelivery(engine: Engine, delivery: Delivery): Promise<void> {
  const { message, channel, state, tries, nextTry, firstTry, doneAt, lastError } = delivery;
  await transaction(engine, async (db) => {
    await db
      .updateTable('deliveries')
      .set({
        ...{ state, tries, next_try: whole(nextTry) },
        first_try: firstTry === undefined ? null : whole(firstTry),
        done_at: doneAt === undefined ? null : whole(doneAt),
        last_error: optional(lastError),
      })
      .where('message', '=', storable(message))
      .where('channel', '=', storable(channel))
      .execute();
  });
}

export async function outboxCounts(db: Connection): Promise<OutboxCounts> {
  const counted = await sql<{ alerts: number; waiting: number }>`select count(*) as alerts,
    coalesce(sum(case when message is null then 1 else 0 end), 0) as waiting from alerts`.execute(db);
  const states = await sql<{ state: DeliveryState; entries: number }>`
    select state, count(*) as entries from deliveries group by state`.execute(db);
  const of = (state: DeliveryState): number =>
    Number(states.rows.find((row) => row.state === state)?.entries ?? 0);
  return {
    alerts: Number(counted.rows[0]?.alerts ?? 0),
    waiting: Number(counted.rows[0]?.waiting ?? 0),
    deliveries: { waiting: of('waiting'), sent: of('sent'), 'given-up': of('given-up') },
  };
}
