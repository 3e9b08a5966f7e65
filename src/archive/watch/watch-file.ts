import { join } from 'node:path';
import { z } from 'zod';
import type { KeptWatch } from '../../loop/watch/ports.ts';
import { SIGNAL_KINDS, type SignalKind } from '../../model/watch.ts';
import { readIfThere, writeWhole } from '../../storage/whole-file.ts';
import type { OpenArchive } from '../open/open-archive.ts';

/**
 * What a watch must not forget when it is stopped or killed: `watch.json` in the archive's folder, or, where other
 * machines may take over, the same in the catalog that they share.
 *
 *   { "watch": { "version": 1, "state": … }, "sources": { "https://…/sitemap.xml": "sitemap" }, "capturedAt": { "example.org": 17… } }
 *
 * What it has learnt of pages follows from the archive itself.
 */
export interface WatchNote {
  readonly watch?: KeptWatch | undefined;
  /** Feeds and sitemaps that were found. */
  readonly sources: Readonly<Record<string, SignalKind>>;
  /** When the last whole capture of a site ended. */
  readonly capturedAt: Readonly<Record<string, number>>;
}

const FILE = z.object({
  watch: z.object({ version: z.number(), state: z.unknown() }).optional(),
  sources: z.record(z.string(), z.enum(SIGNAL_KINDS)),
  capturedAt: z.record(z.string(), z.number()),
});

const watchPath = (root: string): string => join(root, 'watch.json');

/** An unreadable note counts as none: budgets start again, and nothing of the archive is lost. */
export async function readWatchNote({
  catalog,
  folder,
}: Pick<OpenArchive, 'catalog' | 'folder'>): Promise<WatchNote> {
  const text = (await catalog.keptWatch()) ?? (await readIfThere(watchPath(folder.root)));
  if (text === undefined) return { sources: {}, capturedAt: {} };
  try {
    const { watch, ...note } = FILE.parse(JSON.parse(text));
    return { ...note, ...(watch && { watch: { version: watch.version, state: watch.state } }) };
  } catch {
    return { sources: {}, capturedAt: {} };
  }
}

export async function writeWatchNote(
  { catalog, folder }: Pick<OpenArchive, 'catalog' | 'folder'>,
  note: WatchNote,
  /** Where the archive is shared: the visits that the note is based on. */
  shared: { readonly learnt: readonly number[] } | false,
): Promise<void> {
  const text = `${JSON.stringify(note)}\n`;
  if (shared) await catalog.keepWatch(text, shared.learnt);
  else await writeWhole(watchPath(folder.root), text, 0o644);
}
