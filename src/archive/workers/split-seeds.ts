import type { CrawlSpec } from '../../model/crawl.ts';
import { UserError } from '../user-error.ts';

/** The part of a crawl that one worker at a time can do. */
export interface SiteShare {
  readonly site: string;
  readonly spec: CrawlSpec;
}

/** One crawl for each site of the seeds, in the order they were given. Limits apply to each of them. */
export function splitBySite(spec: CrawlSpec, siteOf: (url: string) => string): readonly SiteShare[] {
  const bySite = new Map<string, string[]>();
  for (const seed of spec.seeds) {
    const site = siteOf(seed);
    bySite.set(site, [...(bySite.get(site) ?? []), seed]);
  }
  return [...bySite].map(([site, seeds]) => {
    const { seedScopes, ...rest } = spec;
    const own = seedScopes?.filter(({ url }) => seeds.includes(url)) ?? [];
    return { site, spec: { ...rest, seeds, ...(own.length > 0 && { seedScopes: own }) } };
  });
}

/** Throws UserError for what a worker elsewhere could not do as requested. */
export function refuseUnshareable(spec: CrawlSpec): void {
  const { supplied, ways, session, perimeter } = spec;
  if (supplied)
    throw new UserError(
      `--hand-over: ${supplied.map((kind) => `--${kind}`).join(', ')} are secrets, which are never stored, and workers would not have them: ` +
        'archive these sites without --hand-over while no worker runs',
    );
  if (ways)
    throw new UserError(
      '--hand-over: a proxy is not stored with a crawl, and workers would not have it: archive these sites without --hand-over while no worker runs',
    );
  if (session !== undefined)
    throw new UserError(
      '--hand-over: a session goes from page to page in one process, and a handed crawl changes hands: leave out --session',
    );
  if (perimeter)
    throw new UserError(
      '--hand-over: a perimeter is one crawl over many sites, which cannot be split by site: leave out --perimeter or --hand-over',
    );
}
