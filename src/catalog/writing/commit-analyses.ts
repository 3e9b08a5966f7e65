import type { CaptureFact } from '../../model/capture.ts';
import type { Change } from '../../model/change.ts';
import { analysisUri, deltaUri, layoutUri, pageOfUri, snapshotUri } from '../../model/derived-uris.ts';
import type { IndexedAnalysis } from '../../ports/catalog.ts';
import { bulkQuery, bulkWrite, insertInto } from '../engines/bulk-statement.ts';
import { eventBytes } from '../names/stored-ids.ts';
import { storable, whole } from '../names/stored-text.ts';
import { allColumns } from '../tables.ts';
import type { CommitScope } from './commit.ts';
import { writeChanges } from './commit-changes.ts';

/**
 * Analyses of captures that were made before. Of several of one capture the newest holds, in whatever order their files are
 * read (decisions/0039): its row, its change, and its layout and delta are listed. Records that it supersedes stay in their
 * files, and in the indexes of those.
 */
const COLUMNS = allColumns('analyses');
const ADD_ANALYSIS = bulkQuery<{ url_id: number; seen_at: number }>()({
  name: 'add-analysis',
  columns: COLUMNS,
  sql: `${insertInto('analyses', COLUMNS)} on conflict (url_id, seen_at) do update set
    ${Object.keys(COLUMNS)
      .filter((column) => column !== 'url_id' && column !== 'seen_at')
      .map((column) => `${column} = excluded.${column}`)
      .join(', ')}
    where excluded.made_at > analyses.made_at returning url_id, seen_at`,
});

const SUPERSEDED_CHANGES =
  '(select ch.id from {rows} join changes ch on ch.url_id = rows.url_id and ch.to_at = rows.at)';
const CHANGE_KEY = { url_id: 'int', at: 'int' } as const;
const DROP_OPERATIONS = bulkWrite({
  name: 'drop-superseded-operations',
  columns: CHANGE_KEY,
  sql: `delete from operations where change_id in ${SUPERSEDED_CHANGES}`,
});
const DROP_SALIENCES = bulkWrite({
  name: 'drop-superseded-saliences',
  columns: CHANGE_KEY,
  sql: `delete from saliences where change_id in ${SUPERSEDED_CHANGES}`,
});
const DROP_WORDS = bulkWrite({
  name: 'drop-superseded-words',
  columns: CHANGE_KEY,
  sql: `delete from change_words where change_id in ${SUPERSEDED_CHANGES}`,
});
const DROP_CHANGES = bulkWrite({
  name: 'drop-superseded-changes',
  columns: CHANGE_KEY,
  sql: `delete from changes where id in ${SUPERSEDED_CHANGES}`,
});

const FIND_ANALYSED = bulkQuery<{ place: number }>()({
  name: 'find-analysed',
  columns: { place: 'int', ...CHANGE_KEY },
  sql: `select rows.place from {rows} join analyses a on a.url_id = rows.url_id and a.seen_at = rows.at`,
});

const DELIST = bulkWrite({
  name: 'delist-superseded',
  columns: { page_id: 'int', uri_id: 'int', at: 'int', is_snapshot: 'int' },
  sql: `delete from captures where id in (select c.id from {rows}
    join analyses a on a.url_id = rows.page_id and a.seen_at = rows.at
    join captures c on c.url_id = rows.uri_id and c.taken_at = rows.at
    where (c.event is null or c.event <> a.event) and a.snapshot >= rows.is_snapshot)`,
});

/** Kinds of records of which a capture has one. */
const URIS = [layoutUri, deltaUri, snapshotUri, analysisUri] as const;
const isAnalysed = (uri: string): boolean => /^urn:(?:snapshot|layout|delta|analysis):/.test(uri);

/** URLs that the statements here need the ids of. */
export function* namesOfAnalyses(
  captures: readonly CaptureFact[],
  analyses: readonly IndexedAnalysis[],
): Iterable<string> {
  for (const { analysis } of analyses) {
    yield analysis.url;
    for (const uri of URIS) yield uri(analysis.url);
  }
  for (const { url } of captures) if (isAnalysed(url)) yield pageOfUri(url) ?? url;
}

/** Changes of captures that were not analysed later: what a crawl found of the others is out of date. */
export async function notAnalysed(
  scope: CommitScope,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  const rows = changes.map(({ url, to }, place) => ({ place, url_id: scope.url(url).id, at: whole(to) }));
  const found = await scope.engine.bulk(scope.connection, FIND_ANALYSED, rows);
  const places = new Set(found.map(({ place }) => place));
  return changes.filter((_, place) => !places.has(place));
}

export async function writeAnalyses(scope: CommitScope, analyses: readonly IndexedAnalysis[]): Promise<void> {
  if (analyses.length === 0) return;
  // PostgreSQL takes each row of an upsert once.
  const newest = new Map<string, IndexedAnalysis>();
  for (const one of analyses) {
    const key = keyOf(scope.url(one.analysis.url).id, whole(one.analysis.at));
    const known = newest.get(key);
    if (!known || one.analysis.madeAt > known.analysis.madeAt) newest.set(key, one);
  }
  const rows = [...newest.values()].map(({ analysis, eventId }) => ({
    url_id: scope.url(analysis.url).id,
    seen_at: whole(analysis.at),
    info_id: scope.url(analysisUri(analysis.url)).id,
    event: eventBytes(eventId),
    made_at: whole(analysis.madeAt),
    analyser: storable(analysis.analyser),
    layout_at: analysis.layoutAt === undefined ? null : whole(analysis.layoutAt),
    compared_at: analysis.comparedAt === undefined ? null : whole(analysis.comparedAt),
    recut: analysis.recut ? 1 : 0,
    snapshot: analysis.snapshot ? 1 : 0,
    facts: storable(JSON.stringify(analysis.facts)),
  }));
  const { engine, connection } = scope;
  const taken = await engine.bulk(connection, ADD_ANALYSIS, rows);
  const keys = taken.map(({ url_id, seen_at: at }) => ({ url_id, at }));
  await engine.bulk(connection, DROP_OPERATIONS, keys);
  await engine.bulk(connection, DROP_SALIENCES, keys);
  await engine.bulk(connection, DROP_WORDS, keys);
  await engine.bulk(connection, DROP_CHANGES, keys);
  await writeChanges(
    scope,
    taken.flatMap(({ url_id, seen_at }) => newest.get(keyOf(url_id, seen_at))?.change ?? []),
  );
}

const keyOf = (urlId: number, at: number): string => `${urlId} ${at}`;

/** After the records of a batch are listed: those that a newer analysis stands for are so no more. */
export async function delistSuperseded(
  scope: CommitScope,
  captures: readonly CaptureFact[],
  analyses: readonly IndexedAnalysis[],
): Promise<void> {
  const told = analyses.flatMap(({ analysis: { url, at } }) =>
    URIS.map((uri) => ({ page: url, uri: uri(url), at })),
  );
  const stored = captures
    .filter(({ url }) => isAnalysed(url))
    .map(({ url, at }) => ({ page: pageOfUri(url) ?? url, uri: url, at }));
  const rows = [...told, ...stored].map(({ page, uri, at }) => ({
    page_id: scope.url(page).id,
    uri_id: scope.url(uri).id,
    at: whole(at),
    is_snapshot: uri.startsWith('urn:snapshot:') ? 1 : 0,
  }));
  await scope.engine.bulk(scope.connection, DELIST, rows);
}
