import type { Body } from './body.ts';
import type { Exchange, Truncation } from './exchange.ts';
import type { LostRequest } from './lost-request.ts';
import type { PerimeterStanding } from './perimeter.ts';
import type { Millis } from './time.ts';
import type { VersionFact } from './version.ts';

/** Digest of an entity body after transfer decoding (chunks joined), before content decoding. */
export interface PayloadDigest {
  /** Lower-case hex. The archive's own identity of a payload; '' for a foreign revisit that does not give it. */
  readonly sha256: string;
  /** Base32 in upper case, as other web-archiving tools write it. */
  readonly sha1: string;
  readonly size: number;
}

/** A capture that holds a payload in full: what a revisit record refers to. */
export interface PayloadOriginal {
  readonly url: string;
  readonly at: Millis;
  readonly recordId: string;
  readonly sha256: string;
  readonly sha1: string;
}

/** Why an exchange is stored without its payload. */
export type RevisitProfile = 'identical-payload-digest' | 'server-not-modified';

export interface ExchangeToStore {
  readonly exchange: Exchange;
  readonly digest: PayloadDigest;
  readonly revisit?: { readonly profile: RevisitProfile; readonly original: PayloadOriginal };
}

/** A derived record: `urn:view:`, `urn:thumbnail:`, `urn:fullPage:`, `urn:text:`, `urn:pageinfo:` + page URL. */
export interface DerivedRecord {
  readonly uri: string;
  readonly contentType: string;
  readonly body: Body;
  /** Type of its record; `resource` unless given. */
  readonly as?: 'metadata';
}

/**
 * One capture event: everything one visit captured. It is appended, and committed to the catalog, as a whole: a crash
 * loses the current event or nothing.
 */
export interface CaptureEvent {
  /** UUID; `WARC-Page-ID` on each of its records. */
  readonly id: string;
  /** The visited URL. */
  readonly url: string;
  readonly at: Millis;
  /** The main exchange first. */
  readonly exchanges: readonly ExchangeToStore[];
  readonly derived: readonly DerivedRecord[];
}

/** A capture event before it is known which of its payloads the archive already holds. */
export interface EventDraft extends Omit<CaptureEvent, 'exchanges'> {
  /** The main exchange first. */
  readonly exchanges: readonly Exchange[];
  /** The original of the main exchange, when the server answered 304. */
  readonly notModified?: PayloadOriginal;
}

export interface RecordPosition {
  /** File name, without folder. */
  readonly file: string;
  readonly offset: number;
  /** Bytes of the gzip member. */
  readonly length: number;
}

/** `metadata`: certificates only; other tools' metadata records describe a page and are not indexed. */
export type CapturedRecordType = 'response' | 'revisit' | 'resource' | 'metadata';

/** What the index knows of one stored record: exactly what a CDXJ line and a row of the catalog hold. */
export interface CaptureFact extends RecordPosition {
  readonly url: string;
  readonly at: Millis;
  readonly type: CapturedRecordType;
  readonly recordId: string;
  readonly method: string;
  readonly status: number;
  /** Media type of the payload (for a revisit: of the original where known). */
  readonly mime: string;
  readonly digest: PayloadDigest;
  readonly eventId?: string;
  readonly truncated?: Truncation;
  /** Set on revisits. */
  readonly refersTo?: { readonly url: string; readonly at: Millis; readonly profile: RevisitProfile };
  /** Validators for the next conditional request. */
  readonly etag?: string;
  readonly lastModified?: string;
  /** The part of a non-GET request that goes into index keys: its body as a query, keyed as pywb and wabac.js do. */
  readonly requestBody?: string;
}

/** What people count as a capture: a web server's answer. The other records describe one, or a crawl. */
export const isWebCapture = ({ type, url }: Pick<CaptureFact, 'type' | 'url'>): boolean =>
  (type === 'response' || type === 'revisit') && /^https?:/i.test(url);

/** Validators of the last full capture of a URL. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
  readonly original: PayloadOriginal;
}

/** Content of the `urn:pageinfo:` record, the closing record of every page event. */
export interface PageInfo {
  readonly url: string;
  /** Where redirects and scripts led. */
  readonly finalUrl: string;
  readonly title: string;
  readonly status: number;
  readonly mime: string;
  readonly at: Millis;
  readonly depth: number;
  readonly reason: string;
  readonly links: readonly string[];
  /** Every URL the page loaded, with what came of it. */
  readonly resources: Readonly<Record<string, { status: number; mime: string; type: string }>>;
  /** What the page requested in the browser and did not get, or not all of; absent when nothing was lost. */
  readonly lost?: readonly LostRequest[];
  /** The capture whose archived layout applies to this one: itself, or an earlier one that looked the same. */
  readonly layoutAt?: Millis;
  /** What was found and decided about this version; absent where the page was not there, and on a second visit. */
  readonly version?: VersionFact;
  /** Its records were removed later, to save space: when, how many bytes that freed, and why this version. */
  readonly dropped?: { readonly at: Millis; readonly bytes: number; readonly why: string };
  /** How it stands to the crawl's perimeter; absent where there was none. */
  readonly perimeter?: PerimeterStanding;
  /** What went wrong on the way, although the page was captured: timeouts, blocked requests, dialogs. */
  readonly facts: readonly string[];
}
