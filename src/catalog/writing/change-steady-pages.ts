import type { Connection } from '../engines/engine.ts';
import { packRows } from '../names/packed-rows.ts';
import { type SteadyPage, steadyPart } from '../reading/steady-pages.ts';

/** Pages per row: a question for one URL unpacks so many, and one that is seen again packs them anew. */
const PART = 1_000;

/** By URL: what becomes of what is known of it. */
export type SteadyChanges = ReadonlyMap<number, (known: SteadyPage | undefined) => SteadyPage | undefined>;

/** Each row has the pages from its first URL to that of the next; the first has those before as well. */
export async function changeSteadyPages(
  db: Connection,
  siteId: number,
  changes: SteadyChanges,
): Promise<void> {
  const rows = await db
    .selectFrom('steady_pages')
    .select('first_url_id')
    .where('site_id', '=', siteId)
    .orderBy('first_url_id')
    .execute();
  const firsts = rows.length === 0 ? [0] : rows.map(({ first_url_id }) => first_url_id);
  const ids = [...changes.keys()].sort((a, b) => a - b);
  let from = 0;
  for (const [part, first] of firsts.entries()) {
    const next = firsts[part + 1] ?? Number.POSITIVE_INFINITY;
    let end = from;
    while (end < ids.length && (ids[end] ?? 0) < next) end++;
    if (end > from)
      await changePart(db, { site_id: siteId, first_url_id: first }, ids.slice(from, end), changes);
    from = end;
  }
}

async function changePart(
  db: Connection,
  key: { readonly site_id: number; readonly first_url_id: number },
  ids: readonly number[],
  changes: SteadyChanges,
): Promise<void> {
  const pages = new Map((await steadyPart(db, key)).map((page) => [page.url_id, page]));
  let changed = false;
  for (const id of ids) {
    const known = pages.get(id);
    const page = changes.get(id)?.(known);
    if (page === known) continue;
    changed = true;
    if (page) pages.set(id, page);
    else pages.delete(id);
  }
  if (!changed) return;
  await db
    .deleteFrom('steady_pages')
    .where('site_id', '=', key.site_id)
    .where('first_url_id', '=', key.first_url_id)
    .execute();
  const sorted = [...pages.values()].sort((a, b) => a.url_id - b.url_id);
  // In equal parts: one that is full would else shed a row for each page that comes into its middle.
  const size = Math.ceil(sorted.length / Math.ceil(sorted.length / PART));
  for (let from = 0; from < sorted.length; from += size) {
    const some = sorted.slice(from, from + size);
    const first_url_id = some[0]?.url_id ?? 0;
    const packed = packRows(some.map((page) => ({ ...page })));
    await db
      .insertInto('steady_pages')
      .values({ site_id: key.site_id, first_url_id, pages: packed })
      .execute();
  }
}
