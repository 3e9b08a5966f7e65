import type { CaptureFact } from '../../model/capture.ts';
import { capturesOfSeeds } from '../../model/captures-of-seeds.ts';
import { type CertificateStatement, certificateUri } from '../../model/certificate.ts';
import type { Crawl, CrawlTally, PageCounts, SiteTally } from '../../model/crawl.ts';
import type { FaultKind, SkipReason } from '../../model/fault.ts';
import type { SiteBounds } from '../../model/site-bounds.ts';
import type { Millis } from '../../model/time.ts';
import type { CaptureCatalog, ResultCatalog, SiteCatalog, SkipRule } from '../../ports/catalog.ts';
import type { RecordReader } from '../../ports/record-store.ts';
import type { Calibration } from '../../science/evolution/skip-calibration.ts';
import { observationInterval, observedBlur } from '../../science/sharpness/observation.ts';
import { CertificateError, readCertificate } from '../../science/sharpness/read-certificate.ts';
import { siteStatement } from '../../science/sharpness/site-statement.ts';
import { type CalibrationCatalog, calibrationIfAny } from '../directory-rules/site-calibration.ts';
import {
  type CountedInference,
  counted,
  type InferenceCounts,
  inferenceCounts,
} from '../inference-counts.ts';
import { siteNamed } from '../site-name.ts';
import { type Completeness, completenessOf, holdings } from './holdings.ts';
import { type LiveCatalog, type SiteCompleteness, siteCompleteness } from './live-completeness.ts';

/** How good one capture of a site is. Everything in it is of this site, whatever else the crawl visited. */
export interface QualityReport {
  readonly site: string;
  readonly crawl: Pick<Crawl, 'id' | 'key' | 'state' | 'startedAt'> & {
    readonly finishedAt: Millis | null;
    readonly order: string;
    /** Those of the site. */
    readonly seeds: readonly string[];
    /** Other sites whose pages the crawl visited. */
    readonly otherSites: number;
  };
  /** Null when the crawl left none: it is unfinished, or from before there were certificates. */
  readonly certificate: {
    readonly recordId: string;
    readonly at: Millis;
    readonly file: string;
    readonly publicKey: string;
    readonly signature: string;
    /** What it says of the site. The signature is over the statement in the record. */
    readonly statement: CertificateStatement;
    /** Whether that is the whole of it: a crawl of several sites has one certificate. */
    readonly isWhole: boolean;
  } | null;
  /** All times that are mapped to this capture, by those before and after it; null without a certificate. */
  readonly observation: {
    readonly start: Millis;
    readonly end: Millis;
    readonly previousEnd: Millis | null;
    readonly nextStart: Millis | null;
    /** Expected over these times. */
    readonly blur: number;
  } | null;
  readonly coverage: Omit<PageCounts, 'failures'> &
    Pick<CrawlTally, 'skipped' | 'skips'> & {
      /** Skips of a crawl of several sites that cannot be told apart by site; absent where there are none. */
      readonly sharedSkips?: CrawlTally['skips'];
      /** Pages visited; those that were not, and are taken for unchanged, are in `inferred`. */
      readonly proven: number;
      /** Null where every page was visited. */
      readonly inferred: (InferenceCounts & { readonly listed: readonly CountedInference[] }) | null;
      /** (captured + unchanged) / those that are there, failed or wait; null when there is none. */
      readonly share: number | null;
    };
  readonly errors: Pick<PageCounts, 'failures'> & {
    /** The first of them, as many as were asked for. */
    readonly urls: readonly { readonly url: string; readonly kind: FaultKind; readonly detail: string }[];
  };
  /** Of all captures of the site, from the first on. */
  readonly storage: {
    readonly captures: number;
    /** Bytes on disk, compressed. */
    readonly bytes: number;
    /** Captures stored without their payload, and the bytes that this saved. */
    readonly revisits: number;
    readonly saved: number;
  };
  /** How skips by rules of the site turned out; null where there was none. */
  readonly calibration: Calibration | null;
  /** Versions archived of those that are believed to have appeared; null when no rate is known. */
  readonly completeness: Completeness | null;
  /** Weighted completeness and freshness of the site with intervals, over all its visits; null where no page was visited twice. */
  readonly weightedCompleteness: SiteCompleteness | null;
}

/** What was asked for is not in the archive; the message says what is. */
export class NoSuchReport extends Error {
  override readonly name = 'NoSuchReport';
}

