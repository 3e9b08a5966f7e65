import type { Generated } from 'kysely';
import type { CapturedRecordType, RevisitProfile } from '../model/capture.ts';
import type { ChangedElement } from '../model/change.ts';
import type { CrawlState, EntryKind, VisitOutcome } from '../model/crawl.ts';
import type { OperationName } from '../model/delta.ts';
import type { Truncation } from '../model/exchange.ts';
import type { FaultKind, SkipReason } from '../model/fault.ts';
import type { PatternKind } from '../model/pattern.ts';
import type { VersionFact } from '../model/version.ts';

/**
 * pending → captured | unchanged | dropped | failed   by a settlement
 * pending → skipped                                   by a denial or `skipPending`, of a seed or a second visit
 * pending → (counted in `skips`)                      by the same, of all others: for good
 * (new)   → pending                                   by a discovery
 * captured | unchanged | dropped → (in `folded_entries`)   when the crawl is finished, and back when it goes on
 * (new)   → (counted in `skips`)                      by a skip, until a discovery by another road
 */
export type EntryState = 'pending' | 'captured' | 'unchanged' | 'dropped' | 'failed' | 'skipped';

/** Columns as they stand after the last migration. Times are Millis. */
export interface Tables {
  schema_version: { application: string; version: number };
  owner: {
    one: number;
    id: string;
    name: string;
    opening: string;
    folder: string;
    host: string;
    opened_at: number;
  };
  /** Every URL the archive ever heard of. `surt` is set once it is captured. Rows are never deleted. */
  urls: {
    id: Generated<number>;
    key: string;
    url: string;
    surt: string | null;
    skip_id: Generated<number | null>;
  };
  sites: { id: Generated<number>; key: string; site: string };
  hosts: { id: Generated<number>; key: string; host: string };
  crawls: {
    id: Generated<number>;
    key: string;
    state: CrawlState;
    spec: string;
    started_at: number;
    finished_at: number | null;
    /** Sum over visits, kept up with each commit: a sum over a million rows per progress line is too slow. */
    bytes: number;
    /** FoldedCount[], as JSON: what `folded_entries` holds, in numbers. Null where nothing is folded. */
    folded: string | null;
  };
  /** FoldedEntry[], packed, in the order of URLs: see folded-entries.ts. */
  folded_entries: {
    crawl_id: number;
    part: number;
    first_url_id: number;
    last_url_id: number;
    entries: Uint8Array;
  };
  /** `length` is FORGOTTEN where a file must be indexed, again or to its end: a rebuild or an import of it began. */
  warc_files: { id: Generated<number>; name: string; length: number; crawl_id: number | null };
  captures: CaptureTable;
  pages: {
    url_id: number;
    site_id: number | null;
    title: string;
    /** Title and URL in lower case: what `text` is looked for in. */
    search: string;
    status: number;
    first_at: number;
    last_at: number;
  };
  /** `targets`: see link-targets.ts. */
  links: { from_id: number; targets: string };
  frontier: FrontierTable;
  visits: VisitTable;
  /** URLs that were not fetched, by the rule that says why. `urls.skip_id` is the rule a URL was last skipped by. */
  skips: { id: Generated<number>; crawl_id: number; reason: SkipReason; rule: string; entries: number };
  crawl_notes: { id: Generated<number>; crawl_id: number; note: string };
  /** The first URLs of each rule. `detail` is null where it is the rule. */
  skip_samples: {
    skip_id: number;
    url_id: number;
    via_id: number | null;
    depth: number;
    detail: string | null;
  };
  changes: {
    id: Generated<number>;
    url_id: number;
    site_id: number | null;
    /** The URL of the record it was read from: `urn:delta:…`. Its time is `to_at`. */
    delta_id: number;
    from_at: number;
    to_at: number;
    importance: number;
    /** 1 where not all of the page was seen. */
    partial: Generated<number>;
    /** How many there are. */
    operations: number;
    /** BlockCourse, as JSON. */
    course: string;
  };
  operations: OperationTable;
  versions: VersionTable;
  learnt_sites: {
    site_id: number;
    zone: string;
    holidays: string | null;
    budget: number | null;
    factor: number;
    mark: number;
  };
  /** `shape`: JSON, per slot. */
  pattern_groups: { site_id: number; kind: PatternKind; number: number; pages: number; shape: string };
  page_patterns: PatternTable;
}

