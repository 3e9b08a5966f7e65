import { archivedUrl } from '../access/capture-name.ts';
import { type CountedInference, counted } from '../access/inference-counts.ts';
import { createRobotsReader } from '../capture/robots-reader.ts';
import { crawlUrl } from '../capture/scope/normalise.ts';
import { createScope } from '../capture/scope.ts';
import type { Crawl, VisitOutcome } from '../model/crawl.ts';
import type { Decision } from '../model/decision.ts';
import type { FaultKind, SkipReason } from '../model/fault.ts';
import type { Suspect } from '../model/perimeter.ts';
import { type DocumentStatus, isShown } from '../model/site-delta.ts';
import type { Millis } from '../model/time.ts';
import type { FrontierLogEntry, PerimeterUrl } from '../ports/catalog.ts';
import { storedResponse } from '../ports/record-store.ts';
import type { LinkOrigin } from '../ports/scope.ts';
import { webAddress } from './given/web-address.ts';
import { type ArchiveLocation, type OpenArchive, openForReading } from './open/open-archive.ts';
import { systemClock } from './system-clock.ts';
import { UserError } from './user-error.ts';

/** What a crawl did with a URL, and why. */
export type Explanation =
  | {
      readonly kind: 'visited';
      readonly outcome: VisitOutcome;
      readonly at: Millis;
      readonly reason: string;
      readonly status?: number;
      readonly fault?: { readonly kind: FaultKind; readonly detail: string };
    }
  /** It is in the queue of a crawl that is not finished. */
  | { readonly kind: 'waiting'; readonly via?: string }
  /** A rule left it out: as it was stored, or as the stored rules say when they are run again. */
  | {
      readonly kind: 'left-out';
      readonly reason: SkipReason;
      readonly detail: string;
      readonly known: 'stored' | 'rules';
      readonly via?: string;
    }
  /** It was not visited, and taken for unchanged, or for what its origin shows; when it was seen itself before, null where never. */
  | ({ readonly kind: 'inferred'; readonly pageSeen: Millis | null } & CountedInference)
  /** It is known, was not read, and is not believed to belong to the perimeter of the crawl. */
  | ({ readonly kind: 'suspect' } & Suspect)
  /** Not held here: the archive that does. */
  | { readonly kind: 'virtual'; readonly directory: string; readonly rule: string; readonly heldBy: string }
  /** The rules would have let it in; the crawl met no link to it. */
  | { readonly kind: 'never-seen' }
  /** A page that the crawl visited names it now; at that time it did not, or the crawl ended at a limit before. */
  | { readonly kind: 'linked'; readonly via: string; readonly limits: readonly SkipReason[] };

/** A page in the histories of other archives (docs/site-delta.md). */
export interface ToldPage {
  /** Ids of those archives. */
  readonly archives: readonly string[];
  /** Visits, and times it was left out. */
  readonly documents: number;
  /** The last of them that showed it; null where none did. */
  readonly lastShown: {
    readonly at: Millis;
    readonly status: DocumentStatus;
    readonly archive: string;
  } | null;
}

export interface WhyReport {
  readonly url: string;
  /** Null where the archive has none. */
  readonly captures: { readonly count: number; readonly firstAt: Millis; readonly lastAt: Millis } | null;
  /** Null where there was no crawl. */
  readonly crawl: (Pick<Crawl, 'id' | 'state' | 'startedAt'> & { readonly seeds: readonly string[] }) | null;
  readonly finding: Explanation | null;
  /** What imported histories of other archives tell of it; absent where they tell nothing. */
  readonly told?: ToldPage;
  /** What people have decided of it, as it holds now, the latest first. */
  readonly decisions: readonly Decision[];
  /** How it stands to perimeters, as it was judged last. */
  readonly perimeters: readonly PerimeterUrl[];
}

