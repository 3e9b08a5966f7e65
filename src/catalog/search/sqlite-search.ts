import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import type { PassageKind } from '../../model/passage.ts';
import type {
  FoundPassage,
  NewPassage,
  PageUpdate,
  PassageQuery,
  SearchIndex,
} from '../../ports/search-index.ts';
import { openDatabase } from '../engines/open-database.ts';
import { type Facets, facetsOf, matchForSqlite } from './match-text.ts';
import { timeCondition } from './time-condition.ts';

/** Raised with any change of what is kept, of what a page's passages are, and of which layout shows a version: the index is then made anew. */
export const SEARCH_VERSION = 2;
const BUSY_TIMEOUT = 10_000;
/** Finds of one question that are ranked: the latest of them. */
const RANKED = 50_000;

const TABLES = `
  create table sites (id integer primary key, site text not null unique) strict;
  create table pages (id integer primary key, url text not null unique, site_id integer not null,
    until_at integer not null, versions integer not null) strict;
  create table passages (id integer primary key, page_id integer not null, kind text not null, weight real not null,
    came_at integer not null, last_at integer, gone_at integer, text text not null) strict;
  create index passages_of_page on passages (page_id);
  create table state (one integer primary key check (one = 1), mark integer not null) strict;
  create virtual table passage_words using fts5 (words, facets, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0')`;

interface PageRow {
  readonly url: string;
  readonly until_at: number;
  readonly versions: number;
}

interface FoundRow {
  readonly url: string;
  readonly site: string;
  readonly until_at: number;
  readonly kind: PassageKind;
  readonly weight: number;
  readonly came_at: number;
  readonly last_at: number | null;
  readonly gone_at: number | null;
  readonly text: string;
}

export function openSqliteSearch(path: string, { readonly }: { readonly readonly: boolean }): SearchIndex {
  const database = openDatabase(path, { readonly, timeout: BUSY_TIMEOUT });
  if (!readonly) {
    database.pragma('journal_mode = wal');
    database.pragma('synchronous = normal');
    if (database.pragma('user_version', { simple: true }) !== SEARCH_VERSION) rebuild(database);
  }
  return {
    async mark() {
      const row = database.prepare('select mark from state').get() as { mark: number } | undefined;
      return row?.mark ?? 0;
    },
    async setMark(mark) {
      database.prepare('insert or replace into state (one, mark) values (1, ?)').run(mark);
    },
    async states() {
      const rows = database.prepare('select url, until_at, versions from pages').all() as PageRow[];
      return new Map(rows.map(({ url, until_at, versions }) => [url, { until: until_at, versions }]));
    },
    async page(url) {
      const page = database.prepare('select id, until_at, versions from pages where url = ?').get(url) as
        | { id: number; until_at: number; versions: number }
        | undefined;
      if (!page) return undefined;
      const live = database
        .prepare('select id, text from passages where page_id = ? and gone_at is null')
        .all(page.id);
      return { until: page.until_at, versions: page.versions, live: live as { id: number; text: string }[] };
    },
    async update(page) {
      database.transaction(() => updatePage(database, page)).immediate();
    },
    async remove(urls) {
      const pageOf = database.prepare('delete from pages where url = ? returning id');
      database
        .transaction(() => {
          for (const url of urls) {
            const page = pageOf.get(url) as { id: number } | undefined;
            if (page) forget(database, page.id);
          }
        })
        .immediate();
    },
    find: async (query) => find(database, query),
    async counts() {
      const { pages, passages } = database
        .prepare('select (select count(*) from pages) as pages, (select count(*) from passages) as passages')
        .get() as { pages: number; passages: number };
      return { pages, passages, bytes: statSync(path).size };
    },
    async clear() {
      rebuild(database);
    },
    async close() {
      database.close();
    },
  };
}

function rebuild(database: Database.Database): void {
  database
    .transaction(() => {
      for (const name of ['passage_words', 'sites', 'pages', 'passages', 'state'])
        database.exec(`drop table if exists ${name}`);
      database.exec(TABLES);
      database.pragma(`user_version = ${SEARCH_VERSION}`);
    })
    .immediate();
}

