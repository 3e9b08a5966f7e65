import { memoryBody } from '../model/body.ts';
import { canonicalJson } from '../model/canonical-json.ts';
import type { DerivedRecord } from '../model/capture.ts';
import { capturesOfSeeds } from '../model/captures-of-seeds.ts';
import { certificateUri, type SignedCertificate } from '../model/certificate.ts';
import type { Crawl } from '../model/crawl.ts';
import type { SiteCapture } from '../model/site-capture.ts';
import type { Millis } from '../model/time.ts';
import type { ResultCatalog } from '../ports/catalog.ts';
import type { Signer } from '../ports/signer.ts';
import type { FoundUrl } from '../science/sharpness/breadth-first-places.ts';
import { statementOf } from '../science/sharpness/certificate.ts';

export interface CertifyPorts {
  readonly catalog: Pick<ResultCatalog, 'frontierLog' | 'crawls'>;
  readonly signer: Signer;
  /** For example `Daguerre/0.1.0`. */
  readonly software: string;
}

/** Only the machine itself vouches for it: what a third party can do about that is in docs/certificate.md. */
export const SYSTEM_CLOCK = 'system clock of the archiving machine, UTC, milliseconds';

const encoder = new TextEncoder();

/** When the previous capture of the same seeds ended. */
async function previousEnd(
  { startedAt }: Pick<Crawl, 'startedAt'>,
  { seeds }: Pick<SiteCapture, 'seeds'>,
  catalog: Pick<ResultCatalog, 'crawls'>,
): Promise<Millis | undefined> {
  return capturesOfSeeds(await catalog.crawls(), seeds)
    .filter(({ finishedAt }) => finishedAt <= startedAt)
    .at(-1)?.finishedAt;
}

/** Stage: a site capture → what it proves → signed, as the record that closes the crawl. */
export async function certify(
  capture: SiteCapture,
  crawl: Pick<Crawl, 'id' | 'startedAt'>,
  { catalog, signer, software }: CertifyPorts,
): Promise<DerivedRecord> {
  const found: FoundUrl[] = [];
  for await (const { url, isSeed, via, kind } of catalog.frontierLog(crawl.id)) {
    if (kind === 'page' || kind === 'sitemap') found.push({ url, isSeed, ...(via !== undefined && { via }) });
  }
  const statement = statementOf(
    { ...capture, startedAt: crawl.startedAt },
    { software, clock: SYSTEM_CLOCK, found, previousEnd: await previousEnd(crawl, capture, catalog) },
  );
  const text = canonicalJson(statement);
  const signed: Omit<SignedCertificate, 'statement'> = {
    algorithm: 'Ed25519',
    publicKey: signer.publicKey,
    signature: signer.sign(encoder.encode(text)),
  };
  // Canonical as a whole: `statement` is the last name in order. This way a long one is not serialised twice.
  const envelope = `${canonicalJson(signed).slice(0, -1)},"statement":${text}}`;
  return {
    uri: certificateUri(capture.key),
    contentType: 'application/json',
    body: memoryBody(encoder.encode(envelope)),
    as: 'metadata',
  };
}
