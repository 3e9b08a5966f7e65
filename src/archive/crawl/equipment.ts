import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { BrowserRenderer } from '../../capture/browser/index.ts';
import { openGuardProxy } from '../../capture/http/guard-proxy.ts';
import { openHttpFetcher } from '../../capture/http/http-fetcher.ts';
import { createPageReader } from '../../capture/page-reader.ts';
import { createRobotsReader } from '../../capture/robots-reader.ts';
import { sessionFetcher } from '../../capture/session/session-fetcher.ts';
import { Courtesy } from '../../loop/courtesy.ts';
import type { CrawlPorts } from '../../loop/site-crawl.ts';
import { type Crawl, type CrawlSpec, isRendered } from '../../model/crawl.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RecordStore, StoreEnd } from '../../ports/record-store.ts';
import type { ArchiveFolder } from '../../storage/archive-folder.ts';
import { recordHome } from '../../storage/record-copies.ts';
import { openWarcStore } from '../../warc/warc-store.ts';
import { openPageAnalyser } from '../analysis/analysis-thread.ts';
import { cacheFolder } from '../cache-folder.ts';
import { holidays } from '../holidays.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { type CrawlGear, NO_GEAR } from '../session/crawl-gear.ts';
import { ownCaptures } from '../session/own-captures.ts';
import { VERSION } from '../version.ts';

/** What crawls use and may share: connections, the browser, the analysing thread, the manners towards hosts. */
export interface CrawlEquipment extends Pick<CrawlPorts, 'fetcher' | 'renderer' | 'pageReader'> {
  readonly analyser?: Awaited<ReturnType<typeof openPageAnalyser>>;
  readonly courtesy: Courtesy;
  close(): Promise<void>;
}

export interface EquipmentOptions {
  readonly spec: Pick<
    CrawlSpec,
    'render' | 'politeness' | 'workers' | 'blockRules' | 'blockAds' | 'seedScopes'
  >;
  readonly clock: Clock;
  /** Secrets and ways out; none unless given. */
  readonly gear?: CrawlGear;
  /** Receives what is missing. */
  readonly onNote: (note: string) => void;
}

export async function openEquipment(
  folder: Pick<ArchiveFolder, 'tmp'>,
  options: EquipmentOptions,
): Promise<CrawlEquipment> {
  const { spec, clock, gear = NO_GEAR, onNote } = options;
  const closing: (() => Promise<void>)[] = [];
  const opened = <T extends { close(): Promise<void> }>(part: T): T => {
    closing.unshift(() => part.close());
    return part;
  };
  const close = (): Promise<void> => closeAll(closing);
  try {
    const { allowPrivate } = spec.politeness;
    const { session, ways } = gear;
    const plain = opened(
      openHttpFetcher({ allowPrivate, spoolDir: folder.tmp, now: clock.now, ...(ways && { ways }) }),
    );
    const fetcher = session ? sessionFetcher(plain, session, Date.now) : plain;
    const renderer = isRendered(spec) ? await openRenderer(options, folder.tmp, opened) : undefined;
    if (renderer?.note) onNote(renderer.note);
    // The thread begins with the first page; without a thread, what is missing is known at once.
    const analyser = renderer && opened(await openPageAnalyser({ cacheFolder: cacheFolder() }, onNote));
    return {
      fetcher,
      pageReader: createPageReader(),
      courtesy: new Courtesy(),
      close,
      ...(renderer && { renderer }),
      ...(analyser && { analyser }),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Closes every part even if an earlier one fails: a full disk must not leave a browser behind. */
export async function closeAll(closing: readonly (() => Promise<void>)[]): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  for (const close of closing) {
    await close().catch((error: unknown) => {
      failure ??= { error };
    });
  }
  if (failure) throw failure.error;
}

async function openRenderer(
  { spec, clock, gear = NO_GEAR }: EquipmentOptions,
  spoolDir: string,
  opened: <T extends { close(): Promise<void> }>(part: T) => T,
): Promise<BrowserRenderer> {
  const { session, ways } = gear;
  const { allowPrivate } = spec.politeness;
  // A crawl without a browser begins without loading what steers one.
  const { openBrowserRenderer } = await import('../../capture/browser/index.ts');
  // Also where all addresses are allowed: the proxy sees which answers broke off, and why a host was not reached.
  const proxy = opened(await openGuardProxy({ allowPrivate, ...(ways && { ways }) }));
  return opened(
    await openBrowserRenderer({
      spoolDir,
      tabs: tabsFor(spec),
      now: clock.now,
      proxy,
      holdsRequests: spec.blockAds === true || (spec.blockRules ?? []).length > 0,
      ...(session && { session }),
    }),
  );
}

/** A tab keeps a core busy while it loads; meanwhile one more is photographed and cleaned. */
function tabsFor({ workers }: Pick<CrawlSpec, 'workers'>): number {
  return Math.min(workers, 1 + Math.max(2, availableParallelism()));
}

/** The record files of one crawl. */
export function openRecords(
  { folder, identity }: Pick<OpenArchive, 'folder' | 'identity'>,
  { id, spec }: Crawl,
  clock: Clock,
  rotateSize: number | undefined,
): Promise<RecordStore & { close(end?: StoreEnd): Promise<void> }> {
  const { userAgent, robots } = spec.politeness;
  return openWarcStore({
    ...recordHome(folder),
    collection: spec.collection,
    crawlId: id,
    clock,
    software: SOFTWARE,
    ...(identity && { identity }),
    userAgent,
    robots: robots ? 'obey' : 'ignore',
    isPrivate: spec.supplied !== undefined,
    ...(rotateSize !== undefined && { maxFileSize: rotateSize }),
  });
}

export const SOFTWARE = `Daguerre/${VERSION}`;

/** The ports of a crawl of this archive, except its scope and what seals it. */
export async function crawlPorts(
  { catalog, reader }: Pick<OpenArchive, 'catalog' | 'reader'>,
  { spec }: Crawl,
  { fetcher, renderer, analyser, pageReader }: CrawlEquipment,
  { store, clock }: Pick<CrawlPorts, 'store' | 'clock'>,
): Promise<Omit<CrawlPorts, 'scope' | 'seal'>> {
  const isRendering = isRendered(spec);
  return {
    catalog: await ownCaptures(catalog, spec.supplied !== undefined),
    store,
    reader,
    fetcher,
    clock,
    pageReader,
    robotsReader: createRobotsReader(spec.politeness.userAgent),
    newId: randomUUID,
    holidays,
    random: Math.random,
    ...(isRendering && renderer && { renderer }),
    ...(isRendering && analyser && { analyser }),
    ...(analyser && spec.render === 'auto' && spec.templates ? { filler: analyser } : {}),
  };
}
