import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { memoryBody, textOf } from '../model/body.ts';
import type { CaptureFact, DerivedRecord } from '../model/capture.ts';
import { DamagedRecord, type RecordStore } from '../ports/record-store.ts';
import { isSystemError } from '../ports/system-error.ts';
import type { ArchiveFolder } from '../storage/archive-folder.ts';
import { recordHome } from '../storage/record-copies.ts';
import { openWarcStore } from '../warc/warc-store.ts';
import { recordFileGone } from './open/gone-while-reading.ts';
import type { OpenArchive } from './open/open-archive.ts';
import { systemClock } from './system-clock.ts';
import { userAgent } from './user-agent.ts';
import { VERSION } from './version.ts';

/**
 * What an archive records about itself, in files of their own: imports, losses, mirrors and decisions of
 * people. Everything in the catalog, these included, can be rebuilt from records.
 */
const COLLECTIONS = ['import', 'loss', 'decision', 'mirror'] as const;

/** A record file of a journal. `import` gives no file such a name, so this archive wrote what is in one. */
export function isJournal(file: string): boolean {
  return COLLECTIONS.some((name) => new RegExp(`^${name}-0-\\d{14}-\\d+(?:-merged)?\\.warc`).test(file));
}

export function openJournal(
  folder: ArchiveFolder,
  collection: (typeof COLLECTIONS)[number],
): Promise<RecordStore> {
  return openWarcStore({
    ...recordHome(folder),
    collection,
    crawlId: 0,
    clock: systemClock,
    software: `Daguerre/${VERSION}`,
    userAgent: userAgent(),
    robots: 'none',
  });
}

export function writeDown(store: RecordStore, uri: string, fact: unknown): Promise<readonly CaptureFact[]> {
  const body = memoryBody(Buffer.from(JSON.stringify(fact)));
  return writeRecordDown(store, { uri, contentType: 'application/json', body });
}

export function writeRecordDown(store: RecordStore, record: DerivedRecord): Promise<readonly CaptureFact[]> {
  const { uri: url } = record;
  return store.append({ id: randomUUID(), url, at: systemClock.now(), exchanges: [], derived: [record] });
}

export type WrittenDown<T> =
  | { readonly capture: CaptureFact; readonly fact: T }
  | { readonly capture: CaptureFact; readonly problem: string };

/**
 * What this archive recorded under `prefix`. Imported records may say the same of another archive, or anything else.
 *
 * A missing journal file stops callers that would otherwise act on half of it; `verify`, which names the file, goes on
 * without it.
 */
export async function* writtenDown<T>(
  { catalog, reader }: Pick<OpenArchive, 'catalog' | 'reader'>,
  prefix: string,
  schema: z.ZodType<T>,
  { withoutGone = false }: { readonly withoutGone?: boolean } = {},
): AsyncGenerator<WrittenDown<T>> {
  for await (const capture of catalog.captures({ urlPrefix: prefix })) {
    if (!isJournal(capture.file)) continue;
    try {
      const value: unknown = JSON.parse(await textOf((await reader.read(capture)).payload));
      const { success, data } = schema.safeParse(value);
      yield success ? { capture, fact: data } : { capture, problem: 'it lacks what it should say' };
    } catch (error) {
      // Damaged records are reported where all records are read.
      if (error instanceof DamagedRecord) continue;
      if (isSystemError(error) && error.code === 'ENOENT') {
        if (withoutGone) continue;
        throw recordFileGone(error.path ?? capture.file);
      }
      if (!(error instanceof SyntaxError)) throw error;
      yield { capture, problem: error.message };
    }
  }
}
