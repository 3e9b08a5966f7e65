import type { Crawl } from './crawl.ts';
import type { Millis } from './time.ts';

/** Finished crawls of exactly these seeds, by start time. */
export function capturesOfSeeds(
  crawls: readonly Crawl[],
  seeds: readonly string[],
): readonly (Crawl & { readonly finishedAt: Millis })[] {
  const own = JSON.stringify(seeds.toSorted());
  return crawls
    .flatMap((crawl) =>
      crawl.state === 'finished' &&
      crawl.finishedAt !== undefined &&
      JSON.stringify(crawl.spec.seeds.toSorted()) === own
        ? [{ ...crawl, finishedAt: crawl.finishedAt }]
        : [],
    )
    .sort((a, b) => a.startedAt - b.startedAt);
}
