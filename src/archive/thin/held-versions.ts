import type { Decisions } from '../../model/decisions.ts';
import type { Millis } from '../../model/time.ts';
import type { HeldVersion, PageHoldings, StayReason } from '../../science/retention/choose-versions.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import type { HeldEvent, Holdings } from './held-events.ts';

/** A page, and the visits that make up each of its versions, by the time of the version. */
export interface HeldPage extends PageHoldings {
  readonly site: string;
  readonly visits: ReadonlyMap<Millis, readonly HeldEvent[]>;
}

export interface StayRules {
  readonly decisions: Decisions;
  /** Ids of records that signed statements name. */
  readonly named: ReadonlySet<string>;
  /** Files that are left as they are, and why. */
  readonly left: ReadonlyMap<string, StayReason>;
  /** Place of each file in the order of rewriting: whatever refers to an original goes before it, or with it. */
  readonly turns: ReadonlyMap<string, number>;
  readonly now: Millis;
  /** Versions from this time on stay. */
  readonly since: Millis;
}

/** A page counts at most this many times more, or less, than the mean: none is emptied for the sake of another. */
const WEIGHT_RANGE = 10;
/** Pages whose importance is looked up together. */
const PAGES = 500;

/** Pages with versions that may go, and which ones. Fewer than three visits are just a first and a last. */
export async function heldPages(
  { catalog }: Pick<OpenArchive, 'catalog'>,
  holdings: Holdings,
  rules: StayRules,
): Promise<readonly HeldPage[]> {
  const urls = [...holdings.events].flatMap(([url, events]) => (events.length > 2 ? [url] : []));
  const weights = await pageWeights(catalog, urls, rules);
  const { siteOf } = catalog.siteBounds();
  const pages: HeldPage[] = [];
  for (const url of urls) {
    const groups = await versionsOf(catalog, url, holdings.events.get(url) ?? []);
    if (groups.length < 3) continue;
    const pin = rules.decisions.on(url, rules.now).all.some(({ act }) => act.kind === 'pin');
    const shownBy = await layoutsOf(catalog, url);
    const versions = groups.map((group, i): HeldVersion => {
      const place = i === 0 ? 'first' : i === groups.length - 1 ? 'last' : undefined;
      const stays = place ?? (pin ? 'pinned' : undefined) ?? stayReason(group, holdings, shownBy, rules);
      const { at, bytes, importance } = group;
      return { at, bytes, importance, ...(stays && { stays }) };
    });
    pages.push({
      url,
      site: siteOf(url),
      weight: weights.get(url) ?? 1,
      versions,
      visits: new Map(groups.map(({ at, events }) => [at, events])),
    });
  }
  return pages;
}

/** On-line importance relative to its mean, times the factor from people's decisions. */
async function pageWeights(
  catalog: OpenArchive['catalog'],
  urls: readonly string[],
  { decisions, now }: StayRules,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (let from = 0; from < urls.length; from += PAGES)
    for await (const { url, cash, history } of catalog.importances({ urls: urls.slice(from, from + PAGES) }))
      found.set(url, cash + history);
  const mean = [...found.values()].reduce((sum, value) => sum + value, 0) / Math.max(1, found.size);
  return new Map(
    urls.map((url) => {
      const beside = mean > 0 ? (found.get(url) ?? mean) / mean : 1;
      const act = decisions.on(url, now).weight?.act;
      const factor = act?.kind === 'weight' ? act.factor : 1;
      return [url, Math.min(WEIGHT_RANGE, Math.max(1 / WEIGHT_RANGE, beside)) * Math.max(1e-6, factor)];
    }),
  );
}

interface Group {
  readonly at: Millis;
  /** False where no fact tells what the version is. */
  readonly isTold: boolean;
  readonly importance: number;
  readonly events: HeldEvent[];
  bytes: number;
}

/** A visit that brought a payload of its own begins a version; revisits of that payload belong to it. */
async function versionsOf(
  catalog: OpenArchive['catalog'],
  url: string,
  events: readonly HeldEvent[],
): Promise<readonly Group[]> {
  const facts = new Map((await catalog.versions({ url })).map((fact) => [fact.at, fact]));
  const changes = await catalog.changes({
    url,
    sort: 'time',
    operationLimit: 0,
    limit: Number.MAX_SAFE_INTEGER,
  });
  const saliences = new Map(changes.map(({ to, salience }) => [to, salience]));
  const groups: Group[] = [];
  for (const event of events) {
    const bytes = event.bytes + event.answers.reduce((sum, { length }) => sum + length, 0);
    const last = groups.at(-1);
    if (last && event.isRevisit && event.sha256 === last.events[0]?.sha256) {
      last.events.push(event);
      last.bytes += bytes;
      continue;
    }
    const fact = facts.get(event.at);
    const importance = fact?.reason === 'unchanged' ? 0 : (saliences.get(event.at) ?? fact?.importance ?? 1);
    groups.push({ at: event.at, isTold: fact !== undefined, importance, events: [event], bytes });
  }
  return groups;
}

/** For each archived layout of a page, the captures that it shows. */
async function layoutsOf(
  catalog: OpenArchive['catalog'],
  url: string,
): Promise<ReadonlyMap<Millis, readonly Millis[]>> {
  const shown = new Map<Millis, Millis[]>();
  for await (const { versions } of catalog.storedVersions({ url })) {
    for (const { at, look } of versions) {
      if (look?.layoutAt === undefined) continue;
      const known = shown.get(look.layoutAt);
      if (known) known.push(at);
      else shown.set(look.layoutAt, [at]);
    }
  }
  return shown;
}

function stayReason(
  { at: begun, events, isTold }: Group,
  { revisits, namedOriginals }: Holdings,
  shownBy: ReadonlyMap<Millis, readonly Millis[]>,
  { named, left, turns, since }: StayRules,
): StayReason | undefined {
  for (const { file } of events) {
    const why = left.get(file);
    if (why) return why;
  }
  if (begun > since) return 'recent';
  if (!isTold) return 'nothing-told';
  if (events.some(({ records }) => records.some((id) => named.has(id.toLowerCase())))) return 'certified';
  const [first] = events;
  if (!first) return 'nothing-told';
  const own = new Set(events.map(({ at }) => at));
  if (events.some(({ at }) => shownBy.get(at)?.some((other) => !own.has(other)))) return 'referred-to';
  if (namedOriginals.has(`${first.url} ${first.at}`)) return 'referred-to';
  const ownRevisits = events.filter(({ isRevisit }) => isRevisit).length;
  if (!first.isRevisit && (revisits.get(first.sha256) ?? 0) > ownRevisits) return 'referred-to';
  const turn = (event: HeldEvent): number => turns.get(event.file) ?? 0;
  if (events.some((event) => turn(event) > turn(first))) return 'referred-to';
  return undefined;
}
