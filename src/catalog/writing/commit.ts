import type { CaptureFact, PageInfo } from '../../model/capture.ts';
import type { Change } from '../../model/change.ts';
import type { NewFrontierEntry, Skip } from '../../model/crawl.ts';
import { deltaUri, pageInfoUri } from '../../model/derived-uris.ts';
import type { Suspect } from '../../model/perimeter.ts';
import type {
  CommitBatch,
  CommitResult,
  ImportedHistories,
  IndexBatch,
  IndexResult,
  SeenRedirect,
} from '../../ports/catalog.ts';
import { writeAlerts } from '../alerts.ts';
import { type Connection, type Engine, transaction } from '../engines/engine.ts';
import type { Known } from '../names/known-names.ts';
import { writeLessons } from '../workers/unlearnt-visits.ts';
import { writeWaiting } from '../workers/waiting-analyses.ts';
import { delistSuperseded, namesOfAnalyses, notAnalysed, writeAnalyses } from './commit-analyses.ts';
import { listedElsewhere, writeCaptures, writeFiles, writeSurts } from './commit-captures.ts';
import { writeChanges } from './commit-changes.ts';
import { deny, enqueue, findFrom, settle } from './commit-frontier.ts';
import { writeHistories } from './commit-histories.ts';
import { handOn, type Step, stepOf, writeRedirects } from './commit-importance.ts';
import { leave, writeInferences, writeVirtual } from './commit-inferences.ts';
import { writeLinks, writePages } from './commit-pages.ts';
import { writeStandings } from './commit-perimeters.ts';
import { restoreSkips, skip } from './commit-skips.ts';
import { writeVersions } from './commit-versions.ts';
import { writeNotes } from './crawl-notes.ts';
import { clearNames, type Names } from './names.ts';
import { repeatedVersions } from './repeated-versions.ts';

/** What one commit works on: a connection inside a transaction, and the ids of every name in the batch. */
export interface CommitScope {
  readonly engine: Engine;
  readonly connection: Connection;
  readonly crawlId: number;
  url(url: string): Known;
  site(url: string): Known | undefined;
  /** Of those that inferences and histories name. */
  siteNamed(site: string): Known;
  host(host: string): Known;
  /** Of a URL whose row was read or made since the transaction began: no crawl had skipped it then. */
  isUnskipped(urlId: number): boolean;
  /** After a change to what is noted of a URL. */
  note(url: Known): void;
}

interface Flat {
  readonly captures: readonly CaptureFact[];
  readonly pages: readonly PageInfo[];
  readonly changes: readonly Change[];
  readonly redirects: readonly SeenRedirect[];
  readonly discovered: readonly NewFrontierEntry[];
  readonly skips: readonly Skip[];
  readonly suspects?: readonly Suspect[];
}

/**
 * One transaction. Order matters where the same URL appears twice: settlements and denials first, then
 * discoveries, then skips, so that a URL both discovered and skipped in one batch is pending.
 */
export function commit(engine: Engine, names: Names, batch: CommitBatch): Promise<CommitResult> {
  const flat = flatten(batch);
  return withNames(engine, names, async (connection) => {
    const scope = await openScope(engine, connection, names, batch, flat);
    const { links } = await writeRecords(scope, flat, batch.fileLengths);
    const steps = batch.visits.map(stepOf).filter((step) => step !== undefined);
    await handOn(scope, names.keeping, steps, links, batch.relevances);
    await settle(scope, batch.visits);
    await writeWaiting(scope, batch.visits);
    await deny(scope, batch.denials);
    await leave(scope, batch.kept ?? []);
    const enqueued = await enqueue(scope, flat.discovered, batch.denials.length > 0);
    await findFrom(scope, batch.visits);
    await skip(scope, flat.skips);
    await restoreSkips(scope, batch.skipRules ?? []);
    await writeNotes(scope, batch.notes ?? []);
    await writeInferences(scope, batch.inferred ?? []);
    await writeVirtual(scope, batch.virtual ?? []);
    await writeAlerts(scope, batch.visits);
    await writeLessons(scope, batch.visits);
    return { enqueued };
  });
}

/** The records' part of a commit, without a crawl. */
export function index(engine: Engine, names: Names, batch: IndexBatch): Promise<IndexResult> {
  const { captures, pages, changes = [], redirects = [], histories, analyses = [] } = batch;
  const told = [...changes, ...analyses.flatMap(({ change }) => change ?? [])];
  const flat: Flat = { captures, pages, changes: told, redirects, discovered: [], skips: [] };
  return withNames(engine, names, async (connection) => {
    const derived = { analysed: namesOfAnalyses(captures, analyses) };
    const naming = { crawlId: 0, visits: [], histories, ...derived };
    const scope = await openScope(engine, connection, names, naming, flat);
    const own = { ...flat, changes: await notAnalysed(scope, changes) };
    const { files, links } = await writeRecords(scope, own, batch.fileLengths, batch.unfinishedFile);
    await writeAnalyses(scope, analyses);
    await delistSuperseded(scope, captures, analyses);
    if (histories) await writeHistories(scope, histories);
    await handOn(scope, names.keeping, stepsOf(flat), links);
    return { elsewhere: await listedElsewhere(scope, captures, files) };
  });
}

/** By time: records of one file stand in the order they were finished in. */
function stepsOf({ pages, redirects }: Flat): readonly Step[] {
  const read = pages.map(({ url, at }) => ({ at, step: { kind: 'read', url } as const }));
  const led = redirects.map(({ url, to, at }) => ({ at, step: { kind: 'redirect', url, to } as const }));
  return [...read, ...led].sort((a, b) => a.at - b.at).map(({ step }) => step);
}

