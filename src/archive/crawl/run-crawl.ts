import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { openBrowserRenderer } from '../../capture/browser/index.ts';
import { openGuardProxy } from '../../capture/http/guard-proxy.ts';
import { openHttpFetcher } from '../../capture/http/http-fetcher.ts';
import { createPageReader } from '../../capture/page-reader.ts';
import { createRobotsReader } from '../../capture/robots-reader.ts';
import { crawlUrl } from '../../capture/scope/normalise.ts';
import { ScopeError } from '../../capture/scope/scope-rules.ts';
import { createScope } from '../../capture/scope.ts';
import type { Progress } from '../../loop/progress.ts';
import { openSiteCrawl } from '../../loop/site-crawl.ts';
import type { Crawl, CrawlSpec } from '../../model/crawl.ts';
import type { FrontierCatalog } from '../../ports/catalog.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Renderer } from '../../ports/renderer.ts';
import type { Scope } from '../../ports/scope.ts';
import { openVersionKeeper } from '../../stages/keep-versions.ts';
import { type CrawlPlan, planCrawl, seedEntries, UnplannableOrder } from '../../stages/known-pages.ts';
import { openPageRates } from '../../stages/page-rates.ts';
import { sharpnessOf } from '../../stages/site-capture.ts';
import { openSigner } from '../../storage/archive-key.ts';
import { openWarcStore } from '../../warc/warc-store.ts';
import { openPageAnalyser } from '../analysis/analysis-thread.ts';
import { cacheFolder } from '../cache-folder.ts';
import { holidays, requireHolidays } from '../holidays.ts';
import { settleMirrorFacts, sparedMirrors } from '../mirrors/spared-mirrors.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { openGate, pagesIn } from '../perimeter/open-gate.ts';
import { perimeterCountries } from '../perimeter/perimeter-countries.ts';
import { perimeterDefinition } from '../perimeter/perimeter-definition.ts';
import { UserError } from '../user-error.ts';
import { VERSION } from '../version.ts';
import { type CrawlReport, crawlReport } from './crawl-report.ts';
import { type FindOptions, findCrawl, inTheOrderItBegan } from './find-crawl.ts';

export type { Progress };

export interface RunOptions extends FindOptions {
  readonly spec: CrawlSpec;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Milliseconds between two fsyncs of the record file. */
  readonly syncEvery: number;
  /** Bytes after which a record file is closed and the next begun. */
  readonly rotateSize?: number;
  /** To be kept with the crawl from its beginning. */
  readonly notes?: readonly string[];
  /** Visit every page of sites that are known to mirror another. */
  readonly crawlMirrors?: boolean;
  readonly onStart?: (crawl: Crawl, resumed: boolean) => void;
  readonly onProgress?: (progress: Progress) => void;
  /** Something that belongs to no page; it is kept with the crawl too. */
  readonly onNote?: (note: string) => void;
}

/** Milliseconds between two progress reports. */
const PROGRESS_EVERY = 500;

/** Throws UserError for seeds, patterns and countries that no crawl can be made of; before anything is opened or made. */
export async function checkSpec(spec: CrawlSpec): Promise<void> {
  seedUrls(spec);
  if (spec.holidays !== undefined) await requireHolidays(spec.holidays);
  if (spec.perimeter) {
    // Its lists are read, and what it declares is understood.
    perimeterDefinition(spec.perimeter);
    perimeterCountries(spec.perimeter);
    if (spec.scope.extraHops > 0)
      throw new UserError(
        '--extra-hops leaves a scope; a perimeter has its own depth, connectivity: give one of them',
      );
  }
  try {
    createScope(spec);
  } catch (error) {
    throw error instanceof ScopeError ? new UserError(error.message) : error;
  }
}

