import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { CountedWords, PageWords } from '../model/page-words.ts';
import type { Millis } from '../model/time.ts';
import type { NumberedWords, UncountedPage } from '../ports/catalog.ts';
import { bulkInsert, bulkWrite } from './engines/bulk-statement.ts';
import { type Connection, type Engine, transaction } from './engines/engine.ts';
import { storable, whole } from './names/stored-text.ts';
import { pageNumbers } from './reading/link-graph-queries.ts';

/** Rows read at a time. */
const ROWS = 500;

export async function* uncountedPages(db: Connection): AsyncGenerator<UncountedPage> {
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('pages as p')
      .innerJoin('urls as u', 'u.id', 'p.url_id')
      .leftJoin('page_words as w', 'w.url_id', 'p.url_id')
      .select(['p.url_id', 'u.url', 'p.last_at', 'w.read_at', 'w.sha256'])
      .where('p.url_id', '>', last)
      .orderBy('p.url_id')
      .limit(ROWS)
      .execute();
    for (const { url, last_at, read_at, sha256 } of rows)
      if (read_at === null || read_at < last_at)
        yield { url, lastAt: last_at, ...(sha256 !== null && { sha256 }) };
    if (rows.length < ROWS) return;
    last = rows.at(-1)?.url_id ?? last;
  }
}

const SET_WORDS = bulkInsert(
  'page_words',
  `on conflict (url_id) do update set read_at = excluded.read_at, sha256 = excluded.sha256,
    language = excluded.language, document_bytes = excluded.document_bytes, word_bytes = excluded.word_bytes,
    stems = excluded.stems`,
);

export function setPageWords(engine: Engine, pages: readonly PageWords[]): Promise<void> {
  return transaction(engine, async (db) => {
    const numbers = await pageNumbers(
      db,
      pages.map(({ url }) => url),
    );
    const rows = pages.flatMap(({ url, at, sha256, language, words, documentBytes }) => {
      const url_id = numbers.get(url);
      if (url_id === undefined) return [];
      const counted = { word_bytes: words?.bytes ?? null, stems: words ? packed(words) : null };
      const text = { language: language ?? null, document_bytes: whole(documentBytes) };
      return [{ url_id, read_at: whole(at), sha256: storable(sha256), ...text, ...counted }];
    });
    await engine.bulk(db, SET_WORDS, rows);
  });
}

const CONFIRM = bulkWrite({
  name: 'confirm-words',
  columns: { read_at: 'int', url_id: 'int' },
  sql: 'update page_words set read_at = rows.read_at from {rows} where page_words.url_id = rows.url_id',
  sqliteSql: 'update page_words set read_at = ? where url_id = ?',
});

export function confirmPageWords(
  engine: Engine,
  pages: readonly { readonly url: string; readonly at: Millis }[],
): Promise<void> {
  return transaction(engine, async (db) => {
    const numbers = await pageNumbers(
      db,
      pages.map(({ url }) => url),
    );
    const rows = pages.map(({ url, at }) => ({ read_at: whole(at), url_id: numbers.get(url) ?? 0 }));
    await engine.bulk(db, CONFIRM, rows);
  });
}

export async function* pageWords(db: Connection): AsyncGenerator<NumberedWords> {
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('page_words')
      .selectAll()
      .where('url_id', '>', last)
      .orderBy('url_id')
      .limit(ROWS)
      .execute();
    for (const row of rows) {
      yield {
        page: row.url_id,
        at: row.read_at,
        sha256: row.sha256,
        ...(row.language !== null && { language: row.language }),
        documentBytes: row.document_bytes,
        ...(row.stems !== null && { words: unpacked(row.stems, row.word_bytes ?? 0) }),
      };
    }
    if (rows.length < ROWS) return;
    last = rows.at(-1)?.url_id ?? last;
  }
}

/** `stem count` by line, compressed: about 1 KB for a page of 400 words. */
function packed({ counts }: CountedWords): Uint8Array {
  return deflateRawSync([...counts].map(([stem, count]) => `${stem} ${count}`).join('\n'));
}

function unpacked(bytes: Uint8Array, wordBytes: number): CountedWords {
  const counts = new Map<string, number>();
  let total = 0;
  for (const line of inflateRawSync(bytes).toString('utf8').split('\n')) {
    const [stem = '', count = '0'] = line.split(' ');
    if (stem === '') continue;
    counts.set(stem, Number(count));
    total += Number(count);
  }
  return { counts, total, bytes: wordBytes };
}
