import type { PageOutlook } from '../../science/policy/watch/outlook.ts';
import { type ArchiveLocation, openForReading } from '../open/open-archive.ts';
import { systemClock } from '../system-clock.ts';
import { RunningWatch, readWatchConfig } from './run-watch.ts';

export type { PageOutlook };

/** What a watch by this file knows of a page, and when it expects to visit it; null where it does not watch it. */
export async function pageOutlook(
  location: ArchiveLocation,
  file: string,
  url: string,
): Promise<PageOutlook | null> {
  const config = await readWatchConfig(file);
  const archive = await openForReading(location);
  try {
    const watch = await RunningWatch.open(archive, config, {
      clock: systemClock,
      syncEvery: 1000,
      tell: () => {},
      isPlan: true,
    });
    try {
      return (await watch.explain(url)) ?? null;
    } finally {
      await watch.close();
    }
  } finally {
    await archive.close();
  }
}
