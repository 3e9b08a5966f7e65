import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Body } from '../../model/body.ts';
import { SITE_DELTA } from '../../model/site-delta.ts';
import { isJournal, openJournal, writeRecordDown } from '../journal.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { future } from '../system-clock.ts';
import { UserError } from '../user-error.ts';
import { type HistoryCounts, type HistoryProblems, indexSiteDelta } from './index-site-delta.ts';
import { SiteDeltaError } from './sax-events.ts';

export interface ImportedSiteDelta {
  /** Whether the archive already has this very file. */
  readonly isKnown: boolean;
  readonly history: HistoryCounts;
  readonly problems: HistoryProblems;
}

/** XML that is not a site-delta is refused with its line and column, which helps more than 'no record in it'. */
export const looksLikeXml = (start: string): boolean =>
  /^\s*</.test(start.replace(/^\u00ef\u00bb\u00bf/, ''));

/**
 * Imports the history of sites, as another archive tells it. The file is read through before anything is stored; then
 * it becomes a record, so that `reindex` restores it, and rows of the catalog.
 */
export async function importSiteDelta(
  { folder, catalog, identity }: OpenArchive,
  path: string,
  sha256: string,
  onProgress: (file: string, done: number, size: number) => void,
): Promise<ImportedSiteDelta> {
  const uri = `${SITE_DELTA}${sha256}`;
  for await (const { file } of catalog.captures({ url: uri })) {
    if (!isJournal(file)) continue;
    const nothing = { errors: [], notes: [], more: 0 };
    return { isKnown: true, history: { sites: 0, pages: 0, documents: 0 }, problems: nothing };
  }
  const { size } = await stat(path);
  const body = fileBody(path, size);
  const name = basename(path);
  const before = future();
  const { counts, problems } = await readThrough(path, told(body, name, onProgress, 0), before, identity?.id);
  const store = await openJournal(folder, 'import');
  try {
    const captures = await writeRecordDown(store, { uri, contentType: 'application/xml', body });
    await store.sync();
    // Until its histories are in the catalog too: after a crash in between, the file is indexed when the archive is
    // next opened.
    const [unfinishedFile] = captures.map(({ file }) => file);
    const unfinished = unfinishedFile !== undefined && { unfinishedFile };
    await catalog.index({ captures, pages: [], fileLengths: new Map(), ...unfinished });
    await indexSiteDelta(told(body, name, onProgress, size), before, catalog);
    await catalog.index({ captures: [], pages: [], fileLengths: store.lengths() });
  } finally {
    await store.close();
  }
  return { isKnown: false, history: counts, problems };
}

async function readThrough(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  before: number,
  own: string | undefined,
) {
  try {
    const read = await indexSiteDelta(chunks, before, undefined, own);
    if (read.counts.sites > 0) return read;
  } catch (error) {
    if (!(error instanceof SiteDeltaError)) throw error;
    throw new UserError(`${path} is no site-delta that can be read: ${error.message}. It was left alone.`);
  }
  throw new UserError(`${path} tells of no site. It was left alone.`);
}

const fileBody = (path: string, size: number): Body => ({
  size,
  bytes: undefined,
  chunks: () => createReadStream(path),
  release: async () => {},
});

/** It is read twice: `done` is what was read in the first pass. */
async function* told(
  { size, chunks }: Body,
  name: string,
  onProgress: (file: string, done: number, size: number) => void,
  done: number,
): AsyncGenerator<Uint8Array> {
  let now = done;
  for await (const chunk of chunks()) {
    yield chunk;
    now += chunk.byteLength;
    onProgress(name, now, 2 * size);
  }
}
