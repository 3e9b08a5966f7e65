import type { Millis } from '../../model/time.ts';
import {
  type ChosenVersion,
  chooseVersions,
  type StayReason,
} from '../../science/retention/choose-versions.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { type HeldEvent, heldEvents } from './held-events.ts';
import { type HeldPage, heldPages } from './held-versions.ts';
import { namedRecords } from './named-records.ts';
import { loadedUrls, type NeededAnswers, neededAnswers } from './needed-answers.ts';
import { rewritableFiles } from './rewritable-files.ts';

export interface StorageBudget {
  /** Limit for all record files, in bytes. */
  readonly storage?: number;
  /** Limits for the records of a site, in bytes. */
  readonly sites?: ReadonlyMap<string, number>;
}

export interface ThinningOptions extends StorageBudget {
  readonly now: Millis;
  /** Also record files that another Daguerre archive wrote. */
  readonly imported?: boolean;
  /** Versions younger than this, in milliseconds, stay. */
  readonly keep?: number;
  /** Files that are being written to. */
  readonly busy?: ReadonlySet<string>;
  readonly onProgress?: (file: string) => void;
}

export interface ThinningPlan {
  /** Size of all record files, and of each site with a budget, in bytes. */
  readonly bytes: number;
  readonly sites: ReadonlyMap<string, number>;
  readonly chosen: readonly (ChosenVersion & {
    readonly site: string;
    readonly visits: readonly HeldEvent[];
  })[];
  readonly needed: NeededAnswers;
  /** Bytes of records that go, not counting requests and headers of what replaces them. */
  readonly freed: number;
  /** Bytes over budget although everything that may go is gone; 0 where the budgets are met. */
  readonly over: number;
  /** Versions that stay whatever the budget, by reason. */
  readonly staying: Readonly<Partial<Record<StayReason, number>>>;
  /** Files in the order they are to be rewritten. */
  readonly files: readonly string[];
}

/** Times that the selection is repeated, because kept versions need some of what was to go. */
const ROUNDS = 6;

/** Works out what would go. Reads the catalog, certificates and page infos; changes nothing. */
export async function planThinning(archive: OpenArchive, options: ThinningOptions): Promise<ThinningPlan> {
  const { all, bytes, left } = await rewritableFiles(archive, options);
  const holdings = await heldEvents(archive, all, options.onProgress);
  const files = newestFirst([...holdings.events.values()].flat()).filter((file) => !left.has(file));
  const turns = new Map(files.map((file, turn) => [file, turn]));
  const pages = await heldPages(archive, holdings, {
    decisions: (await archive.decisions()).held,
    named: await namedRecords(archive),
    left,
    turns,
    now: options.now,
    since: options.now - (options.keep ?? 0),
  });
  const loaded = loadedUrls(archive);
  const budgets = budgetsOf(options, bytes, holdings.sites);
  const extra = new Map<string | undefined, number>();
  for (let round = 1; ; round++) {
    const chosen = chooseWithin(pages, budgets, extra, options.now);
    const dropped = new Set(chosen.flatMap(({ visits }) => visits));
    const needed = await neededAnswers(archive, holdings, dropped, turns, loaded);
    const freedOf = (site?: string): number =>
      chosen.reduce(
        (sum, one) => sum + (site === undefined || one.site === site ? goingBytes(one.visits, needed) : 0),
        0,
      );
    const short = budgets.map(({ site, over }) => ({ site, short: Math.max(0, over - freedOf(site)) }));
    const isMore =
      chosen.length <
      pages.reduce((sum, { versions }) => sum + versions.filter(({ stays }) => !stays).length, 0);
    if (short.every(({ short: bytesShort }) => bytesShort === 0) || !isMore || round === ROUNDS)
      return {
        ...{ bytes, sites: holdings.sites, chosen, needed, freed: freedOf(), staying: stayingOf(pages) },
        over: Math.max(0, ...short.map((one) => one.short)),
        files: files.filter((file) => [...dropped].some((event) => event.file === file)),
      };
    for (const { site, short: bytesShort } of short) extra.set(site, (extra.get(site) ?? 0) + bytesShort);
  }
}

interface Budget {
  /** Undefined for the whole archive. */
  readonly site?: string;
  readonly over: number;
}

/** Sites first: what goes for them also helps the whole. */
function budgetsOf(
  { storage, sites = new Map() }: StorageBudget,
  bytes: number,
  held: ReadonlyMap<string, number>,
): readonly Budget[] {
  const own = [...sites].map(([site, limit]) => ({ site, over: Math.max(0, (held.get(site) ?? 0) - limit) }));
  return storage === undefined ? own : [...own, { over: Math.max(0, bytes - storage) }];
}

type Chosen = ThinningPlan['chosen'][number];

function chooseWithin(
  pages: readonly HeldPage[],
  budgets: readonly Budget[],
  extra: ReadonlyMap<string | undefined, number>,
  now: Millis,
): readonly Chosen[] {
  const byUrl = new Map(pages.map((page) => [page.url, page]));
  const chosen: Chosen[] = [];
  const gone = new Set<string>();
  const keyOf = (url: string, at: Millis): string => `${at} ${url}`;
  for (const { site, over } of budgets) {
    const own = pages
      .filter((page) => site === undefined || page.site === site)
      .map((page) => ({
        ...page,
        versions: page.versions.filter(({ at }) => !gone.has(keyOf(page.url, at))),
      }));
    const before = chosen.reduce((sum, one) => sum + (site === undefined ? one.bytes : 0), 0);
    const free = over === 0 ? 0 : over + (extra.get(site) ?? 0) - before;
    for (const one of chooseVersions(own, { free, now })) {
      gone.add(keyOf(one.url, one.at));
      const page = byUrl.get(one.url);
      chosen.push({ ...one, site: page?.site ?? '', visits: page?.visits.get(one.at) ?? [] });
    }
  }
  return chosen;
}

const goingBytes = (visits: readonly HeldEvent[], needed: NeededAnswers): number =>
  visits.reduce(
    (sum, { file, bytes, answers }) =>
      sum +
      bytes +
      answers.reduce((own, { offset, length }) => own + (needed.get(file)?.has(offset) ? 0 : length), 0),
    0,
  );

/** What refers to a record comes after it: files that were written last are rewritten first. */
function newestFirst(events: readonly HeldEvent[]): readonly string[] {
  const last = new Map<string, Millis>();
  for (const { file, at } of events) last.set(file, Math.max(at, last.get(file) ?? 0));
  return [...last].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([file]) => file);
}

function stayingOf(pages: readonly HeldPage[]): ThinningPlan['staying'] {
  const counts: Partial<Record<StayReason, number>> = {};
  for (const { versions } of pages)
    for (const { stays } of versions) if (stays) counts[stays] = (counts[stays] ?? 0) + 1;
  return counts;
}
