import { type Body, EMPTY_BODY } from '../model/body.ts';
import type { CaptureFact } from '../model/capture.ts';
import { type HeaderList, header, isRedirect } from '../model/exchange.ts';
import { surt } from '../model/surt.ts';
import type { Millis } from '../model/time.ts';
import type { CaptureCatalog } from '../ports/catalog.ts';
import { DamagedRecord, type RecordReader, type StoredRecord } from '../ports/record-store.ts';
import { postedUrl, sameButForVariant, urlVariants } from './url-variants.ts';

/** A capture ready to be shown. Whoever gets it releases the payload. */
export interface ResolvedCapture {
  /** The capture that was asked for: its URL and time are what the visitor sees. */
  readonly fact: CaptureFact;
  readonly status: number;
  readonly headers: HeaderList;
  /** Content coding kept, transfer coding removed. */
  readonly payload: Body;
  /** The capture that holds the payload, when `fact` is a revisit. */
  readonly original?: CaptureFact;
  /** A nearer capture whose record cannot be read: this one stands in its place. */
  readonly standsFor?: CaptureFact;
}

export type CaptureResolution =
  | { readonly kind: 'found'; readonly capture: ResolvedCapture }
  | { readonly kind: 'not-archived'; readonly url: string }
  /** A revisit whose original is not in this archive: a WARC file is missing. */
  | { readonly kind: 'original-missing'; readonly fact: CaptureFact };

export interface CaptureResolver {
  resolve(url: string, at: Millis): Promise<CaptureResolution>;
}

export function captureResolver(
  catalog: CaptureCatalog,
  reader: Pick<RecordReader, 'read'>,
): CaptureResolver {
  return { resolve: (url, at) => resolve(catalog, reader, url, at) };
}

async function resolve(
  catalog: CaptureCatalog,
  reader: Pick<RecordReader, 'read'>,
  url: string,
  at: Millis,
): Promise<CaptureResolution> {
  const posted = postedUrl(url);
  // Captures index a POST under the posted URL, or under wabac's own spelling where a foreign tool wrote it.
  const candidates = posted ? [url, ...urlVariants(posted.url)] : urlVariants(url);
  const lookup = withoutVain(catalog);
  let missing: CaptureResolution | undefined;
  for (const candidate of candidates) {
    const method = posted && candidate !== url ? posted.method : 'GET';
    const fact = await nearest(lookup, candidate, at, (found) => answers(found, method));
    if (!fact) continue;
    const found = await loadOrNext(catalog, reader, { fact, at, candidate, method });
    if (found.kind === 'found' && leadsBack(found.capture, url)) {
      await found.capture.payload.release();
      // A page that sets a cookie and redirects to itself, or http → https where only http was kept: showing
      // the redirect would loop for ever.
      const other = await nearest(
        catalog,
        candidate,
        at,
        (one) => answers(one, method) && !isRedirect(one.status) && one.recordId !== fact.recordId,
      );
      if (!other) continue;
      return load(catalog, reader, other);
    }
    if (found.kind === 'found') return found;
    missing ??= found;
  }
  return missing ?? { kind: 'not-archived', url };
}

function answers(fact: CaptureFact, method: string): boolean {
  return method === 'GET' ? fact.method === 'GET' || fact.method === '' : fact.method === method;
}

type CaptureLookup = Pick<CaptureCatalog, 'closest' | 'captures'>;

/** Where nothing is found of a URL, nothing is of its other spellings with the same SURT key, most of which have it. */
function withoutVain(catalog: CaptureLookup): CaptureLookup {
  const vain = new Set<string>();
  return {
    captures: (query) => catalog.captures(query),
    async closest(url, at) {
      const key = surt(url);
      if (vain.has(key)) return undefined;
      const found = await catalog.closest(url, at);
      if (!found) vain.add(key);
      return found;
    },
  };
}

async function nearest(
  catalog: CaptureLookup,
  url: string,
  at: Millis,
  accept: (fact: CaptureFact) => boolean,
): Promise<CaptureFact | undefined> {
  const closest = await catalog.closest(url, at);
  if (!closest || accept(closest)) return closest;
  // Rare: the whole history of one URL is walked only when its closest capture will not do.
  let best: CaptureFact | undefined;
  for await (const fact of catalog.captures({ url })) {
    if (accept(fact) && (!best || Math.abs(fact.at - at) < Math.abs(best.at - at))) best = fact;
  }
  return best;
}

/** Records of one URL that are tried in the place of a damaged one. */
const STAND_INS = 8;

interface WantedCapture {
  readonly fact: CaptureFact;
  readonly at: Millis;
  readonly candidate: string;
  readonly method: string;
}

/**
 * A damaged record is treated as one that is not there, as `reindex` would have it: the same bytes from elsewhere first, then the
 * nearest other capture. Where none can be read the damage is what is told.
 */
