import { textOf } from '../model/body.ts';
import { layoutUri } from '../model/derived-uris.ts';
import type { Millis } from '../model/time.ts';
import type { CaptureCatalog, ChangeCatalog, ChangeQuery, ChangeSummary } from '../ports/catalog.ts';
import type { RecordReader } from '../ports/record-store.ts';
import { readerReport, summaryText } from '../science/delta/reader-words.ts';
import { type PlaceWords, placeWords } from '../science/layout/place-words.ts';
import { parseViXml } from '../science/layout/vi-xml.ts';

/** Changes read at a time: what a list of any length holds in memory. */
const PAGE = 200;

/** As the query ranks them. */
export async function* listChanges(catalog: ChangeCatalog, query: ChangeQuery): AsyncIterable<ChangeSummary> {
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  let offset = query.offset ?? 0;
  while (left > 0) {
    const limit = Math.min(PAGE, left);
    const page = await catalog.changes({ ...query, limit, offset });
    yield* page;
    if (page.length < limit) return;
    left -= page.length;
    offset += page.length;
  }
}

/**
 * For people, in one line: when, how much, which page, and what of it a reader would be told first. Where that stands on the page
 * its layouts tell, as far as they are stored.
 */
export async function changeText(
  change: ChangeSummary,
  archive: StoredPages,
  by: ChangeQuery['by'] = 'salience',
): Promise<string> {
  const { url, from, to, importance, partial, operations, count } = change;
  const value = by === 'salience' ? (change.salience ?? importance) : importance;
  const places = { old: await placesAt(url, from, archive), new: await placesAt(url, to, archive) };
  // Ranked by salience, a line says what that number is for.
  const isSalience = by === 'salience' && change.why !== undefined && change.why !== '';
  const told = isSalience
    ? capitalised(change.why ?? '')
    : summaryText(readerReport(operations, places), partial);
  const unread = count > operations.length ? ` (of ${count} operations, the first ${operations.length})` : '';
  const seen = partial ? ' (only a part of the page was compared)' : '';
  return `${timeText(to)}  ${value.toFixed(3)}  ${url}  ${told}${unread}${seen}`;
}

const capitalised = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`;

export interface StoredPages {
  readonly catalog: Pick<CaptureCatalog, 'closest'>;
  readonly reader: Pick<RecordReader, 'read'>;
}

async function placesAt(url: string, at: Millis, { catalog, reader }: StoredPages): Promise<PlaceWords> {
  const fact = await catalog.closest(layoutUri(url), at);
  if (fact?.at !== at) return () => '';
  try {
    return placeWords(parseViXml(await textOf((await reader.read(fact)).payload)));
  } catch {
    // A damaged layout costs the words of place; `verify` tells of it.
    return () => '';
  }
}

/** To the minute, UTC. */
const timeText = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