function forget(database: Database.Database, pageId: number): void {
  database
    .prepare('delete from passage_words where rowid in (select id from passages where page_id = ?)')
    .run(pageId);
  database.prepare('delete from passages where page_id = ?').run(pageId);
}

function updatePage(database: Database.Database, page: PageUpdate): void {
  const { url, site, before, until, versions, isAnew, added, gone } = page;
  const now = database.prepare('select until_at, versions from pages where url = ?').get(url) as
    | PageRow
    | undefined;
  if (now?.until_at !== before?.until || now?.versions !== before?.versions) return;
  database.prepare('insert or ignore into sites (site) values (?)').run(site);
  const { id: siteId } = database.prepare('select id from sites where site = ?').get(site) as { id: number };
  const { id: pageId } = database
    .prepare(
      `insert into pages (url, site_id, until_at, versions) values (?, ?, ?, ?)
       on conflict (url) do update set site_id = excluded.site_id, until_at = excluded.until_at, versions = excluded.versions
       returning id`,
    )
    .get(url, siteId, until, versions) as { id: number };
  if (isAnew) forget(database, pageId);
  const leave = database.prepare('update passages set last_at = ?, gone_at = ? where id = ?');
  for (const { id, lastAt, goneAt } of gone) leave.run(lastAt, goneAt, id);
  const insert = database.prepare(
    'insert into passages (page_id, kind, weight, came_at, last_at, gone_at, text) values (?, ?, ?, ?, ?, ?, ?)',
  );
  const index = database.prepare('insert into passage_words (rowid, words, facets) values (?, ?, ?)');
  const add = ({ text, kind, weight, cameAt, went, words }: NewPassage): void => {
    const { lastInsertRowid } = insert.run(
      ...[pageId, kind, weight, cameAt, went?.lastAt ?? null, went?.goneAt ?? null, text],
    );
    index.run(lastInsertRowid, words.join(' '), facetsOf(pageId, siteId, kind).join(' '));
  };
  for (const passage of added) add(passage);
}

function find(database: Database.Database, query: PassageQuery): readonly FoundPassage[] {
  const facets = facetsFor(database, query);
  if (!facets) return [];
  const rows = database
    .prepare(
      `select url, site, until_at, kind, weight, came_at, last_at, gone_at, text
       from (select rowid as found from passage_words where passage_words match :match order by rowid desc limit ${RANKED})
       join passages on passages.id = found join pages on pages.id = page_id join sites on sites.id = site_id
       where 1 = 1${timeCondition(query)}
       order by weight desc, came_at desc, passages.id limit :limit offset :offset`,
    )
    .all({
      match: matchForSqlite(query, facets),
      limit: query.limit,
      offset: query.offset,
      ...(query.from !== undefined && { from: query.from }),
      ...(query.to !== undefined && { to: query.to }),
    }) as FoundRow[];
  return rows.map(foundPassage);
}

/** Undefined where the page or the site is not in the index. */
function facetsFor(database: Database.Database, { url, site, kinds }: PassageQuery): Facets | undefined {
  const idOf = (table: 'pages' | 'sites', column: string, value: string | undefined): number | undefined =>
    value === undefined
      ? undefined
      : ((
          database.prepare(`select id from ${table} where ${column} = ?`).get(value) as
            | { id: number }
            | undefined
        )?.id ?? -1);
  const page = idOf('pages', 'url', url);
  const siteId = idOf('sites', 'site', site);
  if (page === -1 || siteId === -1) return undefined;
  return { page, site: siteId, kinds };
}

export const foundPassage = (row: FoundRow): FoundPassage => ({
  url: row.url,
  site: row.site,
  kind: row.kind,
  weight: row.weight,
  text: row.text,
  cameAt: row.came_at,
  lastAt: row.last_at ?? row.until_at,
  ...(row.gone_at !== null && { goneAt: row.gone_at }),
});