/** Visits of pages, by their page info: see VersionFact. */
export interface VersionTable {
  url_id: number;
  seen_at: number;
  site_id: number | null;
  /** The URL of the record it was read from: `urn:pageinfo:…`. Its time is `seen_at`. */
  info_id: number;
  sha256: string;
  size: number;
  look: string | null;
  basis: VersionFact['basis'];
  importance: number;
  indexed: number;
  kept: number;
  reason: VersionFact['reason'];
  threshold: number;
  accumulated: number;
}

export interface PatternTable {
  url_id: number;
  site_id: number;
  kind: PatternKind;
  observations: number;
  changes: number;
  first_at: number;
  last_at: number;
  last_sha256: string;
  last_look: string | null;
  gone_at: number | null;
  /** PatternSums: see stored-sums.ts. */
  sums: string;
  group_number: number;
  threshold: number;
}

export interface OperationTable {
  change_id: number;
  /** 0 for the heaviest. */
  place: number;
  op: OperationName;
  element: ChangedElement;
  block: string;
  weight: number;
  old_text: string | null;
  new_text: string | null;
  old_address: string | null;
  new_address: string | null;
  advertisement: number;
  /** Texts and addresses in lower case: what words are looked for in. */
  search: string;
}

/**
 * What a revisit has in common with its original (`original_id`) is null here and stands there: mime, digests, size, what it
 * refers to, the profile `identical-payload-digest`; validators too, where '' says that it has none.
 */
export interface CaptureTable {
  id: Generated<number>;
  url_id: number;
  site_id: number | null;
  taken_at: number;
  type: CapturedRecordType;
  /** See stored-ids.ts; unique. */
  record: Uint8Array;
  /** Where it is no UUID. */
  record_id: string | null;
  file_id: number;
  file_offset: number;
  file_length: number;
  method: string;
  status: number;
  event: Uint8Array | null;
  original_id: number | null;
  /** Set when the visit found this version of the page again: then neither `versions` nor its page info have a row of it. */
  version_at: number | null;
  /** Bytes of the event that follow, up to the end of that page info. */
  rest: number | null;
  mime: string | null;
  sha256: string | null;
  sha1: string | null;
  size: number | null;
  truncated: Truncation | null;
  refers_to_id: number | null;
  refers_to_at: number | null;
  profile: RevisitProfile | null;
  etag: string | null;
  last_modified: string | null;
  request_body: string | null;
}

export interface FrontierTable {
  id: Generated<number>;
  crawl_id: number;
  url_id: number;
  host_id: number | null;
  kind: EntryKind;
  state: EntryState;
  /** The skip reason of a skipped entry, the fault kind of a failed one. */
  why: SkipReason | FaultKind | null;
  detail: string | null;
  depth: number;
  extra_hops: number;
  redirects: number;
  rank: number;
  reason: string;
  attempts: number;
  is_seed: number;
  via_id: number | null;
  not_before: number;
  /** 0: the visit of a URL; 1: the revisit of a page. */
  pass: Generated<number>;
  /** Changes per second; of pages. */
  rate: number | null;
}

export interface VisitTable {
  id: Generated<number>;
  crawl_id: number;
  url_id: number;
  made_at: number;
  duration: number;
  reason: string;
  outcome: VisitOutcome;
  status: number | null;
  bytes: number;
  fault_kind: FaultKind | null;
  fault_detail: string | null;
  event: Uint8Array | null;
  /** As in the frontier. */
  pass: Generated<number>;
}

/** Lengths no file has: it must be indexed; it is lost, and is indexed when it comes back. */
export const FORGOTTEN = -1;
export const LOST = -2;

/** Characters of a SURT key that are indexed. 200 × 4 bytes stay below PostgreSQL's 2,704. */
export const SURT_HEAD = 200;