/** Why a URL is in the archive, or is not: what the last crawl of its site, or the one that is named, did with it. */
export async function whyOf(
  location: ArchiveLocation,
  given: string,
  crawlId: number | undefined,
): Promise<WhyReport> {
  const address = webAddress(given);
  const parsed = address && crawlUrl(address.url, address.url);
  if (!parsed?.ok)
    throw new UserError(`'${given}' is no address of a page; write e.g. https://example.org/about`);
  const archive = await openForReading(location);
  try {
    const { catalog } = archive;
    const url = (await archivedUrl(parsed.url, catalog)) ?? parsed.url;
    const crawl = await chosenCrawl(archive, url, crawlId);
    const told = await toldOf(archive, url);
    return {
      url,
      captures: await capturesOf(archive, url),
      crawl: crawl
        ? { id: crawl.id, state: crawl.state, startedAt: crawl.startedAt, seeds: crawl.spec.seeds }
        : null,
      finding: crawl ? await findingOf(archive, crawl, url) : null,
      ...(told && { told }),
      perimeters: await standingsOf(archive, url),
      decisions: (await archive.decisions()).held.on(url, systemClock.now()).all,
    };
  } finally {
    await archive.close();
  }
}

async function toldOf({ catalog }: OpenArchive, url: string): Promise<ToldPage | undefined> {
  for await (const page of catalog.importedPages(catalog.siteBounds().siteOf(url))) {
    if (page.url !== url) continue;
    const last = page.documents.findLast(({ status }) => isShown(status));
    return {
      archives: [...new Set(page.documents.map(({ archive }) => archive))].sort(),
      documents: page.documents.length,
      lastShown: last ? { at: last.at, status: last.status, archive: last.archive } : null,
    };
  }
  return undefined;
}

async function standingsOf({ catalog }: OpenArchive, url: string): Promise<readonly PerimeterUrl[]> {
  const found: PerimeterUrl[] = [];
  for await (const one of catalog.perimeterUrls({ url })) found.push(one);
  return found;
}

async function capturesOf({ catalog }: OpenArchive, url: string): Promise<WhyReport['captures']> {
  const times: Millis[] = [];
  for await (const { at } of catalog.captures({ url })) times.push(at);
  const [firstAt, lastAt] = [times[0], times.at(-1)];
  return firstAt === undefined || lastAt === undefined ? null : { count: times.length, firstAt, lastAt };
}

/** The last one with a seed on the site of the URL, else the last. */
async function chosenCrawl(
  { catalog }: OpenArchive,
  url: string,
  id: number | undefined,
): Promise<Crawl | undefined> {
  const crawls = (await catalog.crawls()).toSorted((a, b) => b.startedAt - a.startedAt || b.id - a.id);
  const { siteOf } = catalog.siteBounds();
  if (id === undefined)
    return crawls.find(({ spec }) => spec.seeds.some((seed) => siteOf(seed) === siteOf(url))) ?? crawls[0];
  const named = crawls.find((crawl) => crawl.id === id);
  if (named) return named;
  const known = crawls.map((crawl) => crawl.id).join(', ');
  throw new UserError(`there is no crawl ${id}; there are: ${known || 'none'}`);
}

