import type { AnsweredVisit } from '../../ports/catalog.ts';
import { bulkQuery } from '../engines/bulk-statement.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { type AnsweredRow, answeredVisit } from './answered-visit.ts';
import { type FoldedEntry, foldedEntries } from './folded-entries.ts';
import { hostNames } from './tally-rows.ts';
import { urlsById } from './urls-by-id.ts';

type Page = Pick<FoldedEntry, 'id' | 'url_id' | 'host_id' | 'is_seed' | 'depth' | 'rate' | 'via_id'>;

interface Answer {
  readonly pass: number;
  readonly outcome: string;
  readonly status: number | null;
  readonly event: Uint8Array | null;
}

type Document = Pick<AnsweredRow, 'taken_at' | 'record' | 'record_id' | 'mime' | 'sha256' | 'truncated'>;

const DOCUMENT = bulkQuery<Document & { place: number }>()({
  name: 'document-of-event',
  columns: { place: 'int', url_id: 'int', event: 'bytes' },
  sql: `select rows.place, c.taken_at, c.record, c.record_id, c.truncated, coalesce(c.mime, o.mime) as mime,
      coalesce(c.sha256, o.sha256) as sha256
    from {rows} join captures c on c.id = (select min(e.id) from captures e where e.url_id = rows.url_id
      and e.event = rows.event and e.type in ('response', 'revisit'))
    left join captures o on o.id = c.original_id`,
});

/** `answeredVisits` of a crawl that is folded, of which some entries and visits have rows all the same. */
export async function* foldedAnswers(engine: Engine, crawlId: number): AsyncGenerator<AnsweredVisit> {
  const { db } = engine;
  const { pages, answers } = await pagesOf(db, crawlId);
  const found = pages.flatMap((page) => {
    const own = (answers.get(page.url_id) ?? []).sort((a, b) => a.pass - b.pass);
    const isPage = own.some(({ pass, status }) => pass === 0 && isPageStatus(status));
    return isPage ? own.map((answer) => ({ page, answer })) : [];
  });
  const documents = await engine.bulk(
    db,
    DOCUMENT,
    found.map(({ page, answer }, place) => ({ place, url_id: page.url_id, event: answer.event })),
  );
  const byPlace = new Map(documents.map((document) => [document.place, document]));
  const names = await urlsById(
    db,
    found.flatMap(({ page: { url_id, via_id } }) => (via_id === null ? [url_id] : [url_id, via_id])),
  );
  const hosts = await hostNames(
    db,
    pages.flatMap(({ host_id }) => (host_id === null ? [] : [host_id])),
  );
  for (const [place, { page, answer }] of found.entries()) {
    const document = byPlace.get(place);
    if (!document) continue;
    const { url_id, via_id, host_id } = page;
    yield answeredVisit({
      ...page,
      ...answer,
      ...document,
      url: names.get(url_id) ?? '',
      host: hosts.get(host_id ?? 0) ?? '',
      via: via_id === null ? null : (names.get(via_id) ?? null),
    });
  }
}

/** Pages that were captured, in the order they were found, and all visits that brought an answer. */
async function pagesOf(db: Connection, crawlId: number) {
  const pages: Page[] = await db
    .selectFrom('frontier')
    .where('crawl_id', '=', crawlId)
    .where('pass', '=', 0)
    .where('kind', '=', 'page')
    .where('state', 'in', ['captured', 'unchanged'])
    .select(['id', 'url_id', 'host_id', 'is_seed', 'depth', 'rate', 'via_id'])
    .execute();
  const answers = new Map<number, Answer[]>();
  const answered = (urlId: number, answer: Answer): void => {
    if (answer.event !== null) answers.set(urlId, [...(answers.get(urlId) ?? []), answer]);
  };
  const rows = await db
    .selectFrom('visits')
    .where('crawl_id', '=', crawlId)
    .where('outcome', '<>', 'deferred')
    .orderBy('id')
    .select(['url_id', 'pass', 'outcome', 'status', 'event'])
    .execute();
  for (const { url_id, ...answer } of rows) answered(url_id, answer);
  for await (const entry of foldedEntries(db, crawlId)) {
    const { pass, outcome, status } = entry;
    const event = entry.event === null ? null : Buffer.from(entry.event, 'base64');
    answered(entry.url_id, { pass, outcome, status, event });
    if (pass === 0 && entry.kind === 'page' && entry.state !== 'dropped') pages.push(entry);
  }
  return { pages: pages.sort((a, b) => a.id - b.id), answers };
}

export const isPageStatus = (status: number | null): boolean =>
  status !== null && ((status >= 200 && status < 300) || status === 304);
