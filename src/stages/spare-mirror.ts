import { type Crawl, type NewFrontierEntry, RANKS } from '../model/crawl.ts';
import type { Decisions } from '../model/decisions.ts';
import type { InferredDirectory } from '../model/inference.ts';
import type { MirroredSite } from '../model/mirror.ts';
import type { Millis } from '../model/time.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Scope } from '../ports/scope.ts';
import { sitePath } from '../science/evolution/site-path.ts';
import { signatureOf } from '../science/mirrors/min-hash.ts';
import { type ComparedSample, unvisitedInMirror } from '../science/mirrors/mirror-sample.ts';
import { isInPart } from '../science/mirrors/mirrored-part.ts';
import type { SiteOrder } from '../science/policy/site-order.ts';
import type { InferOptions, SiteInference } from './infer-directories.ts';
import type { PageRates } from './page-rates.ts';
import { knownEntries } from './stored/known-entries.ts';
import { type ComparePorts, isSameText } from './stored/same-pages.ts';
import { pathOf, type SitePages, sitePages } from './stored/site-pages.ts';

export interface SparePorts extends ComparePorts {
  readonly catalog: ComparePorts['catalog'] & Pick<Catalog, 'pageStandings' | 'sightings' | 'siteBounds'>;
  readonly decisions: Decisions;
  readonly scope: Scope;
  readonly rates: PageRates;
  readonly order: SiteOrder;
}

/**
 * Pages besides the seeds that decide whether a mirror still is one. If half of it differed, the sample would agree in one of 150
 * crawls.
 */
const SAMPLE = 16;
/** Share of the sample that must agree: a few pages may show a date. */
const AGREEING = 0.8;

/**
 * Stage: a site known to mirror another → the pages left out until a sample was visited, and the pages that are visited: the sample,
 * and all known ones that the mirrored part does not hold. Undefined if nothing can be compared.
 */
export async function spareMirror(
  mirror: MirroredSite,
  crawl: Crawl,
  { now, room }: Pick<InferOptions, 'now' | 'room'>,
  ports: SparePorts,
): Promise<SiteInference | undefined> {
  const { siteOf } = ports.catalog.siteBounds();
  const [own, origin] = [
    await sitePages(mirror.mirror, ports.catalog),
    await sitePages(mirror.origin, ports.catalog),
  ];
  const [first] = [...origin.pages.values()];
  const seeds = new Set(
    crawl.spec.seeds.filter((seed) => siteOf(seed) === mirror.mirror).map((seed) => new URL(seed).href),
  );
  const [seed] = seeds;
  if (!first || seed === undefined) return undefined;
  const urls = new Map([...own.pages].map(([path, { url }]) => [path, url]));
  // What the origin has added since is mirrored too: the mirror is not asked for it.
  for (const path of origin.pages.keys()) if (!urls.has(path)) urls.set(path, new URL(path, seed).href);
  const inPart = [...urls].filter(([path, url]) => isInPart(path, mirror) && !seeds.has(url));
  const sample = sampled(
    inPart.filter(([path]) => own.pages.has(path) && origin.pages.has(path)),
    crawl,
  );
  if (sample.length === 0) return undefined;
  const chosen = new Set(sample);
  // What a person wants visited is visited.
  const isKept = (url: string): boolean => ports.decisions.on(url, now).kept === undefined;
  const left = inPart.map(([, url]) => url).filter((url) => !chosen.has(url) && isKept(url));
  const isLeft = new Set(left);
  const visited = [...own.pages.values()]
    .map(({ url }) => url)
    .filter((url) => !isLeft.has(url) && !seeds.has(url));
  const seen = await lastSeen(left, { own, origin }, crawl.startedAt, ports);
  // A seed outside the part, such as the front page of a mirrored directory's site, says nothing about it.
  const compared = [...seeds].filter((url) => isInPart(pathOf(url), mirror));
  const assumes = { head: [...compared, ...sample], alpha: AGREEING, origin: new URL(first.url).origin };
  return {
    inferred: byDirectory(left).map(([directory, pages]) => ({
      site: mirror.mirror,
      directory,
      reason: 'mirror',
      rule: `the site mirrors ${mirror.origin}`,
      assumes,
      // Until the sample is in.
      ...unvisitedInMirror({ compared: 0, agreeing: 0 }, pages.length),
      lastSeen: pages.reduce((least, url) => Math.min(least, seen.get(url) ?? least), crawl.startedAt),
      state: 'held',
      urls: pages.toSorted(),
    })),
    virtual: [],
    discovered: entered(visited, { now, room }, ports),
    notes: [
      `${mirror.mirror} mirrors ${mirror.origin}: ${sample.length} pages of ${inPart.length} are visited to see whether it still does`,
    ],
  };
}

