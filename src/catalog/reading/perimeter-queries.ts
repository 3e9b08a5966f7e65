import { sql } from 'kysely';
import type { Criterion, PerimeterStanding } from '../../model/perimeter.ts';
import type { Millis } from '../../model/time.ts';
import type { PerimeterCounts, PerimeterQuery, PerimeterUrl } from '../../ports/catalog.ts';
import type { Connection } from '../engines/engine.ts';
import { decodeTargets } from '../names/link-targets.ts';
import { keyOf, storable, whole } from '../names/stored-text.ts';
import { urlsById } from './urls-by-id.ts';

/** What was asked for and led elsewhere is no unread page: it counts as where it leads. */
const isNoHop = (table: string) =>
  sql<boolean>`(${sql.ref(`${table}.is_read`)} = 1 or not exists (
    select 1 from redirects as r where r.from_id = ${sql.ref(`${table}.url_id`)}))`;

/** Rows per statement. */
const AT_ONCE = 500;

export async function* perimeterUrls(db: Connection, query: PerimeterQuery): AsyncIterable<PerimeterUrl> {
  const { limit = Number.POSITIVE_INFINITY } = query;
  let given = 0;
  let last = { perimeter: '', urlId: -1 };
  for (let offset = 0; given < limit; offset += AT_ONCE) {
    let rows = db
      .selectFrom('perimeter_urls as p')
      .innerJoin('urls as u', 'u.id', 'p.url_id')
      .leftJoin('pages as g', 'g.url_id', 'p.url_id')
      .selectAll('p')
      .select(['u.url', 'g.first_at'])
      .where(isNoHop('p'))
      .limit(Math.min(AT_ONCE, limit - given));
    if (query.perimeter !== undefined) rows = rows.where('p.perimeter', '=', storable(query.perimeter));
    if (query.url !== undefined) rows = rows.where('u.key', '=', keyOf(storable(query.url)));
    if (query.isRead !== undefined) rows = rows.where('p.is_read', '=', query.isRead ? 1 : 0);
    if (query.byChance) rows = rows.orderBy('p.chance', 'desc').orderBy('p.url_id').offset(offset);
    else
      rows = rows
        .where(sql<boolean>`(p.perimeter, p.url_id) > (${last.perimeter}, ${last.urlId})`)
        .orderBy('p.perimeter')
        .orderBy('p.url_id');
    const page = await rows.execute();
    for (const row of page) {
      yield {
        url: row.url,
        isRead: row.is_read === 1,
        perimeter: row.perimeter,
        inside: row.inside === 1,
        chance: row.chance,
        own: row.own,
        hops: row.hops,
        at: row.judged_at,
        ...(row.is_read === 1 && row.first_at !== null && { firstReadAt: row.first_at }),
        ...factsOf(row.facts),
      };
      last = { perimeter: row.perimeter, urlId: row.url_id };
    }
    given += page.length;
    if (page.length < AT_ONCE) return;
  }
}

interface StoredFacts {
  readonly evidence: readonly (readonly [Criterion, string, string, number, number, 1?])[];
  readonly links: readonly (readonly [number, number])[];
  readonly decided?: string;
}

function factsOf(text: string): Pick<PerimeterStanding, 'evidence' | 'links' | 'decided'> {
  const { evidence, links, decided } = JSON.parse(text) as StoredFacts;
  return {
    evidence: evidence.map(([criterion, outcome, found, strength, weight, isOwn]) => ({
      ...{ criterion, outcome, found, strength, weight },
      ...(isOwn === 1 && { isOwn: true as const }),
    })),
    links: links.map(([mean, weight]) => ({ mean, weight })),
    ...(decided !== undefined && { decided }),
  };
}

export async function perimeterCounts(
  db: Connection,
  perimeter: string,
  since: Millis,
): Promise<PerimeterCounts> {
  const { rows } = await sql<{ is_read: number; inside: number; entries: number }>`
    select is_read, inside, count(*) as entries from perimeter_urls as p
    where perimeter = ${storable(perimeter)} and (is_read = 0 or judged_at >= ${whole(since)}) and ${isNoHop('p')}
    group by is_read, inside`.execute(db);
  const count = (isRead: number, inside: number): number =>
    Number(rows.find((row) => row.is_read === isRead && row.inside === inside)?.entries ?? 0);
  const believed = count(0, 1);
  return { inside: count(1, 1), outside: count(1, 0), suspects: believed + count(0, 0), believed };
}

export async function perimeters(db: Connection): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('perimeter_urls')
    .select('perimeter')
    .distinct()
    .orderBy('perimeter')
    .execute();
  return rows.map(({ perimeter }) => perimeter);
}

/** Redirects that are followed one after the other; browsers follow 20. */
const HOPS = 20;

/** By id: itself, or where it led when it was seen last. */
async function whereLed(db: Connection, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const ends = new Map(ids.map((id) => [id, id]));
  let asked = [...ends.keys()];
  for (let hop = 0; hop < HOPS && asked.length > 0; hop++) {
    const led = new Map<number, number>();
    for (let from = 0; from < asked.length; from += AT_ONCE) {
      const rows = await db
        .selectFrom('redirects as r')
        .leftJoin('pages as p', 'p.url_id', 'r.from_id')
        .select(['r.from_id', 'r.to_id', 'r.seen_at', 'p.last_at'])
        .where('r.from_id', 'in', asked.slice(from, from + AT_ONCE))
        .execute();
      // What was read as a page since then leads nowhere.
      for (const { from_id, to_id, seen_at, last_at } of rows)
        if (last_at === null || last_at < seen_at) led.set(from_id, to_id);
    }
    for (const [id, end] of ends) ends.set(id, led.get(end) ?? end);
    asked = [...new Set(led.values())];
  }
  return ends;
}

export async function linksFrom(
  db: Connection,
  urls: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (let from = 0; from < urls.length; from += AT_ONCE) {
    const keys = urls.slice(from, from + AT_ONCE).map((url) => keyOf(storable(url)));
    const rows = await db
      .selectFrom('urls as u')
      .innerJoin('links as l', 'l.from_id', 'u.id')
      .select(['u.url', 'l.targets'])
      .where('u.key', 'in', keys)
      .execute();
    const targets = rows.map(({ url, targets: text }) => ({ url, ids: decodeTargets(text) }));
    const ends = await whereLed(
      db,
      targets.flatMap(({ ids }) => ids),
    );
    const names = await urlsById(db, ends.values());
    for (const { url, ids } of targets)
      found.set(
        url,
        ids.flatMap((id) => names.get(ends.get(id) ?? id) ?? []),
      );
  }
  return found;
}
