import { createPageReader } from '../../capture/page-reader.ts';
import { ScopeError } from '../../capture/scope/scope-rules.ts';
import { createScope } from '../../capture/scope.ts';
import type { Progress } from '../../loop/progress.ts';
import { type CrawlOptions, openSiteCrawl } from '../../loop/site-crawl.ts';
import type { Crawl, CrawlSpec } from '../../model/crawl.ts';
import type { Decision } from '../../model/decision.ts';
import type { AlertJudge } from '../../ports/alert-judge.ts';
import type { FrontierCatalog } from '../../ports/catalog.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Scope } from '../../ports/scope.ts';
import { openVersionKeeper } from '../../stages/keep-versions.ts';
import { type CrawlPlan, planCrawl, seedEntries, UnplannableOrder } from '../../stages/known-pages.ts';
import { openPageRates } from '../../stages/page-rates.ts';
import { sharpnessOf } from '../../stages/site-capture.ts';
import { openSiteRhythm } from '../../stages/site-rhythm.ts';
import { openSharedSigner } from '../../storage/shared-keys.ts';
import { holidays, requireHolidays } from '../holidays.ts';
import { settleMirrorFacts, sparedMirrors } from '../mirrors/spared-mirrors.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { pagesIn } from '../perimeter/decided-pages.ts';
import { openGate } from '../perimeter/open-gate.ts';
import { checkCountries } from '../perimeter/perimeter-countries.ts';
import { perimeterDefinition } from '../perimeter/perimeter-definition.ts';
import { type CrawlGear, NO_GEAR } from '../session/crawl-gear.ts';
import { UserError } from '../user-error.ts';
import { adFilters } from './ad-filters.ts';
import { type CrawlReport, crawlReport } from './crawl-report.ts';
import {
  type CrawlEquipment,
  closeAll,
  crawlPorts,
  openEquipment,
  openRecords,
  SOFTWARE,
} from './equipment.ts';
import { crawlKey, type FindOptions, findCrawl, inTheOrderItBegan } from './find-crawl.ts';
import { mayJoin } from './own-site.ts';
import { checkTaking, seedUrls } from './seed-urls.ts';

export type { Progress };

export interface RunOptions extends FindOptions {
  readonly spec: CrawlSpec;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Interval between two fsyncs of the record file, in milliseconds. */
  readonly syncEvery: number;
  /** Set where this is one piece of a crawl that workers share. */
  readonly piece?: Pick<
    CrawlOptions,
    'grace' | 'ranBefore' | 'leases' | 'learns' | 'analysesLater' | 'teaches'
  >;
  /** Shared with other crawls, and left open; otherwise the crawl opens its own. */
  readonly equipment?: CrawlEquipment;
  /** Secrets and ways out, for equipment of its own; none unless given. */
  readonly gear?: CrawlGear;
  /** See CrawlOptions. */
  readonly onVisit?: CrawlOptions['onVisit'];
  /** Size at which a record file is closed and the next one begun, in bytes. */
  readonly rotateSize?: number;
  /** To be stored with the crawl from its beginning. */
  readonly notes?: readonly string[];
  /** Whether a certificate closes it; default true. Visits that are no capture of a site have nothing to certify. */
  readonly certify?: boolean;
  /** Visit every page of sites that are known to mirror another. */
  readonly crawlMirrors?: boolean;
  /** Evaluates rules on visits: see archive/alerts. */
  readonly alerts?: AlertJudge;
  readonly onStart?: (crawl: Crawl, resumed: boolean) => void;
  readonly onProgress?: (progress: Progress) => void;
  /** Receives what belongs to no page; it is also stored with the crawl. */
  readonly onNote?: (note: string) => void;
}

/** Interval between two progress reports, in milliseconds. */
export const PROGRESS_EVERY = 500;

