import {
  type CountedInference,
  counted,
  type InferenceCounts,
  inferenceCounts,
} from '../../access/inference-counts.ts';
import type { Crawl, CrawlTally, Visit } from '../../model/crawl.ts';
import type { FaultKind } from '../../model/fault.ts';
import type { VirtualDirectory } from '../../model/inference.ts';
import type { Millis } from '../../model/time.ts';
import type {
  InferenceCatalog,
  PerimeterCatalog,
  PerimeterCounts,
  RecoveryCatalog,
  ResultCatalog,
} from '../../ports/catalog.ts';
import type { Sharpness } from '../../stages/site-capture.ts';

/** The end report; the fields that scripts rely on are named in docs/json.md. */
export interface CrawlReport extends CrawlTally, Sharpness {
  readonly crawl: number;
  readonly state: 'finished' | 'stopped';
  readonly startedAt: number;
  /** From the beginning of the crawl, in milliseconds, pauses included. */
  readonly duration: number;
  readonly warcs: readonly string[];
  /**
   * How the archive's content is known: pages visited; pages not visited and taken for unchanged; URLs left out by
   * other rules.
   */
  readonly coverage: {
    readonly proven: number;
    readonly inferred: number;
    readonly skipped: number;
    /** Not visited and not held here: left to the records of other archives. Absent where there are none. */
    readonly virtual?: number;
  };
  /** With --skip-by-rules, or for a mirror: what was taken for unchanged, and the first of its directories. */
  readonly inferred?: InferenceCounts & { readonly listed: readonly CountedInference[] };
  /** With --perimeter: pages read that belong and that do not, and known URLs that were not read. */
  readonly perimeter?: { readonly name: string } & PerimeterCounts;
  /** Counts of virtual pages, by the archive that holds them. */
  readonly virtual?: Readonly<Record<string, number>>;
  /** The first failures, with what was tried. */
  readonly failedUrls: readonly { readonly url: string; readonly kind: FaultKind; readonly detail: string }[];
  /** What belongs to no page: traps, delays that were cut, URLs left behind. */
  readonly notes: readonly string[];
  /** The first pages that are gone. */
  readonly goneUrls: readonly string[];
}

/** URLs listed in the report; all of them are in the catalog. */
const URLS_LISTED = 20;

export async function crawlReport(
  catalog: ResultCatalog & RecoveryCatalog & InferenceCatalog & PerimeterCatalog,
  crawl: Crawl,
  ended: {
    readonly state: 'finished' | 'stopped';
    readonly tally: CrawlTally;
    readonly sharpness: Sharpness;
  },
  now: Millis,
): Promise<CrawlReport> {
  const files = await catalog.warcFiles();
  const of = { crawlId: crawl.id, limit: URLS_LISTED };
  const failures = await catalog.settledVisits({ ...of, result: 'failed' });
  const isSparing = crawl.spec.skipByRules !== undefined || crawl.spec.mirrors !== undefined;
  const inferences = isSparing ? await catalog.inferences({ crawlId: crawl.id }) : [];
  const kept = inferenceCounts(inferences);
  const virtual = crawl.spec.skipByRules ? await catalog.virtualDirectories({ crawlId: crawl.id }) : [];
  const virtualPages = virtual.reduce((sum, { urls }) => sum + urls.length, 0);
  const { captured, unchanged, dropped = 0, skipped } = ended.tally;
  const name = crawl.spec.perimeter?.name;
  const gone = await catalog.settledVisits({ ...of, result: 'gone' });
  return {
    ...ended.tally,
    ...ended.sharpness,
    crawl: crawl.id,
    state: ended.state,
    startedAt: crawl.startedAt,
    duration: now - crawl.startedAt,
    warcs: files.filter(({ crawlId }) => crawlId === crawl.id).map(({ file }) => file),
    coverage: {
      proven: captured + unchanged + dropped,
      inferred: kept.pages,
      skipped,
      ...(virtualPages > 0 && { virtual: virtualPages }),
    },
    ...(virtualPages > 0 && { virtual: byArchive(virtual) }),
    ...(isSparing && {
      inferred: { ...kept, listed: inferences.slice(0, URLS_LISTED).map(counted) },
    }),
    ...(name !== undefined && {
      perimeter: { name, ...(await catalog.perimeterCounts(name, crawl.startedAt)) },
    }),
    failedUrls: failures.flatMap(({ url, fault }: Visit) => (fault ? [{ url, ...fault }] : [])),
    notes: await catalog.notes(crawl.id),
    goneUrls: gone.map(({ url }) => url),
  };
}

function byArchive(virtual: readonly VirtualDirectory[]): Readonly<Record<string, number>> {
  const pages: Record<string, number> = {};
  for (const { heldBy, urls } of virtual) pages[heldBy] = (pages[heldBy] ?? 0) + urls.length;
  return pages;
}
