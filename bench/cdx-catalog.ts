/**
 * A catalog of many captures for bench/cdx.ts, written without the catalog's own code: ten million captures take minutes this way,
 * and hours as one commit after another. Tables, indexes and names are the catalog's own; `cdx.ts` reads it like any other.
 */
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { openSqliteCatalog } from '../src/catalog/engines/sqlite.ts';
import { recordBytes } from '../src/catalog/names/stored-ids.ts';
import { keyOf } from '../src/catalog/names/stored-text.ts';
import { surt } from '../src/model/surt.ts';
import { seededNumbers } from '../src/science/quality/draws.ts';

export const HOSTS = 200;
export const START = Date.UTC(2010, 0, 1);
export const SPAN = 10 * 365 * 86_400_000;
export const LONG = 'https://host0.example/long';

/** Captures per file, so that offsets grow as they do when files are written one after another. */
const OF_FILE = 100_000;

export const pageUrl = (page: number): string =>
  `https://host${page % HOSTS}.example/section-${page % 17}/page-${page}`;

/** Made in a process of its own, so that its memory is not counted as the server's; an existing file is used as it is. */
export async function filledIndex(path: string, lines: number): Promise<number> {
  if (!existsSync(path)) {
    const child = fork(fileURLToPath(import.meta.url), ['--fill', path, String(lines)]);
    const code = await new Promise((resolve) => child.once('exit', resolve));
    if (code !== 0) throw new Error(`making the catalog ended with exit code ${code}`);
  }
  const database = new Database(path, { readonly: true });
  const { pages } = database.prepare('select count(*) - 1 as pages from urls').get() as { pages: number };
  database.close();
  return pages;
}

/** Nine tenths belong to pages with one to nine captures, on 200 hosts; the last tenth to a single page. */
async function fillIndex(path: string, lines: number): Promise<void> {
  await (await openSqliteCatalog(path)).close();
  const random = seededNumbers(1);
  const draw = (n: number): number => Math.floor(random() * n);
  const database = new Database(path);
  // Write-ahead logging can only be left through this mode.
  database.pragma('journal_mode = delete');
  database.pragma('journal_mode = off');
  database.pragma('synchronous = off');
  database.pragma('cache_size = -1000000');
  const indexes = database
    .prepare(
      `select name, sql from sqlite_master where type = 'index' and tbl_name in ('captures', 'urls') and sql is not null`,
    )
    .all() as { name: string; sql: string }[];
  for (const { name } of indexes) database.exec(`drop index ${name}`);
  const addUrl = database.prepare('insert into urls (id, key, url, surt) values (?, ?, ?, ?)');
  const addSite = database.prepare('insert into sites (id, key, site) values (?, ?, ?)');
  const addFile = database.prepare('insert into warc_files (id, name, length) values (?, ?, ?)');
  const addCapture = database.prepare(`insert into captures
    (url_id, site_id, taken_at, type, record, file_id, file_offset, file_length, method, status, mime, sha256, sha1, size)
    values (?, ?, ?, 'response', ?, ?, ?, 900, 'GET', 200, 'text/html', ?, ?, 1000)`);
  database.exec('begin');
  for (let host = 0; host < HOSTS; host++) {
    const name = `host${host}.example`;
    addSite.run(host + 1, keyOf(name), name);
  }
  let [made, urls, pages] = [0, 0, 0];
  const capture = (site: number): void => {
    const number = made++;
    const file = Math.floor(number / OF_FILE) + 1;
    if (number % OF_FILE === 0) addFile.run(file, `${file}.warc.gz`, OF_FILE * 1000);
    const id = `<urn:uuid:00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}>`;
    const digest = createHash('sha1').update(id).digest('hex');
    addCapture.run(
      ...[urls, site, START + draw(SPAN), recordBytes(id), file, 1000 * (number % OF_FILE)],
      ...[`${digest}${digest.slice(0, 24)}`, digest.slice(0, 32).toUpperCase()],
    );
  };
  const url = (address: string): void => {
    addUrl.run(++urls, keyOf(address), address, surt(address));
  };
  for (const single = Math.floor(lines * 0.9); made < single; pages++) {
    url(pageUrl(pages));
    for (let captures = 1 + draw(9); captures > 0 && made < single; captures--) capture((pages % HOSTS) + 1);
  }
  url(LONG);
  while (made < lines) capture(1);
  database.exec('commit');
  for (const { sql } of indexes) database.exec(sql);
  database.close();
}

if (process.argv[2] === '--fill') await fillIndex(process.argv[3] ?? '', Number(process.argv[4]));
