import type { PageOutlook } from '../../science/policy/watch/outlook.ts';
import { type ArchiveLocation, type OpenArchive, openForReading } from '../open/open-archive.ts';
import { systemClock } from '../system-clock.ts';
import { liveSites } from './live-site.ts';
import { readWatchConfig } from './read-watch-config.ts';
import { RunningWatch } from './run-watch.ts';
import type { WatchConfig } from './watch-settings.ts';

export type { PageOutlook };

/** Why a watch knows nothing of a page. `unknown`: it would visit it, but has not learnt of it yet. */
export type Unwatched = 'elsewhere' | 'out-of-scope' | 'decided-out' | 'unknown';

export type Outlook =
  | { readonly outlook: PageOutlook; readonly requestsPerHour: number }
  | { readonly outlook: null; readonly because: Unwatched };

/**
 * What a watch with this configuration file knows of a page, and when it expects to visit it; or why it knows
 * nothing.
 */
export async function pageOutlook(location: ArchiveLocation, file: string, url: string): Promise<Outlook> {
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
      const outlook = await watch.explain(url);
      if (outlook) return { outlook, requestsPerHour: config.budget.requestsPerHour };
      return { outlook: null, because: await unwatched(archive, config, url) };
    } finally {
      await watch.close();
    }
  } finally {
    await archive.close();
  }
}

export async function unwatched(
  { catalog, decisions }: Pick<OpenArchive, 'catalog' | 'decisions'>,
  config: Pick<WatchConfig, 'sites'>,
  url: string,
): Promise<Unwatched> {
  const bounds = catalog.siteBounds();
  const site = liveSites(config, bounds).find(({ name }) => name === bounds.siteOf(url));
  if (!site) return 'elsewhere';
  if (!site.has(url)) return 'out-of-scope';
  const { held } = await decisions();
  return held.on(url, systemClock.now()).verdict?.act.kind === 'out' ? 'decided-out' : 'unknown';
}
