import { randomUUID } from 'node:crypto';
import type { CaptureFact, EventDraft } from '../../model/capture.ts';
import type { IndexBatch } from '../../ports/catalog.ts';
import type { RecordStore } from '../../ports/record-store.ts';
import { ReadableOriginals } from '../../stages/readable-originals.ts';
import { createEventRecorder, type EventRecorder } from '../../stages/record-event.ts';
import { ANALYSIS_FILES } from '../../storage/analysis-files.ts';
import { recordHome } from '../../storage/record-copies.ts';
import { openWarcStore } from '../../warc/warc-store.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { systemClock } from '../system-clock.ts';
import { userAgent } from '../user-agent.ts';
import { VERSION } from '../version.ts';

/** What a stored event gives the catalog besides its captures. */
type Told = Pick<IndexBatch, 'analyses'>;

export interface DerivedStore {
  /**
   * Records first, then the catalog: after a crash in between, whoever opens the archive next indexes the leftover
   * bytes.
   */
  add(event: Omit<EventDraft, 'id'>, told?: (eventId: string) => Told): Promise<readonly CaptureFact[]>;
  close(end: { readonly isBrokenOff: boolean }): Promise<void>;
}

/**
 * What is found out about captures later, in files of its own; each event is on disk and in the catalog before the next
 * one begins.
 */
export function openDerivedStore({ folder, catalog, reader, identity }: OpenArchive): DerivedStore {
  let opened: { readonly store: RecordStore; readonly recorder: EventRecorder } | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  async function open(): Promise<{ readonly store: RecordStore; readonly recorder: EventRecorder }> {
    const store = await openWarcStore({
      ...recordHome(folder),
      ...ANALYSIS_FILES,
      clock: systemClock,
      software: `Daguerre/${VERSION}`,
      ...(identity && { identity }),
      userAgent: userAgent(),
      robots: 'none',
    });
    return { store, recorder: createEventRecorder(store, new ReadableOriginals({ catalog, reader, store })) };
  }

  async function add(
    event: Omit<EventDraft, 'id'>,
    told: (eventId: string) => Told,
  ): Promise<readonly CaptureFact[]> {
    opened ??= await open();
    const { store, recorder } = opened;
    const id = randomUUID();
    const captures = (await recorder.record([{ ...event, id }])).flat();
    await store.sync();
    await catalog.index({ captures, pages: [], ...told(id), fileLengths: store.lengths() });
    return captures;
  }

  return {
    add(event, told = () => ({})) {
      const added = turn.then(() => add(event, told));
      turn = added.catch(() => {});
      return added;
    },
    async close(end) {
      await turn;
      await opened?.store.close(end);
    },
  };
}