/** Builds the real ports around one crawl and runs it to its end. */
export async function runCrawl(archive: OpenArchive, options: RunOptions): Promise<CrawlReport> {
  const { clock } = options;
  const { catalog, reader, folder } = archive;
  const given = options.restart ? options.spec : await inTheOrderItBegan(catalog, options.spec);
  const { mirrors, notes: whole } = options.crawlMirrors
    ? { mirrors: [], notes: [] }
    : await sparedMirrors(archive, given);
  const spec: CrawlSpec = mirrors.length === 0 ? given : { ...given, mirrors };
  const book = await archive.decisions();
  const scope = createScope(spec, book.held);
  const seeds = seedUrls(spec);
  const rates = await openPageRates(seeds.map(catalog.siteBounds().siteOf), catalog);
  const plan = await planFor(spec, clock.now(), { catalog, scope, rates });
  const { crawl, resumed, notes: found } = await findCrawl(catalog, spec, clock, scope, options);
  const notes = [...found, ...whole];
  if (resumed) await recall(catalog, crawl, scope);
  options.onStart?.(crawl, resumed);

  const closing: (() => Promise<void>)[] = [];
  const opened = <T extends { close(): Promise<void> }>(part: T): T => {
    closing.unshift(() => part.close());
    return part;
  };
  let timer: NodeJS.Timeout | undefined;
  // The last file then ends with what the catalog may not know: without an index, it is asked for again as after a crash.
  let isBrokenOff = false;
  try {
    const { userAgent, allowPrivate, robots } = spec.politeness;
    const fetcher = opened(openHttpFetcher({ allowPrivate, spoolDir: folder.tmp, now: clock.now }));
    const renderer =
      spec.render === 'never' ? undefined : await openRenderer(spec, folder.tmp, clock, opened);
    // The thread begins with the first page; without one it is known at once what is missing.
    let tell = (note: string): void => void notes.push(note);
    const analyser =
      renderer && opened(await openPageAnalyser({ cacheFolder: cacheFolder() }, (note) => tell(note)));
    const store = await openWarcStore({
      archive: folder.root,
      collection: spec.collection,
      crawlId: crawl.id,
      clock,
      software: `Daguerre/${VERSION}`,
      ...(archive.identity && { identity: archive.identity }),
      userAgent,
      robots: robots ? 'obey' : 'ignore',
      ...(options.rotateSize !== undefined && { maxFileSize: options.rotateSize }),
    });
    closing.unshift(() => store.close({ isBrokenOff }));
    for (const note of notes) options.onNote?.(note);
    const pageReader = createPageReader();
    const { perimeter } = spec;
    const opening =
      perimeter &&
      (await openGate({ ...spec, perimeter }, archive, book, { ...plan, rates, crawlId: crawl.id }));
    for (const note of opening?.notes ?? []) {
      notes.push(note);
      options.onNote?.(note);
    }
    const siteCrawl = await openSiteCrawl(
      crawl,
      {
        catalog,
        store,
        reader,
        fetcher,
        scope,
        clock,
        pageReader,
        robotsReader: createRobotsReader(userAgent),
        newId: randomUUID,
        holidays,
        random: Math.random,
        seal: {
          signer: await openSigner(folder.root, clock.now()),
          software: `Daguerre/${VERSION}`,
        },
        ...(renderer && { renderer }),
        ...(analyser && { analyser }),
        ...(analyser && spec.render === 'auto' && spec.templates ? { filler: analyser } : {}),
      },
      {
        ...plan,
        rates,
        decisions: book.held,
        ...(opening && { gate: opening.gate, decidedPages: opening.decidedPages }),
        versions: openVersionKeeper(spec.store ?? 'all', catalog),
        // Again for a resumed crawl, which knows them: unless it was killed before it had any.
        seeds: [...seedEntries(seeds, plan.order, rates, clock.now()), ...plan.entries],
        notes: [...archive.mended, ...(options.notes ?? []), ...notes],
        ...(options.onNote && { onNote: options.onNote }),
        signal: options.signal,
        syncEvery: options.syncEvery,
      },
    );
    tell = siteCrawl.tell;
    book.onAdded = (decisions) => siteCrawl.decided(pagesIn(decisions));
    if (options.onProgress)
      timer = setInterval(() => options.onProgress?.(siteCrawl.progress(Date.now())), PROGRESS_EVERY);
    const { state, tally, capture } = await siteCrawl.run();
    options.onProgress?.(siteCrawl.progress(Date.now()));
    if (state === 'finished') await settleMirrorFacts(archive, crawl, clock.now());
    const sharpness = sharpnessOf(capture);
    return await crawlReport(catalog, crawl, { state, tally, sharpness }, clock.now());
  } catch (error) {
    isBrokenOff = true;
    throw error;
  } finally {
    book.onAdded = () => {};
    clearInterval(timer);
    await closeAll(closing);
  }
}

/** Each part, though one before it fails: a full disk must not leave a browser behind. */
async function closeAll(closing: readonly (() => Promise<void>)[]): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  for (const close of closing) {
    await close().catch((error: unknown) => {
      failure ??= { error };
    });
  }
  if (failure) throw failure.error;
}

async function openRenderer(
  spec: CrawlSpec,
  spoolDir: string,
  clock: Clock,
  opened: <T extends { close(): Promise<void> }>(part: T) => T,
): Promise<Renderer> {
  // With private addresses allowed there is nothing to guard, and one hop less for every byte.
  const proxy = spec.politeness.allowPrivate
    ? undefined
    : opened(await openGuardProxy({ allowPrivate: false }));
  return opened(
    await openBrowserRenderer({
      spoolDir,
      tabs: tabsFor(spec),
      now: clock.now,
      ...(proxy && { proxy }),
    }),
  );
}

/** A tab keeps a core busy while it loads; one more is photographed and cleaned meanwhile. */
function tabsFor({ workers }: CrawlSpec): number {
  return Math.min(workers, 1 + Math.max(2, availableParallelism()));
}

function seedUrls({ seeds }: CrawlSpec): readonly string[] {
  if (seeds.length === 0)
    throw new UserError("no URL to begin with: try 'daguerre archive https://example.org/'");
  return seeds.map((seed) => {
    const parsed = crawlUrl(seed);
    if (!parsed.ok) throw new UserError(`'${seed}' cannot be archived: ${parsed.detail}`);
    return parsed.url;
  });
}

async function planFor(
  spec: CrawlSpec,
  now: number,
  ports: Parameters<typeof planCrawl>[2],
): Promise<CrawlPlan> {
  try {
    return await planCrawl(spec, now, ports);
  } catch (error) {
    throw error instanceof UnplannableOrder ? new UserError(error.message) : error;
  }
}

/** A resumed crawl must know again where its seeds led, and which URLs its trap detector has seen. */
async function recall(catalog: FrontierCatalog, crawl: Crawl, scope: Scope): Promise<void> {
  for await (const { url, kind, isSeed } of catalog.frontierUrls(crawl.id)) {
    if (isSeed) scope.judgeRedirect(url, { url, depth: 0, extraHops: 0, isSeed }, crawl.startedAt);
    else scope.observe(url, kind);
  }
}
