import type { OpenArchive } from '../open/open-archive.ts';
import type { LiveSite } from './live-site.ts';
import type { WatchNote } from './watch-file.ts';

/** When sites were last captured whole; captures made before a site was watched count too. */
export async function capturedBefore(
  { catalog }: Pick<OpenArchive, 'catalog'>,
  sites: readonly LiveSite[],
  noted: WatchNote['capturedAt'],
): Promise<WatchNote['capturedAt']> {
  const unknown = new Set(sites.flatMap(({ name }) => (noted[name] === undefined ? [name] : [])));
  if (unknown.size === 0) return noted;
  const { siteOf } = catalog.siteBounds();
  const found: Record<string, number> = {};
  for (const { finishedAt, state, spec } of await catalog.crawls()) {
    if (state !== 'finished' || finishedAt === undefined) continue;
    for (const seed of spec.seeds) if (unknown.has(siteOf(seed))) found[siteOf(seed)] = finishedAt;
  }
  return { ...found, ...noted };
}
