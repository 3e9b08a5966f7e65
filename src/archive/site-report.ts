import { mirrorWords } from '../access/mirror-words.ts';
import {
  NoSuchReport,
  type QualityReport,
  qualityReport,
} from '../access/sharpness-report/quality-report.ts';
import { type CheckSummary, storedChecks, summaryOf } from '../access/stored-checks.ts';
import { fingerprint } from '../storage/ed25519.ts';
import type { CrawlReport } from './crawl/crawl-report.ts';
import { countedFiles } from './merge/replaced-files.ts';
import { keptMirrors } from './mirrors/mirror-journal.ts';
import { orTellGone } from './open/gone-while-reading.ts';
import { type ArchiveLocation, type OpenArchive, openForReading } from './open/open-archive.ts';
import { UserError } from './user-error.ts';
import { type CheckedImport, verifyImports } from './verify/verify-imports.ts';

export interface SiteReport {
  readonly quality: QualityReport;
  /** Of the key that signed its certificate, if any. */
  readonly keyFingerprint?: string;
  /** What the crawl's perimeter did, over all its sites. */
  readonly perimeter?: CrawlReport['perimeter'];
  /** What the site is known to mirror: `mirrors example.org, up to date`. */
  readonly mirror?: string;
  /** How well replay shows its pages, by the last `daguerre check`; absent where there was none. */
  readonly check?: CheckSummary;
  /** Imported packages that captures of the site came in, with how far their signatures can be trusted. */
  readonly imports: readonly CheckedImport[];
  /** Record files of the whole archive, whatever their site, and their bytes. */
  readonly files: { readonly count: number; readonly bytes: number };
}

/** How good a capture of a site is: the last one, or that of the given crawl. */
export async function siteReport(
  location: ArchiveLocation,
  site: string,
  crawl: number | undefined,
  failures?: number,
): Promise<SiteReport> {
  const archive = await openForReading(location);
  try {
    return await orTellGone(archive.folder, async () => {
      const quality = await qualityReport(site, crawl, archive, failures);
      const { certificate } = quality;
      return {
        quality,
        ...(certificate && { keyFingerprint: fingerprint(certificate.publicKey) }),
        ...(await perimeterOf(quality, archive)),
        ...(await mirrorOf(quality, archive)),
        ...(await checkOf(quality, archive)),
        imports: await importsOf(quality.site, archive),
        files: await filesOf(archive),
      };
    });
  } catch (error) {
    throw error instanceof NoSuchReport ? new UserError(error.message) : error;
  } finally {
    await archive.close();
  }
}

async function filesOf({ folder, catalog }: OpenArchive): Promise<SiteReport['files']> {
  const files = await countedFiles(folder, catalog);
  return { count: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
}

async function perimeterOf(
  { crawl: { id, startedAt } }: QualityReport,
  { catalog }: OpenArchive,
): Promise<Pick<SiteReport, 'perimeter'>> {
  const name = (await catalog.crawls()).find((crawl) => crawl.id === id)?.spec.perimeter?.name;
  return name === undefined
    ? {}
    : { perimeter: { name, ...(await catalog.perimeterCounts(name, startedAt)) } };
}

async function mirrorOf({ site }: QualityReport, archive: OpenArchive): Promise<Pick<SiteReport, 'mirror'>> {
  const mirror = mirrorWords(site, await keptMirrors(archive));
  return mirror === undefined ? {} : { mirror };
}

async function checkOf({ site }: QualityReport, archive: OpenArchive): Promise<Pick<SiteReport, 'check'>> {
  const { prefixesOf, siteOf } = archive.catalog.siteBounds();
  const checks = await storedChecks(prefixesOf(site), ({ url }) => siteOf(url) === site, archive);
  return checks.length === 0 ? {} : { check: summaryOf(checks) };
}

async function importsOf(site: string, archive: OpenArchive): Promise<readonly CheckedImport[]> {
  const { imports } = await verifyImports(archive);
  const signed = imports.filter(({ signature }) => signature !== undefined);
  if (signed.length === 0) return [];
  const files = new Set<string>();
  const { prefixesOf, siteOf } = archive.catalog.siteBounds();
  for (const prefix of prefixesOf(site))
    for await (const { url, file } of archive.catalog.captures({ urlPrefix: prefix }))
      if (siteOf(url) === site) files.add(file);
  return signed.filter((one) => one.files.some((file) => files.has(file)));
}
