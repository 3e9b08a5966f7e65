import type { PageInfo } from '../model/capture.ts';
import type { BulkStatement } from './bulk-statement.ts';
import type { CommitScope } from './commit.ts';
import { storable, whole } from './stored-text.ts';

const ADD_PAGE: BulkStatement = {
  name: 'add-page',
  columns: {
    url_id: 'int',
    site_id: 'int',
    title: 'text',
    search: 'text',
    status: 'int',
    first_at: 'int',
    last_at: 'int',
  },
  sql: `insert into pages (url_id, site_id, title, search, status, first_at, last_at)
    select rows.url_id, rows.site_id, rows.title, rows.search, rows.status, rows.first_at, rows.last_at
    from {rows} where true
    on conflict (url_id) do update set
      title = case when excluded.last_at >= pages.last_at then excluded.title else pages.title end,
      search = case when excluded.last_at >= pages.last_at then excluded.search else pages.search end,
      status = case when excluded.last_at >= pages.last_at then excluded.status else pages.status end,
      first_at = case when excluded.first_at < pages.first_at then excluded.first_at else pages.first_at end,
      last_at = case when excluded.last_at > pages.last_at then excluded.last_at else pages.last_at end`,
  returns: false,
};

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
    return [
      id,
      scope.site(newest.url)?.id ?? null,
      title,
      foldForSearch(`${title}\n${scope.url(newest.url).name}`),
      newest.status,
      whole(firstAt),
      whole(newest.at),
    ];
  });
  await scope.engine.bulk(scope.connection, ADD_PAGE, rows);
}

/** The databases fold case differently, and SQLite only in ASCII: it is done here for both. */
export function foldForSearch(text: string): string {
  return storable(text).toLowerCase();
}

const ADD_LINK: BulkStatement = {
  name: 'add-link',
  columns: { from_id: 'int', to_id: 'int' },
  sql: `insert into links (from_id, to_id) select rows.from_id, rows.to_id from {rows} where true
    on conflict do nothing`,
  returns: false,
};

export async function writeLinks(scope: CommitScope, pages: readonly PageInfo[]): Promise<void> {
  const rows: [number, number][] = [];
  for (const { url, links } of pages) {
    const from = scope.url(url).id;
    const targets = new Set<number>();
    for (const link of links) targets.add(scope.url(link).id);
    for (const to of targets) rows.push([from, to]);
  }
  await scope.engine.bulk(scope.connection, ADD_LINK, rows);
}