async function findingOf(archive: OpenArchive, crawl: Crawl, url: string): Promise<Explanation> {
  const { catalog } = archive;
  const named = new Set((await catalog.links({ to: url })).map(({ from }) => from));
  const { own, origin } = await fromLog(archive, crawl, url, named);
  const last = own?.visits.at(-1);
  if (own && last) {
    const { outcome, at, reason, status, fault } = last;
    const seen = { ...(status !== undefined && { status }), ...(fault && { fault }) };
    return { kind: 'visited', outcome, at, reason, ...seen };
  }
  const via = own?.via === undefined ? {} : { via: own.via };
  if (own?.skip) return { kind: 'left-out', ...own.skip, known: 'stored', ...via };
  if (own?.state === 'pending') return { kind: 'waiting', ...via };
  const kept = (await catalog.inferences({ crawlId: crawl.id })).find(
    ({ state, urls }) => state !== 'visited' && urls.includes(url),
  );
  if (kept) return { kind: 'inferred', ...counted(kept), pageSeen: await seenBefore(archive, crawl, url) };
  const elsewhere = (await catalog.virtualDirectories({ crawlId: crawl.id })).find(({ urls }) =>
    urls.includes(url),
  );
  if (elsewhere) {
    const { directory, rule, heldBy } = elsewhere;
    return { kind: 'virtual', directory, rule, heldBy };
  }
  const skipped = (await catalog.skips({ crawlId: crawl.id })).find((skip) => skip.url === url);
  if (skipped) {
    const { reason, detail, via: from } = skipped;
    return { kind: 'left-out', reason, detail, known: 'stored', ...(from !== undefined && { via: from }) };
  }
  const suspect = await suspectOf(archive, crawl, url);
  if (suspect) return { kind: 'suspect', ...suspect };
  const refused = await refusedBy(archive, crawl, url, origin);
  if (refused) return { ...refused, ...(origin && { via: origin.url }) };
  if (!origin) return { kind: 'never-seen' };
  const rules = await catalog.skipRules({ crawlId: crawl.id });
  const limits = rules.map(({ reason }) => reason).filter((reason) => reason.endsWith('-limit'));
  return { kind: 'linked', via: origin.url, limits: [...new Set(limits)] };
}

async function seenBefore(
  { catalog }: OpenArchive,
  { startedAt }: Crawl,
  url: string,
): Promise<Millis | null> {
  const [page] = await catalog.sightings([url]);
  return page?.sightings.findLast(({ at, state }) => state === 'there' && at < startedAt)?.at ?? null;
}

async function suspectOf(
  { catalog }: OpenArchive,
  { spec: { perimeter } }: Crawl,
  url: string,
): Promise<Suspect | undefined> {
  if (!perimeter) return undefined;
  for await (const { isRead, ...one } of catalog.perimeterUrls({ perimeter: perimeter.name, url }))
    if (!isRead) return one;
  return undefined;
}

/** The line of the URL in the log of the crawl, and the page nearest to a seed that names it. */
async function fromLog({ catalog }: OpenArchive, crawl: Crawl, url: string, named: ReadonlySet<string>) {
  let own: FrontierLogEntry | undefined;
  let origin: LinkOrigin | undefined;
  for await (const entry of catalog.frontierLog(crawl.id)) {
    if (entry.url === url && entry.kind !== 'revisit') own = entry;
    const { depth, extraHops } = entry;
    if (named.has(entry.url) && (!origin || depth < origin.depth))
      origin = { url: entry.url, depth, extraHops };
  }
  return { own, origin };
}

type LeftOut = Extract<Explanation, { kind: 'left-out' }>;

/** The rules of the crawl, run again by the code that ran them then; robots.txt as it was captured. */
async function refusedBy(
  archive: OpenArchive,
  { spec, startedAt, finishedAt = startedAt }: Crawl,
  url: string,
  origin: LinkOrigin | undefined,
): Promise<LeftOut | undefined> {
  const scope = createScope(spec, (await archive.decisions()).held);
  const from = origin ?? { url: spec.seeds[0] ?? url, depth: 0, extraHops: 0 };
  const verdict = scope.judgeLink(url, from, finishedAt);
  if (!verdict.inside) {
    const { reason, detail } = verdict;
    return { kind: 'left-out', reason, detail, known: 'rules' };
  }
  if (!spec.politeness.robots) return undefined;
  const detail = await disallowed(archive, url, spec.politeness.userAgent, finishedAt);
  return detail === undefined ? undefined : { kind: 'left-out', reason: 'robots', detail, known: 'rules' };
}

async function disallowed(
  { catalog, reader }: OpenArchive,
  url: string,
  userAgent: string,
  at: Millis,
): Promise<string | undefined> {
  const found = await catalog.closest(`${new URL(url).origin}/robots.txt`, at);
  const original = found && (await catalog.originalOf(found));
  const response = original && storedResponse(await reader.read(original));
  if (!response) return undefined;
  const verdict = (await createRobotsReader(userAgent).read({ url: original.url, response })).allows(url);
  return verdict.allowed ? undefined : verdict.detail;
}