/** When each page was last seen at the mirror; if never, at the origin. */
async function lastSeen(
  urls: readonly string[],
  { own, origin }: { readonly own: SitePages; readonly origin: SitePages },
  before: Millis,
  { catalog }: SparePorts,
): Promise<ReadonlyMap<string, Millis>> {
  const shownBy = new Map(
    urls.flatMap((url) => {
      const page = own.pages.get(pathOf(url)) ?? origin.pages.get(pathOf(url));
      return page ? [[page.url, url] as const] : [];
    }),
  );
  const seen = new Map<string, Millis>();
  for (const { url: shown, sightings } of await catalog.sightings([...shownBy.keys()])) {
    const last = sightings.findLast(({ at, state }) => state === 'there' && at < before);
    const url = shownBy.get(shown);
    if (last && url !== undefined) seen.set(url, last.at);
  }
  return seen;
}

/** Different pages in each crawl, but the same ones when it is resumed: those with the least hash. */
function sampled(
  pages: readonly (readonly [path: string, url: string])[],
  { startedAt }: Crawl,
): readonly string[] {
  const hash = (url: string): number => signatureOf([`${startedAt} ${url}`])[0] ?? 0;
  return pages
    .map(([, url]) => ({ url, hash: hash(url) }))
    .sort((a, b) => a.hash - b.hash)
    .slice(0, SAMPLE)
    .map(({ url }) => url)
    .toSorted();
}

function byDirectory(urls: readonly string[]): readonly (readonly [string, readonly string[]])[] {
  const directories = new Map<string, string[]>();
  for (const url of urls) {
    const { directory } = sitePath(url);
    const known = directories.get(directory);
    if (known) known.push(url);
    else directories.set(directory, [url]);
  }
  return [...directories].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function entered(
  urls: readonly string[],
  { now, room }: Pick<InferOptions, 'now' | 'room'>,
  { scope, rates, order }: SparePorts,
): readonly NewFrontierEntry[] {
  const pages = urls.map((url) => ({ url, depth: 1, extraHops: 0 }));
  return knownEntries(pages, now, { scope, rates }).map((entry, index) => {
    const candidate = { url: entry.url, depth: entry.depth, batch: 0, index, rate: entry.rate ?? 0 };
    const spare = order.choose !== undefined && index >= room;
    return {
      ...entry,
      rank: spare ? RANKS.reserve : order.rank(candidate),
      reason: order.reason(candidate),
    };
  });
}

/** Stage: pages of a mirror held back until its sample was visited → taken as equal to their origin, or visited after all. */
export async function settleMirrors(
  held: readonly InferredDirectory[],
  { startedAt }: Pick<Crawl, 'startedAt'>,
  options: Pick<InferOptions, 'now' | 'room'>,
  ports: SparePorts,
): Promise<SiteInference> {
  const { siteOf } = ports.catalog.siteBounds();
  const inferred: InferredDirectory[] = [];
  const discovered: NewFrontierEntry[] = [];
  const notes: string[] = [];
  for (const site of new Set(held.map((one) => one.site))) {
    const own = held.filter((one) => one.site === site);
    const { head = [], alpha = 1, origin = '' } = own[0]?.assumes ?? {};
    const sample = await agreement([site, siteOf(origin)], head, startedAt, ports);
    const { agreeing, compared } = sample;
    const holds = compared > 0 && agreeing >= alpha * compared;
    const urls = own.flatMap((one) => one.urls);
    const found = `${agreeing} of ${compared} pages that were compared agree`;
    inferred.push(
      ...own.map(
        (one): InferredDirectory => ({
          ...one,
          rule: `${one.rule}: ${found}`,
          ...unvisitedInMirror(sample, one.urls.length),
          state: holds ? 'inferred' : 'visited',
        }),
      ),
    );
    if (!holds) discovered.push(...entered(urls, options, ports));
    notes.push(
      holds
        ? `${site} mirrors ${siteOf(origin)} still: ${found}; ${urls.length} pages are not visited`
        : `${site} mirrors ${siteOf(origin)} no longer: ${found}; it is crawled whole`,
    );
  }
  return { inferred, virtual: [], discovered, notes };
}

/** A page agrees if it shows what the origin's page shows, or has shown before: a mirror may be behind. */
async function agreement(
  [site, origin]: readonly [string, string],
  sample: readonly string[],
  since: Millis,
  ports: SparePorts,
): Promise<ComparedSample> {
  const [own, other]: readonly SitePages[] = [
    await sitePages(site, ports.catalog),
    await sitePages(origin, ports.catalog),
  ];
  let agreeing = 0;
  let compared = 0;
  for (const url of sample) {
    const path = pathOf(url);
    const theirs = other?.pages.get(path);
    if (!theirs) continue;
    compared++;
    const [now] = await ports.catalog.sightings([url]);
    const last = now?.sightings.at(-1);
    if (last?.state !== 'there' || last.at < since) continue;
    const [before] = await ports.catalog.sightings([theirs.url]);
    const isKnown = before?.sightings.some(({ sha256 }) => sha256 === last.sha256) ?? false;
    if (isKnown || (await isSameText(own?.pages.get(path), theirs, ports))) agreeing++;
  }
  return { agreeing, compared };
}