async function loadOrNext(
  catalog: CaptureCatalog,
  reader: Pick<RecordReader, 'read'>,
  { fact, at, candidate, method }: WantedCapture,
): Promise<CaptureResolution> {
  try {
    return await load(catalog, reader, fact);
  } catch (damage) {
    if (!(damage instanceof DamagedRecord)) throw damage;
    const others: CaptureFact[] = [];
    for await (const one of catalog.captures({ url: candidate }))
      if (one.recordId !== fact.recordId && answers(one, method)) others.push(one);
    const rank = (one: CaptureFact): number =>
      Math.abs(one.at - at) + (hasBytesOf(one, fact) ? 0 : Number.MAX_SAFE_INTEGER / 2);
    others.sort((a, b) => rank(a) - rank(b));
    for (const other of others.slice(0, STAND_INS)) {
      try {
        const found = await load(catalog, reader, other);
        if (found.kind === 'found') return { kind: 'found', capture: { ...found.capture, standsFor: fact } };
      } catch (error) {
        if (!(error instanceof DamagedRecord)) throw error;
      }
    }
    throw damage;
  }
}

/** Other bytes than the damaged record held: what was there at another time. */
export const isOtherVersion = ({ fact, standsFor }: ResolvedCapture): boolean =>
  standsFor !== undefined && !hasBytesOf(fact, standsFor);

/**
 * Other bytes, of a time before the damaged record: no version that was seen then, and nothing that was asked for in its place. What
 * `check --mend` asked for came later.
 */
export const isOlderStandIn = (capture: ResolvedCapture): boolean =>
  isOtherVersion(capture) && capture.fact.at < (capture.standsFor?.at ?? 0);

const hasBytesOf = (one: CaptureFact, other: CaptureFact): boolean =>
  one.digest.sha256 !== '' && one.digest.sha256 === other.digest.sha256;

async function load(
  catalog: CaptureCatalog,
  reader: Pick<RecordReader, 'read'>,
  fact: CaptureFact,
): Promise<CaptureResolution> {
  const record = await reader.read(fact);
  if (fact.type !== 'revisit') {
    return { kind: 'found', capture: { fact, ...message(fact, record), payload: record.payload } };
  }
  await record.payload.release();
  const found = await readableOriginal(catalog, reader, fact);
  if (!found) {
    // A redirect or an empty answer needs no payload: its own head says all.
    if (record.http && (isRedirect(record.http.status) || fact.digest.size === 0)) {
      return { kind: 'found', capture: { fact, ...message(fact, record), payload: EMPTY_BODY } };
    }
    return { kind: 'original-missing', fact };
  }
  const { original, source } = found;
  // 304 says "as before": the answer of before is what the visitor would have seen. Some revisit records
  // hold no HTTP head at all; the original's stands in.
  const own = record.http !== undefined && record.http.status !== 304;
  return {
    kind: 'found',
    capture: {
      fact,
      ...(own ? message(fact, record) : message(original, source)),
      payload: source.payload,
      original,
    },
  };
}

/** Where the earliest of the records with the payload is damaged, the next. */
async function readableOriginal(
  catalog: CaptureCatalog,
  reader: Pick<RecordReader, 'read'>,
  fact: CaptureFact,
): Promise<{ readonly original: CaptureFact; readonly source: StoredRecord } | undefined> {
  let damage: DamagedRecord | undefined;
  const damaged: string[] = [];
  while (damaged.length < STAND_INS) {
    const original = await catalog.originalOf(fact, damaged);
    if (!original) break;
    try {
      return { original, source: await reader.read(original) };
    } catch (error) {
      if (!(error instanceof DamagedRecord)) throw error;
      damage ??= error;
      damaged.push(original.recordId);
    }
  }
  if (damage) throw damage;
  return undefined;
}

function message(fact: CaptureFact, record: StoredRecord): { status: number; headers: HeaderList } {
  if (record.http) return { status: record.http.status, headers: record.http.headers };
  return { status: 200, headers: fact.mime ? [['Content-Type', fact.mime]] : [] };
}

/** The absolute target of a redirect; undefined where it names none that can be read. */
export function redirectTarget(capture: ResolvedCapture): string | undefined {
  if (!isRedirect(capture.status)) return undefined;
  const location = header(capture.headers, 'location');
  if (location === undefined || !URL.canParse(location, capture.fact.url)) return undefined;
  return new URL(location, capture.fact.url).href;
}

function leadsBack(capture: ResolvedCapture, url: string): boolean {
  const target = redirectTarget(capture);
  if (target === undefined) return false;
  // The exact capture of http://x/ may well redirect to https://x/: that is a loop only when the capture was
  // reached by asking for its target.
  return target.split('#', 1)[0] === url || (capture.fact.url !== url && sameButForVariant(url, target));
}
