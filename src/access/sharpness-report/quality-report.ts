import type { CaptureFact } from '../../model/capture.ts';
import { type CertificateStatement, certificateUri } from '../../model/certificate.ts';
import type { Crawl, CrawlTally } from '../../model/crawl.ts';
import type { Millis } from '../../model/exchange.ts';
import type { FaultKind } from '../../model/fault.ts';
import { siteOf } from '../../model/site.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { RecordReader } from '../../ports/record-store.ts';
import { CertificateError, readCertificate } from '../../science/sharpness/read-certificate.ts';

/** How good one capture of a site is. */
export interface QualityReport {
  readonly site: string;
  readonly crawl: Pick<Crawl, 'id' | 'key' | 'state' | 'startedAt'> & {
    readonly finishedAt: Millis | null;
    readonly order: string;
    readonly seeds: readonly string[];
  };
  /** Null when the crawl left none: it is unfinished, or from before there were certificates. */
  readonly certificate: {
    readonly recordId: string;
    readonly at: Millis;
    readonly file: string;
    readonly publicKey: string;
    readonly signature: string;
    readonly statement: CertificateStatement;
  } | null;
  readonly coverage: Pick<
    CrawlTally,
    'captured' | 'unchanged' | 'failed' | 'skipped' | 'pending' | 'skips'
  > & {
    /** (captured + unchanged) / all pages that were tried or wait; null when there is none. */
    readonly share: number | null;
  };
  readonly errors: Pick<CrawlTally, 'failures'> & {
    /** The first of them. */
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
  /** Versions archived of those that are believed to have appeared; null when no rate is known. */
  readonly completeness: {
    readonly estimate: number;
    readonly archived: number;
    readonly believed: number;
  } | null;
}

/** What was asked for is not in the archive; the message says what is. */
export class NoSuchReport extends Error {
  override readonly name = 'NoSuchReport';
}

const FAILURES_LISTED = 50;

export async function qualityReport(
  asked: string,
  crawlId: number | undefined,
  { catalog, reader }: { readonly catalog: Catalog; readonly reader: RecordReader },
): Promise<QualityReport> {
  const site = asked.includes('://') ? siteOf(asked) : siteOf(`https://${asked}/`);
  const crawl = await chosenCrawl(site, crawlId, catalog);
  const tally = await catalog.tally(crawl.id);
  const failed = await catalog.visits({ crawlId: crawl.id, outcome: 'failed', limit: FAILURES_LISTED });
  const certificate = await certificateOf(crawl, catalog, reader);
  const { storage, versions } = await holdings(site, catalog);
  const { captured, unchanged, dropped = 0, failed: lost, skipped, pending, skips, failures } = tally;
  const tried = captured + unchanged + dropped + lost + pending;
  return {
    site,
    crawl: {
      id: crawl.id,
      key: crawl.key,
      state: crawl.state,
      startedAt: crawl.startedAt,
      finishedAt: crawl.finishedAt ?? null,
      order: crawl.spec.order,
      seeds: crawl.spec.seeds,
    },
    certificate,
    coverage: {
      captured,
      unchanged,
      failed: lost,
      skipped,
      pending,
      skips,
      share: tried > 0 ? (captured + unchanged) / tried : null,
    },
    errors: { failures, urls: failed.flatMap(({ url, fault }) => (fault ? [{ url, ...fault }] : [])) },
    storage,
    completeness: certificate ? completenessOf(certificate.statement, versions) : null,
  };
}

async function chosenCrawl(site: string, id: number | undefined, catalog: Catalog): Promise<Crawl> {
  const crawls = await catalog.crawls();
  const ofSite = crawls.filter(({ spec }) => spec.seeds.some((seed) => siteOf(seed) === site));
  const found =
    id === undefined
      ? ofSite.toSorted((a, b) => b.startedAt - a.startedAt || b.id - a.id)[0]
      : crawls.find((crawl) => crawl.id === id);
  if (found) return found;
  const known = [...new Set(crawls.flatMap(({ spec }) => spec.seeds.map(siteOf)))].sort();
  throw new NoSuchReport(
    id === undefined
      ? `no crawl of '${site}' is in the archive; there are crawls of: ${known.join(', ') || 'nothing yet'}`
      : `there is no crawl ${id}; of ${site} there are: ${ofSite.map((crawl) => crawl.id).join(', ') || 'none'}`,
  );
}

async function certificateOf(
  crawl: Crawl,
  catalog: Catalog,
  reader: RecordReader,
): Promise<QualityReport['certificate']> {
  let found: QualityReport['certificate'] = null;
  for await (const fact of catalog.captures({ url: certificateUri(crawl.key) })) {
    const signed = await read(fact, reader);
    // The same command has the same key: other crawls of it left certificates too.
    if (!signed || Date.parse(signed.statement.crawl.startedAt) !== crawl.startedAt) continue;
    const { publicKey, signature, statement } = signed;
    found = { recordId: fact.recordId, at: fact.at, file: fact.file, publicKey, signature, statement };
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

interface PageVersions {
  readonly firstAt: Millis;
  readonly lastAt: Millis;
  readonly digests: ReadonlySet<string>;
}

/** One walk over the captures of the site. */
async function holdings(site: string, catalog: Catalog) {
  const storage = { captures: 0, bytes: 0, revisits: 0, saved: 0 };
  const versions = new Map<string, PageVersions & { lastAt: Millis; digests: Set<string> }>();
  for (const prefix of prefixes(site)) {
    for await (const { url, at, type, length, digest } of catalog.captures({ urlPrefix: prefix })) {
      storage.captures++;
      storage.bytes += length;
      if (type === 'revisit') {
        storage.revisits++;
        storage.saved += digest.size;
      }
      const known = versions.get(url);
      if (!known) versions.set(url, { firstAt: at, lastAt: at, digests: new Set([digest.sha256]) });
      else {
        known.lastAt = Math.max(known.lastAt, at);
        known.digests.add(digest.sha256);
      }
    }
  }
  return { storage, versions };
}

const prefixes = (site: string): string[] =>
  ['https://', 'http://'].flatMap((scheme) => [`${scheme}${site}/`, `${scheme}www.${site}/`]);

/**
 * From its first capture to its last, a page of rate λ is believed to have had 1 + λT versions; those archived are
 * told apart by their digests. An estimate: rates are beliefs, and a page never captured counts for nothing.
 */
function completenessOf(
  { pages }: CertificateStatement,
  versions: ReadonlyMap<string, PageVersions>,
): QualityReport['completeness'] {
  let archived = 0;
  let believed = 0;
  for (const { url, rate } of pages) {
    const known = versions.get(url);
    if (!known) continue;
    const expected = 1 + (rate * (known.lastAt - known.firstAt)) / 1000;
    archived += known.digests.size;
    believed += Math.max(expected, known.digests.size);
  }
  return believed > 0 ? { estimate: archived / believed, archived, believed } : null;
}
