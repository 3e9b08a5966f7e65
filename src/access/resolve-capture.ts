import { type Body, EMPTY_BODY } from '../model/body.ts';
import type { CaptureFact } from '../model/capture.ts';
import { type HeaderList, header, isRedirect } from '../model/exchange.ts';
import type { Millis } from '../model/time.ts';
import type { CaptureCatalog } from '../ports/catalog.ts';
import type { RecordReader, StoredRecord } from '../ports/record-store.ts';
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
  let missing: CaptureResolution | undefined;
  for (const candidate of candidates) {
    const method = posted && candidate !== url ? posted.method : 'GET';
    const fact = await nearest(catalog, candidate, at, (found) => answers(found, method));
    if (!fact) continue;
    const found = await load(catalog, reader, fact);
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

async function nearest(
  catalog: CaptureCatalog,
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
  const original = await catalog.originalOf(fact);
  if (!original) {
    // A redirect or an empty answer needs no payload: its own head says all.
    if (record.http && (isRedirect(record.http.status) || fact.digest.size === 0)) {
      return { kind: 'found', capture: { fact, ...message(fact, record), payload: EMPTY_BODY } };
    }
    return { kind: 'original-missing', fact };
  }
  const source = await reader.read(original);
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
