import type { Connection } from '../engines/engine.ts';

/** Ids per statement. */
const AT_ONCE = 500;

export async function urlsById(db: Connection, ids: Iterable<number>): Promise<ReadonlyMap<number, string>> {
  const names = new Map<number, string>();
  const all = [...new Set(ids)];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const some = all.slice(from, from + AT_ONCE);
    const rows = await db.selectFrom('urls').select(['id', 'url']).where('id', 'in', some).execute();
    for (const { id, url } of rows) names.set(id, url);
  }
  return names;
}