/** Throws UserError for seeds, patterns and countries that no crawl can use, before anything is opened or created. */
export async function checkSpec(spec: CrawlSpec): Promise<void> {
  checkTaking(spec, seedUrls(spec));
  if (spec.holidays !== undefined) await requireHolidays(spec.holidays);
  if (spec.perimeter) {
    // Reads its lists, and checks that its declarations are understood.
    perimeterDefinition(spec.perimeter);
    checkCountries(spec.perimeter);
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
  const { clock, gear = NO_GEAR } = options;
  const { catalog, folder } = archive;
  const given = options.restart ? options.spec : await inTheOrderItBegan(catalog, options.spec);
  const { mirrors, notes: whole } = options.crawlMirrors
    ? { mirrors: [], notes: [] }
    : await sparedMirrors(archive, given);
  const spec: CrawlSpec = mirrors.length === 0 ? given : { ...given, mirrors };
  const book = await archive.decisions();
  const isOurs = mayJoin(spec, catalog.siteBounds());
  const scope = createScope(spec, book.held, isOurs, await adFilters(spec));
  const seeds = seedUrls(spec);
  const rates = await openPageRates(seeds.map(catalog.siteBounds().siteOf), catalog);
  const rhythm = await openSiteRhythm(seeds.map(catalog.siteBounds().siteOf), { catalog, holidays });
  // A resumed crawl keeps the plan it began with.
  const begun = options.restart ? undefined : await catalog.unfinishedCrawl(crawlKey(spec));
  const plan = await planFor(spec, begun?.startedAt ?? clock.now(), {
    ...{ catalog, scope, rates, rhythm },
    wording: { catalog, reader: archive.reader, pageReader: createPageReader() },
  });
  const { crawl, resumed, notes: found } = await findCrawl(catalog, spec, clock, scope, options);
  const notes = [...found, ...whole];
  if (resumed) await recall(catalog, crawl, scope);
  options.onStart?.(crawl, resumed);

  const closing: (() => Promise<void>)[] = [];
  let timer: NodeJS.Timeout | undefined;
  // Then the last file ends with what the catalog may not know: without an index, it is requested again, as after a
  // crash.
  let isBrokenOff = false;
  try {
    let tell = (note: string): void => void notes.push(note);
    const { allowPrivate } = spec.politeness;
    const equipment =
      options.equipment ?? (await openEquipment(folder, { spec, clock, gear, onNote: (note) => tell(note) }));
    if (!options.equipment) closing.unshift(() => equipment.close());
    const keeper = gear.keeper?.((note) => tell(note));
    // Closed after the records, so that what it says is committed.
    if (keeper) closing.unshift(() => keeper.close(!isBrokenOff));
    const store = await openRecords(archive, crawl, clock, options.rotateSize);
    closing.unshift(() => store.close({ isBrokenOff }));
    for (const note of notes) options.onNote?.(note);
    const { perimeter } = spec;
    const opening =
      perimeter &&
      (await openGate({ ...spec, perimeter }, archive, book, {
        ...plan,
        rates,
        crawlId: crawl.id,
        mayJoin: isOurs,
      }));
    for (const note of opening?.notes ?? []) {
      notes.push(note);
      options.onNote?.(note);
    }
    const siteCrawl = await openSiteCrawl(
      crawl,
      {
        ...(await crawlPorts(archive, crawl, equipment, { store, clock })),
        scope,
        ...(options.certify !== false && {
          seal: { signer: await openSharedSigner(folder, clock.now()), software: SOFTWARE },
        }),
      },
      {
        ...plan,
        rates,
        rhythm,
        decisions: book.held,
        ...(opening && { gate: opening.gate, decidedPages: opening.decidedPages }),
        ...(options.alerts && { alerts: options.alerts }),
        versions: openVersionKeeper(spec.store ?? 'all', catalog),
        // Also for a resumed crawl, which may have been killed before it stored them.
        seeds: [...seedEntries(seeds, plan.order, rates, clock.now()), ...plan.entries],
        courtesy: equipment.courtesy,
        ...options.piece,
        // Rules judge a visit together with its delta.
        ...(options.alerts && { analysesLater: false }),
        onVisit: (entry, stored) => {
          keeper?.settled(entry.url);
          options.onVisit?.(entry, stored);
        },
        notes: [...archive.mended, ...(options.notes ?? []), ...gear.notes, ...notes],
        ...(options.onNote && { onNote: options.onNote }),
        signal: options.signal,
        syncEvery: options.syncEvery,
      },
    );
    tell = siteCrawl.tell;
    const heed = async (decisions: readonly Decision[]): Promise<void> => {
      // Entries already in the frontier are judged anew at once; new sites are first checked for how they are
      // reached.
      siteCrawl.decided([]);
      const pages = await pagesIn(decisions, isOurs, {
        allowPrivate,
        ...(gear.ways && { ways: gear.ways }),
        say: (note) => siteCrawl.tell(note),
      });
      if (book.listeners.has(onAdded)) siteCrawl.decided(pages);
    };
    const onAdded = (decisions: readonly Decision[]): void => void heed(decisions);
    book.listeners.add(onAdded);
    closing.unshift(async () => void book.listeners.delete(onAdded));
    if (options.onProgress)
      timer = setInterval(() => options.onProgress?.(siteCrawl.progress(Date.now())), PROGRESS_EVERY);
    const { state, tally, capture } = await siteCrawl.run();
    options.onProgress?.(siteCrawl.progress(Date.now()));
    if (state === 'finished') await settleMirrorFacts(archive, crawl, clock.now());
    // What workers did is settled by their upkeep, for many crawls at once.
    if (state === 'finished' && options.piece?.learns !== false) await catalog.settleBook();
    const sharpness = sharpnessOf(capture);
    return await crawlReport(catalog, crawl, { state, tally, sharpness }, clock.now());
  } catch (error) {
    isBrokenOff = true;
    throw error;
  } finally {
    clearInterval(timer);
    await closeAll(closing);
  }
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

/** A resumed crawl must learn again where its seeds led, and which URLs its trap detector has seen. */
async function recall(catalog: FrontierCatalog, crawl: Crawl, scope: Scope): Promise<void> {
  for await (const { url, kind, isSeed } of catalog.frontierUrls(crawl.id)) {
    if (isSeed) scope.judgeRedirect(url, { url, depth: 0, extraHops: 0, isSeed }, crawl.startedAt);
    else scope.observe(url, kind);
  }
}
