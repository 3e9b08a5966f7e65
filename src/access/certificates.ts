import { textOf } from '../model/body.ts';
import type { CaptureFact } from '../model/capture.ts';
import { CERTIFICATE, type SignedCertificate } from '../model/certificate.ts';
import type { Millis } from '../model/time.ts';
import type { RecordReader } from '../ports/record-store.ts';
import { isStrictlySharp, isVisiblySharp } from '../science/sharpness/certificate.ts';
import { CertificateError, readCertificate } from '../science/sharpness/read-certificate.ts';

/** A certificate in short: without the pages that it states, which may be many. */
export interface CertificateSummary {
  readonly recordId: string;
  readonly at: Millis;
  readonly file: string;
  readonly crawlKey: string;
  readonly seeds: readonly string[];
  readonly startedAt: Millis;
  readonly finishedAt: Millis;
  readonly pages: number;
  readonly revisited: number;
  readonly strict: number;
  readonly visible: number;
  /** Expected. */
  readonly blur: number;
  /** t*, and the pages that it is proven for; null where none is. */
  readonly provenAt: Millis | null;
  readonly proven: number | null;
  /** Each site of the crawl: its pages, and those of them that are proven at t*. */
  readonly sites: readonly { readonly site: string; readonly pages: number; readonly proven: number }[];
  readonly publicKey: string;
}

/** Undefined where the record holds none: `verify` is the one to complain. */
export async function storedCertificate(
  fact: CaptureFact,
  reader: Pick<RecordReader, 'read'>,
): Promise<SignedCertificate | undefined> {
  try {
    return readCertificate(await textOf((await reader.read(fact)).payload));
  } catch (error) {
    if (error instanceof CertificateError) return undefined;
    throw error;
  }
}

export async function certificateRow(
  fact: CaptureFact,
  reader: Pick<RecordReader, 'read'>,
  siteOf: (url: string) => string,
): Promise<CertificateSummary | undefined> {
  const found = await storedCertificate(fact, reader);
  if (!found) return undefined;
  const { publicKey, statement } = found;
  const { crawl, sharp, blur, date } = statement;
  const best = date.visible ?? date.strict;
  return {
    recordId: fact.recordId,
    at: fact.at,
    file: fact.file,
    crawlKey: fact.url.slice(CERTIFICATE.length),
    seeds: crawl.seeds,
    startedAt: Date.parse(crawl.startedAt),
    finishedAt: Date.parse(crawl.finishedAt),
    pages: sharp.pages,
    revisited: sharp.revisited,
    strict: sharp.strict,
    visible: sharp.visible,
    blur: blur.expected,
    provenAt: best ? Date.parse(best.time) : null,
    proven: best?.proven ?? null,
    sites: sitesOf(statement, siteOf),
    publicKey,
  };
}

function sitesOf(
  { pages, date }: SignedCertificate['statement'],
  siteOf: (url: string) => string,
): CertificateSummary['sites'] {
  const isSharp = date.visible ? isVisiblySharp : isStrictlySharp;
  const at = Date.parse((date.visible ?? date.strict)?.time ?? '');
  const sites = new Map<string, { readonly site: string; pages: number; proven: number }>();
  for (const page of pages) {
    const site = siteOf(page.url);
    const held = sites.get(site) ?? { site, pages: 0, proven: 0 };
    const { visit, revisit } = page;
    held.pages++;
    if (revisit && isSharp(page) && Date.parse(visit.time) <= at && at <= Date.parse(revisit.time))
      held.proven++;
    sites.set(site, held);
  }
  return [...sites.values()].sort((a, b) => (a.site < b.site ? -1 : 1));
}
