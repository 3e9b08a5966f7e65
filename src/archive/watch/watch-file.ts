import { join } from 'node:path';
import { z } from 'zod';
import type { KeptWatch } from '../../loop/watch/ports.ts';
import { SIGNAL_KINDS, type SignalKind } from '../../model/watch.ts';
import { readIfThere, writeWhole } from '../../storage/whole-file.ts';

/**
 * `watch.json` in the archive's folder is what a watch must not forget when it is stopped or killed:
 *
 *   { "watch": { "version": 1, "state": … }, "sources": { "https://…/sitemap.xml": "sitemap" }, "capturedAt": { "example.org": 17… } }
 *
 * What it has learnt of pages is told by the archive itself.
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

/** A file that cannot be read is as good as none: budgets begin anew, and nothing of the archive is lost. */
export async function readWatchNote(root: string): Promise<WatchNote> {
  const text = await readIfThere(watchPath(root));
  if (text === undefined) return { sources: {}, capturedAt: {} };
  try {
    const { watch, ...note } = FILE.parse(JSON.parse(text));
    return { ...note, ...(watch && { watch: { version: watch.version, state: watch.state } }) };
  } catch {
    return { sources: {}, capturedAt: {} };
  }
}

export const writeWatchNote = (root: string, note: WatchNote): Promise<void> =>
  writeWhole(watchPath(root), `${JSON.stringify(note)}\n`, 0o644);
