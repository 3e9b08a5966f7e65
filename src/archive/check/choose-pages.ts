import { createHash } from 'node:crypto';
import { archivedUrl } from '../../access/capture-name.ts';
import { siteNamed } from '../../access/site-name.ts';
import type { Millis } from '../../model/time.ts';
import { ALWAYS, isWithin, type TimeOfCrawl, timeOfCrawl } from '../../model/time-of-crawl.ts';
import type { PageVersions } from '../../ports/catalog.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { UserError } from '../user-error.ts';
import type { SeenVersion } from './check-version.ts';

export interface PageChoice {
  readonly site?: string | undefined;
  readonly url?: string | undefined;
  /** Of the captures seen live the nearest to this time, instead of the newest. */
  readonly at?: Millis | undefined;
  readonly crawl?: number | undefined;
  readonly sample?: number | undefined;
  readonly seed: number;
}

export interface ChosenPages {
  readonly versions: readonly SeenVersion[];
  /** Pages without a layout that was seen live. */
  readonly notSeenLive: number;
  /** Pages beyond the sample. */
  readonly leftOut: number;
}

/** The newest capture of each page that was seen live (or the one at a time), or that a crawl made; a sample is drawn by lot, reproducibly for one seed. */
export async function choosePages(
  { catalog }: Pick<OpenArchive, 'catalog'>,
  { site, url, at, crawl, sample, seed }: PageChoice,
): Promise<ChosenPages> {
  const span = crawl === undefined ? ALWAYS : await spanOf(crawl, catalog);
  const versions: SeenVersion[] = [];
  let notSeenLive = 0;
  for (const where of await placesOf({ site, url, crawl }, catalog))
    for await (const { url: page, versions: all } of catalog.storedVersions(where)) {
      const made = all.filter(({ at }) => isWithin(at, span));
      if (made.length === 0) continue;
      const chosen = seenLive({ url: page, versions: made }, at);
      if (chosen) versions.push(chosen);
      else notSeenLive++;
    }
  if (sample === undefined || versions.length <= sample) return { versions, notSeenLive, leftOut: 0 };
  const drawn = versions
    .map((version) => ({ version, lot: createHash('sha256').update(`${seed} ${version.url}`).digest('hex') }))
    .sort((a, b) => (a.lot < b.lot ? -1 : 1))
    .slice(0, sample)
    .map(({ version }) => version);
  return { versions: drawn, notSeenLive, leftOut: versions.length - sample };
}

/** Where those pages are looked for. */
async function placesOf(
  { site, url, crawl }: Pick<PageChoice, 'site' | 'url' | 'crawl'>,
  catalog: OpenArchive['catalog'],
): Promise<readonly { readonly url?: string; readonly site?: string }[]> {
  if (url !== undefined) return [{ url: await stored(url, catalog) }];
  if (site !== undefined) return [{ site: siteNamed(site, catalog.siteBounds()) }];
  if (crawl !== undefined) return (await catalog.tally(crawl)).sites.map((one) => ({ site: one.site }));
  return [{}];
}

async function spanOf(crawl: number, catalog: OpenArchive['catalog']): Promise<TimeOfCrawl> {
  const found = (await catalog.crawls()).find(({ id }) => id === crawl);
  if (found) return timeOfCrawl(found);
  throw new UserError(`there is no crawl ${crawl}: 'daguerre serve' shows which there are`);
}

/** A layout that `analyse` made later shows the archive, not the live page. Versions come the oldest first. */
function seenLive(
  { url, versions }: PageVersions,
  moment = Number.POSITIVE_INFINITY,
): SeenVersion | undefined {
  let chosen: SeenVersion | undefined;
  for (const { at, look } of versions)
    if (look?.layoutAt !== undefined && look.analyser === undefined)
      if (!chosen || at <= moment || at - moment < moment - chosen.at)
        chosen = { url, at, layoutAt: look.layoutAt };
  return chosen;
}

async function stored(url: string, catalog: OpenArchive['catalog']): Promise<string> {
  const found = await archivedUrl(url, catalog);
  if (found === undefined)
    throw new UserError(`${url} is not in the archive: 'daguerre archive ${url}' captures it`);
  return found;
}