type ReportedCatalog = ResultCatalog &
  CaptureCatalog &
  CalibrationCatalog &
  LiveCatalog &
  Pick<SiteCatalog, 'siteBounds'>;

/** Failures listed unless more are asked for. */
const FAILURES_LISTED = 50;

export async function qualityReport(
  asked: string,
  crawlId: number | undefined,
  { catalog, reader }: { readonly catalog: ReportedCatalog; readonly reader: RecordReader },
  failures = FAILURES_LISTED,
): Promise<QualityReport> {
  const bounds = catalog.siteBounds();
  const { siteOf } = bounds;
  const site = siteNamed(asked, bounds);
  const { crawl, tally } = await chosenCrawl(site, crawlId, catalog);
  const of = tally.sites.find((one) => one.site === site) ?? { site, ...NOTHING };
  const { site: _, failures: reasons, ...counts } = of;
  const failed = await catalog.settledVisits({
    crawlId: crawl.id,
    result: 'failed',
    site,
    limit: failures,
  });
  const certificate = await certificateOf(crawl, site, catalog, reader);
  const held = await holdings(site, catalog, crawl.finishedAt ?? Number.POSITIVE_INFINITY);
  const archived = counts.captured + counts.unchanged;
  const tried = archived + (counts.dropped ?? 0) + counts.failed + counts.pending;
  const otherSites = tally.sites.filter((one) => one.site !== site && pagesOf(one) > 0).length;
  return {
    site,
    crawl: {
      id: crawl.id,
      key: crawl.key,
      state: crawl.state,
      startedAt: crawl.startedAt,
      finishedAt: crawl.finishedAt ?? null,
      order: crawl.spec.order,
      seeds: crawl.spec.seeds.filter((seed) => siteOf(seed) === site),
      otherSites,
    },
    certificate,
    observation: certificate && observationOf(certificate.statement, crawl, await catalog.crawls()),
    coverage: {
      ...counts,
      ...(otherSites === 0
        ? { skipped: tally.skipped, skips: tally.skips }
        : skipsOf({ site, siteOf }, await catalog.skipRules({ crawlId: crawl.id }), tally)),
      proven: archived + (counts.dropped ?? 0),
      inferred:
        crawl.spec.skipByRules || crawl.spec.mirrors ? await inferredOf(crawl.id, site, catalog) : null,
      share: tried > 0 ? archived / tried : null,
    },
    errors: {
      failures: reasons,
      urls: failed.flatMap(({ url, fault }) => (fault ? [{ url, ...fault }] : [])),
    },
    storage: held.storage,
    calibration: await calibrationIfAny(site, catalog),
    completeness: certificate ? completenessOf(certificate.statement, held) : null,
    weightedCompleteness: await siteCompleteness(site, catalog),
  };
}

function observationOf(
  { interval, pages }: CertificateStatement,
  { id, startedAt, spec }: Crawl,
  crawls: readonly Crawl[],
): QualityReport['observation'] {
  if (!interval) return null;
  const others = capturesOfSeeds(crawls, spec.seeds).filter((crawl) => crawl.id !== id);
  const previousEnd = others.findLast(({ finishedAt }) => finishedAt <= startedAt)?.finishedAt;
  const end = Date.parse(interval.end);
  const nextStart = others.find((crawl) => crawl.startedAt >= end)?.startedAt;
  const observed = observationInterval([Date.parse(interval.start), end], { previousEnd, nextStart });
  const visits = pages.map(({ rate, visit, revisit }) => ({
    rate,
    visit: { at: Date.parse(visit.time) },
    ...(revisit && { revisit: { at: Date.parse(revisit.time), outcome: revisit.outcome } }),
  }));
  return {
    start: observed[0],
    end: observed[1],
    previousEnd: previousEnd ?? null,
    nextStart: nextStart ?? null,
    blur: observedBlur(visits, observed),
  };
}

async function inferredOf(crawlId: number, site: string, catalog: Pick<CalibrationCatalog, 'inferences'>) {
  const own = await catalog.inferences({ crawlId, site });
  return { ...inferenceCounts(own), listed: own.map(counted) };
}

const NOTHING: PageCounts = {
  captured: 0,
  new: 0,
  changed: 0,
  unchanged: 0,
  redirects: 0,
  gone: 0,
  failed: 0,
  pending: 0,
  resources: { captured: 0, unchanged: 0, failed: 0 },
  failures: {},
};

