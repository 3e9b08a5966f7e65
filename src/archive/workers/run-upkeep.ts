import type { Clock } from '../../ports/clock.ts';
import type { JobQueue } from '../../ports/job-queue.ts';
import { BACKGROUND, type MergeSizes } from '../merge/choose-files.ts';
import { GRACE, mergeArchive } from '../merge/merge-archive.ts';
import type { ArchiveLocation, OpenArchive } from '../open/open-archive.ts';
import { openSearch } from '../search/search-archive.ts';

/** Shortest time between two rounds, in milliseconds, and rest after a round, as a multiple of its duration. */
const [EVERY, REST] = [600_000, 9];

export interface UpkeepJobOptions {
  readonly archive: OpenArchive;
  readonly location: Pick<ArchiveLocation, 'database'>;
  readonly queue: Pick<JobQueue, 'addAnalyses' | 'addUpkeep'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly sizes?: MergeSizes;
  readonly signal: AbortSignal;
  readonly onDoing: (id: string, doing: string | undefined) => void;
  readonly onNote: (note: string) => void;
}

/** One job, of which an archive has one: does what is due now and then, then queues itself again. */
export async function runUpkeep(options: UpkeepJobOptions): Promise<void> {
  const { archive, queue, clock, signal, onDoing, onNote, sizes = BACKGROUND } = options;
  const startedAt = clock.now();
  try {
    // From workers that died before they reported that something waits.
    await queue.addAnalyses((await archive.catalog.waitingSites()).map(({ site }) => site));
    onDoing('upkeep', 'merges small record files');
    const { files, into } = await mergeArchive(archive, {
      ...{ now: () => clock.now(), sizes, grace: GRACE, signal },
    });
    if (files > 0) onNote(`${files} small record files were merged into ${into}.`);
    onDoing('upkeep', 'settles importance');
    if (!signal.aborted) await archive.catalog.settleNews();
    onDoing('upkeep', 'brings the search index in line');
    if (!signal.aborted) await updateSearch(options);
  } catch (error) {
    // Nothing was lost: it is retried as if it had been done.
    await queue.addUpkeep(EVERY).catch(() => {});
    throw error;
  } finally {
    onDoing('upkeep', undefined);
  }
  await queue.addUpkeep(signal.aborted ? 0 : Math.max(EVERY, REST * (clock.now() - startedAt)));
}

/** So that a search finds it done: otherwise the first search after a crawl would wait for it. */
async function updateSearch({ archive, location, signal }: UpkeepJobOptions): Promise<void> {
  const search = await openSearch(archive, location);
  try {
    if (await search.isBehind()) await search.update({ signal });
  } finally {
    await search.close();
  }
}
