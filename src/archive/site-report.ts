import {
  NoSuchReport,
  type QualityReport,
  qualityReport,
} from '../access/sharpness-report/quality-report.ts';
import { fingerprint } from '../storage/ed25519.ts';
import { type ArchiveLocation, openForReading } from './open/open-archive.ts';
import { UserError } from './user-error.ts';

export interface SiteReport {
  readonly quality: QualityReport;
  /** Of the key that signed its certificate, where it has one. */
  readonly keyFingerprint?: string;
}

/** How good a capture of a site is: the last one, or that of the crawl that is named. */
export async function siteReport(
  location: ArchiveLocation,
  site: string,
  crawl: number | undefined,
): Promise<SiteReport> {
  const archive = await openForReading(location);
  try {
    const quality = await qualityReport(site, crawl, archive);
    const { certificate } = quality;
    return { quality, ...(certificate && { keyFingerprint: fingerprint(certificate.publicKey) }) };
  } catch (error) {
    throw error instanceof NoSuchReport ? new UserError(error.message) : error;
  } finally {
    await archive.close();
  }
}
