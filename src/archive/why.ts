import { archivedUrl } from '../access/capture-name.ts';
import { counted } from '../access/inference-counts.ts';
import { crawlUrl } from '../capture/scope/normalise.ts';
import type { Crawl, Visit } from '../model/crawl.ts';
import { isRedirect } from '../model/exchange.ts';
import type { Suspect } from '../model/perimeter.ts';
import type { Millis } from '../model/time.ts';
import { VISIT_KINDS } from '../model/watch.ts';
import type { FrontierLogEntry, PerimeterUrl } from '../ports/catalog.ts';
import type { LinkOrigin } from '../ports/scope.ts';
import { UNANSWERED } from './given/seed-addresses.ts';
import { webAddress } from './given/web-address.ts';
import { type ArchiveLocation, type OpenArchive, openForReading } from './open/open-archive.ts';
import { addressFacts } from './perimeter/address-facts.ts';
import { knownPerimeter } from './perimeter/known-perimeter.ts';
import { refusedBy } from './rules-again.ts';
import { systemClock } from './system-clock.ts';
import { toldOf } from './told-page.ts';
import { UserError } from './user-error.ts';
import type { Explanation, WhyReport } from './why-report.ts';

/** Why a URL is in the archive, or is not: what the last crawl of its site, or the given one, did with it. */
export async function whyOf(
  location: ArchiveLocation,
  given: string,
  crawlId: number | undefined,
): Promise<WhyReport> {
  addressOf(given);
  const archive = await openForReading(location);
  try {
    return await whyIn(archive, given, crawlId);
  } finally {
    await archive.close();
  }
}

function addressOf(given: string): { readonly url: string; readonly hash: string } {
  const address = webAddress(given);
  const parsed = address && crawlUrl(address.url, address.url);
  if (parsed?.ok) return { url: parsed.url, hash: new URL(address?.url ?? parsed.url).hash };
  throw new UserError(`'${given}' is no address of a page; write e.g. https://example.org/about`);
}

/** The parts of an open archive that explain a URL. */
export type TellingArchive = Pick<OpenArchive, 'catalog' | 'reader' | 'decisions'>;

/** The same for an archive that is already open. */
export async function whyIn(
  archive: TellingArchive,
  given: string,
  crawlId: number | undefined,
): Promise<WhyReport> {
  const { url: asked, hash } = addressOf(given);
  const { catalog } = archive;
  // A page of its own where a crawl treated it as one.
  const withHash = hash.length > 1 ? await archivedUrl(asked + hash, catalog) : undefined;
  const url = withHash ?? (await archivedUrl(asked, catalog)) ?? asked;
  const crawl = await chosenCrawl(archive, url, crawlId);
  const told = await toldOf(archive, url);
  const left = (await catalog.versions({ url })).filter(({ kept }) => !kept);
  return {
    url,
    captures: await capturesOf(archive, url),
    ...(left[0] && { dropped: { count: left.length, lastAt: left[0].at } }),
    crawl: crawl
      ? { id: crawl.id, state: crawl.state, startedAt: crawl.startedAt, seeds: crawl.spec.seeds }
      : null,
    finding: crawl ? await findingOf(archive, crawl, url) : null,
    watched: await watchedVisits(archive, url),
    notes: crawl ? await schemeNotes(archive, crawl, url) : [],
    ...(told && { told }),
    perimeters: await standingsOf(archive, url),
    decisions: (await archive.decisions()).held.on(url, systemClock.now()).all,
  };
}

/** Visits of a watch that are listed. */
const VISITS_TOLD = 5;

async function watchedVisits({ catalog }: TellingArchive, url: string): Promise<WhyReport['watched']> {
  const visits = await catalog.visits({ url, limit: 100 });
  const kind = new RegExp(`^(?:${VISIT_KINDS.join('|')}): `);
  return visits
    .filter(({ reason }) => kind.test(reason))
    .slice(0, VISITS_TOLD)
    .map(({ at, outcome, reason }) => ({ at, outcome, reason }));
}

async function schemeNotes(
  { catalog }: TellingArchive,
  { id }: Crawl,
  url: string,
): Promise<readonly string[]> {
  const asked = `https://${new URL(url).host}/`;
  return (await catalog.notes(id)).filter((note) => note.startsWith(asked) && note.includes(UNANSWERED));
}

/**
 * By the current state of the archive, decisions included; for a perimeter that no crawl here defines, as it was
 * judged.
 */
