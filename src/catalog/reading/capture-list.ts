import { sql } from 'kysely';
import type { CaptureFact } from '../../model/capture.ts';
import { surt } from '../../model/surt.ts';
import type { CaptureQuery } from '../../ports/catalog.ts';
import type { Connection } from '../engines/engine.ts';
import { recordBytes } from '../names/stored-ids.ts';
import { keyOf, storable } from '../names/stored-text.ts';
import { SURT_HEAD } from '../tables.ts';
import { captureFact, type StoredCaptureRow, selectCapturesByUrl } from './capture-facts.ts';

/** Rows fetched at a time: what a listing of any length holds in memory. */
const PAGE = 1_000;

/** The indexed part of a SURT key; the databases match it with the index by its very text. */
export const surtHead = sql<string>`substr(u.surt, 1, 200)`;

/** The head of a key given as parameter. */
export function headOf(key: string): string {
  return [...key.slice(0, 2 * SURT_HEAD)].slice(0, SURT_HEAD).join('');
}

/** Pages by position in the order (SURT, time, id), so that page 1,000 costs what page 1 does. */
export async function* listCaptures(db: Connection, query: CaptureQuery): AsyncIterable<CaptureFact> {
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  let last: StoredCaptureRow | undefined;
  while (left > 0) {
    const limit = Math.min(PAGE, left);
    const rows: readonly StoredCaptureRow[] = await pageOf(db, query, limit, last).execute();
    for (const row of rows) yield captureFact(row);
    if (rows.length < limit) return;
    left -= rows.length;
    last = rows.at(-1);
  }
}

function pageOf(db: Connection, query: CaptureQuery, limit: number, last: StoredCaptureRow | undefined) {
  const { url, urlPrefix, from, to, offset, after } = query;
  let page = selectCapturesByUrl(db)
    .where('u.surt', 'is not', null)
    .orderBy(surtHead)
    .orderBy('u.surt')
    .orderBy('c.taken_at')
    .orderBy('c.id')
    .limit(limit);
  if (url !== undefined) page = page.where('u.key', '=', keyOf(storable(url)));
  if (urlPrefix !== undefined) {
    const prefix = storable(urlPrefix);
    page = page.where(sql<boolean>`substr(u.url, 1, ${[...prefix].length}) = ${prefix}`);
    const urn = urnRange(prefix);
    if (urn) page = page.where(surtHead, '>=', urn.from).where(surtHead, '<', urn.to);
    const host = hostKey(prefix);
    if (host !== undefined) {
      // ')' ends the host in a SURT key, and '*' follows ')'.
      page = page.where(surtHead, '>=', headOf(host)).where(surtHead, '<', headOf(`${host.slice(0, -1)}*`));
    }
  }
  if (from !== undefined) page = page.where('c.taken_at', '>=', from);
  if (to !== undefined) page = page.where('c.taken_at', '<=', to);
  if (last) {
    const key = last.surt ?? '';
    page = page
      .where(surtHead, '>=', headOf(key))
      .where(sql<boolean>`(u.surt, c.taken_at, c.id) > (${key}, ${last.taken_at}, ${last.id})`);
  } else {
    if (after) {
      const key = storable(surt(storable(after.url)));
      page = page
        .where(surtHead, '>=', headOf(key))
        .where(
          sql<boolean>`(u.surt, c.taken_at, c.id) > (${key}, ${after.at}, ${idOfRecord(after.recordId)})`,
        );
    }
    if (offset) page = page.offset(offset);
  }
  return page;
}

/** `otherwise` for a record that is gone: what was taken at its time may come again, and nothing is left out. */
export const idOfRecord = (recordId: string, otherwise = 0) =>
  sql<number>`coalesce((select id from captures where record = ${recordBytes(recordId)}), ${sql.lit(otherwise)})`;

/** `urn:delta:` => from `urn:delta:` up to `urn:delta;`. A URN is its own SURT key. */
function urnRange(prefix: string): { from: string; to: string } | undefined {
  if (!/^urn:[a-z]+:$/.test(prefix)) return undefined;
  return { from: prefix, to: `${prefix.slice(0, -1)};` };
}

/** `https://example.org/blog` => `org,example)`: narrows a prefix that names a whole host. */
export function hostKey(prefix: string): string | undefined {
  const origin = /^https?:\/\/[^/?#]+\//.exec(prefix)?.[0];
  if (origin === undefined) return undefined;
  const key = surt(origin);
  const end = key.indexOf(')');
  return end < 0 || end >= SURT_HEAD ? undefined : key.slice(0, end + 1);
}
