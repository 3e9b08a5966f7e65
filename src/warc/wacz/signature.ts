import { createHash, createPublicKey, verify, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import type { Millis } from '../../model/time.ts';
import { jsonObject } from './pages-file.ts';
import { PACKAGE_LIMIT, type Wacz } from './read.ts';
import { checkTimestamp } from './timestamp-token.ts';
import { ZipFault } from './zip-reader.ts';

/** What the signature of a WACZ is worth: https://specs.webrecorder.net/wacz-auth/0.1.0/ */
export interface SignatureVerdict {
  readonly verdict: 'none' | 'valid' | 'invalid';
  /** A domain, or the fingerprint of a key of unknown owner. */
  readonly by?: string;
  readonly kind?: 'domain' | 'anonymous';
  /** What made the signature, by its own account. */
  readonly software?: string;
  readonly created?: string;
  /** By the clock of a timestamping authority. */
  readonly timestamp?: string;
  /** Why it is invalid; for a valid one, what could not be confirmed. */
  readonly reasons: readonly string[];
}

/** The maximum time between `created` and the timestamp that the specification allows. */
const STAMP_WITHIN: Millis = 10 * 60 * 1000;

/** SHA-256 of freetsa.org's root, which authsign trusts for timestamps; no list of web roots includes it. */
const TIMESTAMP_ROOTS = new Set(['a6379e7cecc05faa3cbf076013d745e327bbbaa38c0b9af22469d4701d18aabc']);

export async function checkSignature(wacz: Wacz): Promise<SignatureVerdict> {
  const entry = wacz.entry('datapackage-digest.json');
  const target = wacz.entry('datapackage.json');
  if (!entry || !target || entry.refused !== undefined || target.refused !== undefined)
    return { verdict: 'none', reasons: [] };
  try {
    const digest = jsonObject(await wacz.zip.text(entry, PACKAGE_LIMIT));
    const signed = digest?.signedData;
    if (digest === undefined || typeof signed !== 'object' || signed === null)
      return { verdict: 'none', reasons: [] };
    const hash = createHash('sha256')
      .update(await wacz.zip.text(target, PACKAGE_LIMIT))
      .digest('hex');
    return judge(signed as Record<string, unknown>, `sha256:${hash}`);
  } catch (error) {
    if (!(error instanceof ZipFault)) throw error;
    return { verdict: 'invalid', reasons: [error.message] };
  }
}

/** `hash`: of the datapackage.json that is present. */
export function judge(signed: Readonly<Record<string, unknown>>, hash: string): SignatureVerdict {
  const text = (name: string): string => (typeof signed[name] === 'string' ? signed[name] : '');
  const faults: string[] = [];
  if (text('hash') !== hash) faults.push('it is for another datapackage.json');
  const found = text('domainCert') !== '' ? byDomain(text, faults) : byKey(text, faults);
  return {
    verdict: faults.length === 0 ? 'valid' : 'invalid',
    ...found,
    ...(text('software') && { software: text('software') }),
    ...(text('created') && { created: text('created') }),
    reasons: faults.length === 0 ? found.reasons : faults,
  };
}

type Text = (name: string) => string;
type Found = Pick<SignatureVerdict, 'by' | 'kind' | 'timestamp' | 'reasons'>;

/** As ArchiveWeb.page signs: ECDSA P-384, the public key next to the signature. */
function byKey(text: Text, faults: string[]): Found {
  const der = Buffer.from(text('publicKey'), 'base64');
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const signature = Buffer.from(text('signature'), 'base64');
    const data = Buffer.from(text('hash'));
    // Browsers write the two numbers of the signature one after the other, other tools as DER.
    const fits = (['ieee-p1363', 'der'] as const).some((dsaEncoding) =>
      ['sha256', 'sha384'].some((algorithm) => verify(algorithm, data, { key, dsaEncoding }, signature)),
    );
    if (!fits) faults.push('the signature does not fit the key beside it');
  } catch {
    faults.push(
      der.length === 0 ? 'there is neither a public key nor a certificate' : 'the public key cannot be read',
    );
    return { reasons: [] };
  }
  const by = `key sha256:${createHash('sha256').update(der).digest('hex')}`;
  return { by, kind: 'anonymous', reasons: ['nobody says whose key it is'] };
}

/** As authsign signs: with the key of a domain's TLS certificate, and a timestamp on the signature. */
function byDomain(text: Text, faults: string[]): Found {
  const chain = certificates(text('domainCert'));
  const leaf = chain?.[0];
  if (!chain || !leaf) {
    faults.push('the certificate cannot be read');
    return { reasons: [] };
  }
  const unconfirmed: string[] = [];
  const domain = text('domain');
  if (!verify('sha256', Buffer.from(text('hash')), leaf.publicKey, Buffer.from(text('signature'), 'base64')))
    faults.push("the signature does not fit the domain's certificate");
  if (leaf.checkHost(domain) === undefined) faults.push(`the certificate is not for ${domain}`);
  const created = Date.parse(text('created'));
  if (!(created >= Date.parse(leaf.validFrom) && created <= Date.parse(leaf.validTo)))
    faults.push(`the certificate was not valid at ${text('created') || 'the time it gives'}`);
  if (!isChain(chain)) faults.push("the domain's certificates do not lead from one to the next");
  else if (!leadsTo(chain, webRoots())) unconfirmed.push('no known authority issued the certificate');

  const authority = certificates(text('timestampCert'));
  const stamped = authority?.[0]
    ? checkTimestamp(
        Buffer.from(text('timeSignature'), 'base64'),
        Buffer.from(text('signature')),
        authority[0],
      )
    : "the timestamping authority's certificate cannot be read";
  if (typeof stamped === 'string') faults.push(stamped);
  else if (stamped < created || stamped > created + STAMP_WITHIN)
    faults.push(`it was made at ${text('created')}, but stamped at ${new Date(stamped).toISOString()}`);
  if (authority) {
    const root = authority.at(-1)?.fingerprint256.replaceAll(':', '').toLowerCase() ?? '';
    if (!isChain(authority))
      faults.push("the timestamping authority's certificates do not lead from one to the next");
    else if (!TIMESTAMP_ROOTS.has(root) && !leadsTo(authority, webRoots()))
      unconfirmed.push('the timestamping authority is not a known one');
  }
  return {
    by: domain,
    kind: 'domain',
    ...(typeof stamped === 'number' && { timestamp: new Date(stamped).toISOString() }),
    reasons: unconfirmed,
  };
}

function certificates(pem: string): readonly X509Certificate[] | undefined {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.length === 0 ? undefined : blocks.map((block) => new X509Certificate(block));
  } catch {
    return undefined;
  }
}

function isChain(chain: readonly X509Certificate[]): boolean {
  return chain.every((certificate, i) => {
    const issuer = chain[i + 1];
    return issuer === undefined || (certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey));
  });
}

/** Roots expire, and are cross-signed by others: any certificate of the chain issued by a known root will do. */
function leadsTo(chain: readonly X509Certificate[], roots: readonly X509Certificate[]): boolean {
  return chain.some((certificate) =>
    roots.some((root) => certificate.checkIssued(root) && certificate.verify(root.publicKey)),
  );
}

let known: readonly X509Certificate[] | undefined;
/** Mozilla's list, as shipped with Node. */
function webRoots(): readonly X509Certificate[] {
  known ??= rootCertificates.map((pem) => new X509Certificate(pem));
  return known;
}