async function standingsOf(archive: TellingArchive, url: string): Promise<readonly PerimeterUrl[]> {
  const { catalog } = archive;
  const defined = new Set((await catalog.crawls()).map(({ spec }) => spec.perimeter?.name));
  const now = systemClock.now();
  const found: PerimeterUrl[] = [];
  for await (const one of catalog.perimeterUrls({ url })) {
    if (!defined.has(one.perimeter)) {
      found.push(one);
      continue;
    }
    const { state } = await knownPerimeter(archive, { name: one.perimeter }, now);
    const { decided: _, ...judged } = one;
    found.push({ ...judged, ...state.standing(addressFacts(url) ?? { url, host: '', domain: '' }, now) });
  }
  return found;
}

async function capturesOf({ catalog }: TellingArchive, url: string): Promise<WhyReport['captures']> {
  const times: Millis[] = [];
  let [redirects, errors] = [0, 0];
  for await (const { at, status } of catalog.captures({ url })) {
    times.push(at);
    if (isRedirect(status)) redirects++;
    if (status >= 400) errors++;
  }
  const [firstAt, lastAt] = [times[0], times.at(-1)];
  if (firstAt === undefined || lastAt === undefined) return null;
  return { count: times.length, firstAt, lastAt, redirects, errors };
}

/** The last one with a seed on the site of the URL, else the last. */
async function chosenCrawl(
  { catalog }: TellingArchive,
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

async function findingOf(archive: TellingArchive, crawl: Crawl, url: string): Promise<Explanation> {
  const { catalog } = archive;
  const named = new Set((await catalog.links({ to: url })).map(({ from }) => from));
  const { own, origin, behind } = await fromLog(archive, crawl, url, named);
  const last = own?.visits.at(-1);
  if (own && last) {
    const { outcome, at, reason, status, fault } = last;
    const seen = { ...(status !== undefined && { status }), ...(fault && { fault }) };
    const led = behind?.visits.at(-1);
    const leadsTo = led && isRedirect(status ?? 0) ? { leadsTo: visitedThere(led) } : {};
    return { kind: 'visited', outcome, at, reason, ...seen, ...leadsTo };
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
  const suspect = await suspectOf(archive, crawl, url, origin !== undefined);
  if (suspect) return { kind: 'suspect', ...suspect };
  const refused = await refusedBy(archive, crawl, url, origin);
  if (refused) return { ...refused, ...(origin && { via: origin.url }) };
  if (!origin) return { kind: 'never-seen' };
  const rules = await catalog.skipRules({ crawlId: crawl.id });
  const limits = rules.map(({ reason }) => reason).filter((reason) => reason.endsWith('-limit'));
  return { kind: 'linked', via: origin.url, limits: [...new Set(limits)] };
}

async function seenBefore(
  { catalog }: TellingArchive,
  { startedAt }: Crawl,
  url: string,
): Promise<Millis | null> {
  const [page] = await catalog.sightings([url]);
  return page?.sightings.findLast(({ at, state }) => state === 'there' && at < startedAt)?.at ?? null;
}

async function suspectOf(
  archive: TellingArchive,
  { spec: { perimeter }, startedAt }: Crawl,
  url: string,
  isNamed: boolean,
): Promise<(Suspect & { readonly wasRead?: true }) | undefined> {
  if (!perimeter) return undefined;
  for (const { isRead, ...one } of await standingsOf(archive, url)) {
    if (one.perimeter !== perimeter.name) continue;
    if (!isRead) return one;
    if (isNamed && one.at < startedAt && !one.inside) return { ...one, wasRead: true };
  }
  return undefined;
}

const visitedThere = ({ url, outcome, status, fault }: Visit) => ({
  url,
  outcome,
  ...(status !== undefined && { status }),
  ...(fault && { fault }),
});

/**
 * The URL's lines in the crawl's log, and those of its redirect target; also the page nearest to a seed that links to
 * it.
 */
async function fromLog({ catalog }: TellingArchive, crawl: Crawl, url: string, named: ReadonlySet<string>) {
  let own: FrontierLogEntry | undefined;
  let behind: FrontierLogEntry | undefined;
  let origin: LinkOrigin | undefined;
  for await (const entry of catalog.frontierLog(crawl.id)) {
    if (entry.url === url && entry.kind !== 'revisit') own = entry;
    if (entry.via === url && entry.redirects > 0) behind = entry;
    const { depth, extraHops } = entry;
    if (named.has(entry.url) && (!origin || depth < origin.depth))
      origin = { url: entry.url, depth, extraHops };
  }
  return { own, origin, behind };
}
