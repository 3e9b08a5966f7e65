import type { PageInfo } from '../../model/capture.ts';
import { bulkInsert, bulkQuery } from '../engines/bulk-statement.ts';
import { decodeTargets, encodeTargets } from '../names/link-targets.ts';
import { storable, whole } from '../names/stored-text.ts';
import type { CommitScope } from './commit.ts';

const ADD_PAGE = bulkInsert(
  'pages',
  `on conflict (url_id) do update set
    title = case when excluded.last_at >= pages.last_at then excluded.title else pages.title end,
    search = case when excluded.last_at >= pages.last_at then excluded.search else pages.search end,
    status = case when excluded.last_at >= pages.last_at then excluded.status else pages.status end,
    first_at = case when excluded.first_at < pages.first_at then excluded.first_at else pages.first_at end,
    last_at = case when excluded.last_at > pages.last_at then excluded.last_at else pages.last_at end`,
);

/** The title and status of a page are those of its newest capture, in whatever order they come. */
export async function writePages(scope: CommitScope, pages: readonly PageInfo[]): Promise<void> {
  // PostgreSQL takes each row of an upsert once: captures of one page within a batch are joined here.
  const joined = new Map<number, { newest: PageInfo; firstAt: number }>();
  for (const page of pages) {
    const { id } = scope.url(page.url);
    const before = joined.get(id);
    if (!before) {
      joined.set(id, { newest: page, firstAt: page.at });
      continue;
    }
    before.firstAt = Math.min(before.firstAt, page.at);
    if (page.at >= before.newest.at) before.newest = page;
  }
  const rows = [...joined].map(([id, { newest, firstAt }]) => {
    const title = storable(newest.title);
    return {
      url_id: id,
      site_id: scope.site(newest.url)?.id ?? null,
      title,
      search: foldForSearch(`${title}\n${scope.url(newest.url).name}`),
      status: newest.status,
      first_at: whole(firstAt),
      last_at: whole(newest.at),
    };
  });
  await scope.engine.bulk(scope.connection, ADD_PAGE, rows);
}

/** The databases fold case differently, and SQLite only in ASCII: it is done here for both. */
export function foldForSearch(text: string): string {
  return storable(text).toLowerCase();
}

const FIND_LINKS = bulkQuery<{ from_id: number; targets: string }>()({
  name: 'find-links',
  columns: { from_id: 'int' },
  sql: 'select links.from_id, links.targets from {rows} join links on links.from_id = rows.from_id',
});

const SET_LINKS = bulkInsert('links', 'on conflict (from_id) do update set targets = excluded.targets');

/** All that any capture of these pages had. */
export async function linksOfPages(
  { engine, connection }: Pick<CommitScope, 'engine' | 'connection'>,
  pages: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const rows = await engine.bulk(
    connection,
    FIND_LINKS,
    [...new Set(pages)].map((from) => ({ from_id: from })),
  );
  return new Map(rows.map(({ from_id, targets }) => [from_id, decodeTargets(targets)]));
}

/** A page keeps every link that any of its captures had. Returns them, of all pages of the batch. */
export async function writeLinks(
  scope: CommitScope,
  pages: readonly PageInfo[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const targets = new Map<number, Set<number>>();
  for (const { url, links } of pages) {
    const from = scope.url(url).id;
    const known = targets.get(from) ?? new Set();
    for (const link of links) known.add(scope.url(link).id);
    targets.set(from, known);
  }
  const before = await linksOfPages(scope, [...targets.keys()]);
  const rows: { from_id: number; targets: string }[] = [];
  const all = new Map<number, readonly number[]>();
  for (const [from, ids] of targets) {
    const old = before.get(from) ?? [];
    for (const id of old) ids.add(id);
    all.set(from, [...ids]);
    // Where there is nothing new, the row stays as it is.
    if (ids.size > old.length) rows.push({ from_id: from, targets: encodeTargets(ids) });
  }
  await scope.engine.bulk(scope.connection, SET_LINKS, rows);
  return all;
}