/** Returns the ids of the files, and the links of the pages. */
async function writeRecords(
  scope: CommitScope,
  { captures, pages, changes, redirects, suspects = [] }: Flat,
  fileLengths: ReadonlyMap<string, number>,
  unfinishedFile?: string,
): Promise<{
  readonly files: ReadonlyMap<string, number>;
  readonly links: ReadonlyMap<number, readonly number[]>;
}> {
  const files = await writeFiles(scope, captures, fileLengths, unfinishedFile);
  const repeated = await repeatedVersions(scope, pages, captures);
  const own = captures.filter((fact) => !repeated.infos.has(fact));
  await writeCaptures(scope, own, files, repeated.captures);
  await writeSurts(scope, [...own, ...pages]);
  await writePages(scope, pages);
  const links = await writeLinks(scope, pages);
  await writeRedirects(scope, redirects);
  await writeStandings(scope, pages, suspects);
  await writeChanges(scope, changes);
  await writeVersions(
    scope,
    pages.filter((page) => !repeated.pages.has(page)),
  );
  return { files, links };
}

/**
 * One batch after the other: ids that one has noted are used by the next, so it must not begin before the
 * first is committed, or rolled back and forgotten. (PostgreSQL would run two at a time.)
 */
export function withNames<T>(
  engine: Engine,
  names: Names,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const result = names.turn.then(async () => {
    try {
      const done = await transaction(engine, work, () => clearNames(names));
      if (names.passing > 0) clearNames(names);
      return done;
    } catch (error) {
      clearNames(names);
      throw error;
    }
  });
  names.turn = result.catch(() => {});
  return result;
}

/** Names come once each, and are forgotten after their batch; the database keeps little of what it read. */
export async function inPassing<T>(engine: Engine, names: Names, work: () => Promise<T>): Promise<T> {
  names.passing++;
  engine.setCaching?.(false);
  try {
    return await work();
  } finally {
    if (--names.passing === 0) engine.setCaching?.(true);
  }
}

function flatten({ visits, captures, discovered, skips, suspects = [] }: CommitBatch): Flat {
  return {
    captures: [...visits.flatMap((visit) => visit.captures), ...captures],
    pages: visits.flatMap(({ page }) => (page ? [page] : [])),
    changes: visits.flatMap(({ change }) => (change ? [change] : [])),
    redirects: visits.flatMap(({ visit, redirect }) =>
      redirect === undefined ? [] : [{ url: visit.url, to: redirect, at: visit.at }],
    ),
    discovered: [...visits.flatMap((visit) => visit.discovered), ...discovered],
    skips: [...visits.flatMap((visit) => visit.skips), ...skips],
    suspects: [...visits.flatMap((visit) => visit.suspects ?? []), ...suspects],
  };
}

export async function openScope(
  engine: Engine,
  connection: Connection,
  names: Names,
  batch: NamingBatch & Pick<CommitBatch, 'crawlId'>,
  flat: Flat,
): Promise<CommitScope> {
  await names.urls.resolve(connection, urlsOf(batch, flat));
  const siteByUrl = new Map<string, string>();
  for (const { url } of [...flat.captures, ...flat.pages, ...flat.changes])
    siteByUrl.set(url, engine.bounds.siteOf(url));
  await names.sites.resolve(
    connection,
    [...siteByUrl.values(), ...sitesOf(batch)].filter((site) => site !== ''),
  );
  const hosts = flat.discovered.map(({ host }) => host);
  await names.hosts.resolve(connection, hosts);
  return {
    engine,
    connection,
    crawlId: batch.crawlId,
    url: (url) => names.urls.get(url),
    site: (url) => {
      const site = siteByUrl.get(url) ?? '';
      return site === '' ? undefined : names.sites.get(site);
    },
    siteNamed: (site) => names.sites.get(site),
    host: (host) => names.hosts.get(host),
    isUnskipped: (urlId) => names.urls.isUnskipped(urlId),
    note: (url) => names.urls.note(url),
  };
}

/** What of a batch names URLs or sites, beside its flat parts. */
type NamingBatch = Pick<CommitBatch, 'visits' | 'skipRules' | 'kept' | 'inferred' | 'virtual'> & {
  readonly histories?: ImportedHistories | undefined;
  readonly analysed?: Iterable<string>;
};

function* sitesOf({ inferred = [], virtual = [], histories }: NamingBatch): Iterable<string> {
  for (const { site } of [...inferred, ...virtual, ...(histories?.sites ?? []), ...(histories?.pages ?? [])])
    yield site;
}

function* urlsOf(
  { visits, skipRules = [], kept = [], inferred = [], virtual = [], histories, analysed = [] }: NamingBatch,
  { captures, pages, changes, redirects, discovered, skips, suspects = [] }: Flat,
): Iterable<string> {
  for (const { visit, linked = [] } of visits) {
    yield visit.url;
    yield* linked;
  }
  for (const { url, refersTo } of captures) {
    yield url;
    if (refersTo) yield refersTo.url;
  }
  for (const { url, version } of pages) {
    yield url;
    if (version) yield pageInfoUri(url);
  }
  for (const { url } of changes) {
    yield url;
    yield deltaUri(url);
  }
  for (const { url, to } of redirects) {
    yield url;
    yield to;
  }
  for (const { url, via } of discovered) {
    yield url;
    if (via !== undefined) yield via;
  }
  for (const { url, via } of [...skips, ...skipRules.flatMap(({ sample }) => sample)]) {
    yield url;
    if (via !== undefined) yield via;
  }
  for (const { url } of kept) yield url;
  for (const { url } of suspects) yield url;
  for (const { urls } of [...inferred, ...virtual]) yield* urls;
  for (const { url } of histories?.pages ?? []) yield url;
  yield* analysed;
  // Last: links that are also discovered have found their ids by then.
  for (const { links } of pages) yield* links;
}
