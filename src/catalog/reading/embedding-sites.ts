import type { EntryKind } from '../../model/crawl.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { urlsById } from './urls-by-id.ts';

/** Entries that count for the site whose page needs them, wherever they were fetched from. */
export const EMBEDDED: readonly EntryKind[] = ['resource', 'lost'];

/** Ids per statement. */
const AT_ONCE = 500;

/**
 * Of URLs that named something which is embedded: the sites of the pages it is embedded in. A font is named by its style
 * sheet, which may lie with a third party, and that by a page: named is followed up to the page. Style sheets that named
 * something keep their rows when a crawl is folded, so that whatever has none is a page.
 */
export async function embeddingSites(
  { bounds }: Pick<Engine, 'bounds'>,
  db: Connection,
  crawlId: number,
  vias: Iterable<number | null>,
): Promise<ReadonlyMap<number, string>> {
  const asked = new Set([...vias].filter((via) => via !== null));
  const namedBy = new Map<number, number>();
  for (let open = [...asked]; open.length > 0; ) {
    const some = open.splice(0, AT_ONCE);
    const rows = await db
      .selectFrom('frontier')
      .select(['url_id', 'via_id'])
      .where('crawl_id', '=', crawlId)
      .where('url_id', 'in', some)
      .where('pass', '=', 0)
      .where('kind', 'in', EMBEDDED)
      .execute();
    const next = new Set<number>();
    for (const { url_id, via_id } of rows) {
      if (via_id === null) continue;
      namedBy.set(url_id, via_id);
      if (!asked.has(via_id) && !namedBy.has(via_id)) next.add(via_id);
    }
    open = [...open, ...next];
  }
  const pages = new Map([...asked].map((via) => [via, pageAbove(via, namedBy)]));
  const names = await urlsById(db, pages.values());
  return new Map([...pages].map(([via, page]) => [via, bounds.siteOf(names.get(page) ?? '')]));
}

function pageAbove(via: number, namedBy: ReadonlyMap<number, number>): number {
  const seen = new Set<number>();
  let at = via;
  for (let next = namedBy.get(at); next !== undefined && !seen.has(next); next = namedBy.get(at)) {
    seen.add(next);
    at = next;
  }
  return at;
}

/** Embedded things that named others, by id of their entry. */
export async function namingResources(db: Connection, crawlId: number): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('frontier as e')
    .innerJoin('frontier as f', (join) =>
      join.onRef('f.crawl_id', '=', 'e.crawl_id').onRef('f.url_id', '=', 'e.via_id').on('f.pass', '=', 0),
    )
    .where('e.crawl_id', '=', crawlId)
    .where('e.kind', 'in', EMBEDDED)
    .where('f.kind', 'in', EMBEDDED)
    .select('f.id')
    .distinct()
    .execute();
  return new Set(rows.map(({ id }) => id));
}