const pagesOf = ({ captured, unchanged, dropped = 0, redirects, gone, failed, pending }: SiteTally): number =>
  captured + unchanged + dropped + redirects + gone + failed + pending;

type SiteSkips = Pick<QualityReport['coverage'], 'skipped' | 'skips' | 'sharedSkips'>;

/**
 * A link that was not followed is missed where it stood. The catalog keeps the first URLs of each rule: where those are all
 * of them, the site's can be told; where not, the count is of all sites of the crawl together, and said to be.
 */
function skipsOf(
  { site, siteOf }: Pick<SiteBounds, 'siteOf'> & { readonly site: string },
  rules: readonly SkipRule[],
  whole: Pick<CrawlTally, 'skips'>,
): SiteSkips {
  const skips: Partial<Record<SkipReason, number>> = {};
  const told: Partial<Record<SkipReason, number>> = {};
  let skipped = 0;
  for (const { reason, entries, sample } of rules) {
    if (sample.length < entries) continue;
    told[reason] = (told[reason] ?? 0) + entries;
    const own = sample.filter(({ url, via }) => siteOf(via ?? url) === site).length;
    if (own === 0) continue;
    skipped += own;
    skips[reason] = (skips[reason] ?? 0) + own;
  }
  const shared = (Object.entries(whole.skips) as [SkipReason, number][])
    .map(([reason, count]) => [reason, count - (told[reason] ?? 0)] as const)
    .filter(([, count]) => count > 0);
  return { skipped, skips, ...(shared.length > 0 && { sharedSkips: Object.fromEntries(shared) }) };
}

/** The last crawl that was told to visit the site, else the last that did. */
async function chosenCrawl(
  site: string,
  id: number | undefined,
  catalog: Pick<ReportedCatalog, 'crawls' | 'tally' | 'siteBounds'>,
): Promise<{ readonly crawl: Crawl; readonly tally: CrawlTally }> {
  const { siteOf } = catalog.siteBounds();
  const crawls = (await catalog.crawls()).toSorted((a, b) => b.startedAt - a.startedAt || b.id - a.id);
  const asked = id === undefined ? crawls : crawls.filter((crawl) => crawl.id === id);
  const seeded = asked.find(({ spec }) => spec.seeds.some((seed) => siteOf(seed) === site));
  for (const crawl of seeded ? [seeded] : asked) {
    const tally = await catalog.tally(crawl.id);
    if (seeded || tally.sites.some((one) => one.site === site && pagesOf(one) > 0)) return { crawl, tally };
  }
  const known = [...new Set(crawls.flatMap(({ spec }) => spec.seeds.map(siteOf)))].sort();
  const there = `there are crawls of: ${known.join(', ') || 'nothing yet'}`;
  if (id === undefined) throw new NoSuchReport(`no crawl of '${site}' is in the archive; ${there}`);
  const ofSite = crawls.filter(({ spec }) => spec.seeds.some((seed) => siteOf(seed) === site));
  throw new NoSuchReport(
    asked.length > 0
      ? `crawl ${id} visited no page of ${site}; ${there}`
      : `there is no crawl ${id}; of ${site} there are: ${ofSite.map((crawl) => crawl.id).join(', ') || 'none'}`,
  );
}

async function certificateOf(
  crawl: Crawl,
  site: string,
  catalog: Pick<ReportedCatalog, 'captures' | 'siteBounds'>,
  reader: RecordReader,
): Promise<QualityReport['certificate']> {
  let found: QualityReport['certificate'] = null;
  for await (const fact of catalog.captures({ url: certificateUri(crawl.key) })) {
    const signed = await read(fact, reader);
    // The same command has the same key: other crawls of it left certificates too.
    if (!signed || Date.parse(signed.statement.crawl.startedAt) !== crawl.startedAt) continue;
    const { publicKey, signature } = signed;
    const statement = siteStatement(signed.statement, site, catalog.siteBounds().siteOf);
    found = {
      recordId: fact.recordId,
      at: fact.at,
      file: fact.file,
      publicKey,
      signature,
      statement,
      isWhole: statement === signed.statement,
    };
  }
  return found;
}
async function read(fact: CaptureFact, reader: RecordReader) {
  const { payload } = await reader.read(fact);
  const chunks: Uint8Array[] = [];
  for await (const chunk of payload.chunks()) chunks.push(chunk);
  try {
    return readCertificate(Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    // `verify` is the one to complain.
    if (error instanceof CertificateError) return undefined;
    throw error;
  }
}
