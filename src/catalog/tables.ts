import type { AlertKind, DeliveryState } from '../model/alert.ts';
import type { CapturedRecordType, RevisitProfile } from '../model/capture.ts';
import type { ChangedElement } from '../model/change.ts';
import type { CrawlState, EntryKind, VisitOutcome } from '../model/crawl.ts';
import type { OperationName } from '../model/delta.ts';
import type { Truncation } from '../model/exchange.ts';
import type { FaultKind, SkipReason } from '../model/fault.ts';
import type { InferenceReason, InferenceState } from '../model/inference.ts';
import type { PatternKind } from '../model/pattern.ts';
import type { VersionFact, Weighing } from '../model/version.ts';
import type { AskedState, HandedState } from '../model/worker.ts';
import { bytes, type Column, id, int, nullable, real, table, text, textOf } from './columns.ts';

/**
 * pending → captured | unchanged | dropped | failed   by a settlement
 * pending → skipped                                   by a denial or `skipPending`, of a seed or a second visit
 * pending → (counted in `skips`)                      by the same, of all others: for good
 * (new)   → pending                                   by a discovery
 * captured | unchanged | dropped → (in `folded_entries`)   when the crawl is finished, and back when it goes on
 * (new)   → (counted in `skips`)                      by a skip, until a discovery by another road
 * pending → (in `inferred_directories`)               where its directory is taken for unchanged
 */
type EntryState = 'pending' | 'captured' | 'unchanged' | 'dropped' | 'failed' | 'skipped';

/**
 * Grows with each change of the tables below. A catalog of OLDEST_SCHEMA or later only lacks tables and indexes, which are made
 * when it is opened for writing; a change of columns raises OLDEST_SCHEMA too, and older catalogs are rebuilt by `reindex`.
 */
export const SCHEMA_VERSION = 28;
export const OLDEST_SCHEMA = 12;

/** Characters of a SURT key that are indexed. 200 × 4 bytes stay below PostgreSQL's 2,704, as does all else that is. */
export const SURT_HEAD = 200;

/** State of a crawl that is not whole yet. */
export const RESTORING = 'restoring';

/** Times are Millis, yes and no 1 and 0. */
export const TABLES = {
  schema_version: table({ application: text, version: int }),
  /** Whom the catalog belongs to: one row, or none in a new one. */
  owner: table(
    { one: int, id: text, name: text, opening: text, folder: text, host: text, opened_at: int },
    { keys: ['primary key (one)', 'check (one = 1)'] },
  ),

  /** Every URL the archive ever heard of. `surt` is set once it is captured. Rows are never deleted. */
  urls: table(
    { id, key: text, url: text, surt: nullable(text), skip_id: nullable(int) },
    {
      keys: ['unique (key)'],
      // Only captured URLs are in the order of CDXJ; those only heard of stay out of the index.
      indexes: { urls_by_surt: `(substr(surt, 1, ${SURT_HEAD})) where surt is not null` },
    },
  ),
  sites: table({ id, key: text, site: text }, { keys: ['unique (key)'] }),
  hosts: table({ id, key: text, host: text }, { keys: ['unique (key)'] }),
  /** The rules that `site_id` follows everywhere, as JSON: one row, or none where each host is a site. */
  site_rules: table({ one: int, rules: text }, { keys: ['primary key (one)', 'check (one = 1)'] }),

  crawls: table(
    {
      id,
      key: text,
      /** `restoring`: its log is being read, or that was interrupted; no query lists it. */
      state: textOf<CrawlState | typeof RESTORING>(),
      spec: text,
      started_at: int,
      finished_at: nullable(int),
      /** Sum over visits, kept up with each commit: a sum over a million rows per progress line is too slow. */
      bytes: int,
      /** FoldedCount[], as JSON: what `folded_entries` holds, in numbers. Null where nothing is folded. */
      folded: nullable(text),
    },
    { indexes: { crawls_by_key: '(key, started_at)' } },
  ),
  /** FoldedEntry[], packed, in the order of URLs: see folded-entries.ts. */
  folded_entries: table(
    { crawl_id: int, part: int, first_url_id: int, last_url_id: int, entries: bytes },
    { keys: ['primary key (crawl_id, part)'], isClustered: true },
  ),
  /** What a crawl has to tell that belongs to no page. */
  crawl_notes: table({ id, crawl_id: int, note: text }, { keys: ['unique (crawl_id, note)'] }),
  /** `length` is FORGOTTEN where a file must be indexed, again or to its end: a rebuild or an import of it began. */
  warc_files: table({ id, name: text, length: int, crawl_id: nullable(int) }, { keys: ['unique (name)'] }),
  /** Files whose records stand in another one now: they are still there for a while, for who reads them already. */
  replaced_files: table({ name: text, replaced_at: int }, { keys: ['primary key (name)'] }),

  /**
   * What a revisit has in common with its original (`original_id`) is null here and stands there: mime, digests, size, what it
   * refers to, the profile `identical-payload-digest`; validators too, where '' says that it has none.
   */
  captures: table(
    {
      id,
      url_id: int,
      site_id: nullable(int),
      taken_at: int,
      type: textOf<CapturedRecordType>(),
      /** See stored-ids.ts. */
      record: bytes,
      /** Where it is no UUID. */
      record_id: nullable(text),
      file_id: int,
      file_offset: int,
      file_length: int,
      method: text,
      status: int,
      event: nullable(bytes),
      original_id: nullable(int),
      /** Set when the visit found this version of the page again: then neither `versions` nor its page info have a row of it. */
      version_at: nullable(int),
      /** Bytes of the event that follow, up to the end of that page info. */
      rest: nullable(int),
      mime: nullable(text),
      sha256: nullable(text),
      sha1: nullable(text),
      size: nullable(int),
      truncated: nullable(textOf<Truncation>()),
      refers_to_id: nullable(int),
      refers_to_at: nullable(int),
      profile: nullable(textOf<RevisitProfile>()),
      etag: nullable(text),
      last_modified: nullable(text),
      request_body: nullable(text),
    },
    {
      keys: ['unique (record)', 'unique (file_id, file_offset)'],
      indexes: {
        captures_by_url: '(url_id, taken_at)',
        captures_by_site: '(site_id, taken_at)',
        // Revisits are never originals, so they need no way to be found by digest. 40 bits of it tell payloads
        // apart well enough, the whole digest decides, and short keys keep more of the index in the cache.
        captures_by_sha256: `(substr(sha256, 1, 10), taken_at) where type <> 'revisit'`,
        captures_by_sha1: `(substr(sha1, 1, 8), taken_at) where type <> 'revisit'`,
      },
    },
  ),
  pages: table(
    {
      url_id: int,
      site_id: nullable(int),
      title: text,
      /** Title and URL in lower case: what `text` is looked for in. */
      search: text,
      status: int,
      first_at: int,
      last_at: int,
    },
    { keys: ['primary key (url_id)'], indexes: { pages_by_site: '(site_id)' } },
  ),
  /** All targets in one text: see link-targets.ts. A question by target reads the whole table. */
  links: table({ from_id: int, targets: text }, { keys: ['primary key (from_id)'] }),
  /** Where a URL led when it was last seen to redirect. A page that was read later leads nowhere. */
  redirects: table({ from_id: int, to_id: int, seen_at: int }, { keys: ['primary key (from_id)'] }),
  /** The two numbers of on-line importance, of 64 URLs a row: see ports/importance-ledger.ts. */
  importance_parts: table({ part: int, pages: bytes }, { keys: ['primary key (part)'] }),
  /** Words of the last version of each page: see words.ts. `stems` is null where there is no dictionary of its language. */
  page_words: table(
    {
      url_id: int,
      read_at: int,
      sha256: text,
      language: nullable(text),
      document_bytes: int,
      word_bytes: nullable(int),
      stems: nullable(bytes),
    },
    { keys: ['primary key (url_id)'] },
  ),
  importance_totals: table(
    { name: textOf<'totals' | 'releases' | 'settled_to' | 'settled_visits'>(), value: text },
    { keys: ['primary key (name)'] },
  ),

  frontier: table(
    {
      id,
      crawl_id: int,
      url_id: int,
      host_id: nullable(int),
      kind: textOf<EntryKind>(),
      state: textOf<EntryState>(),
      /** The skip reason of a skipped entry, the fault kind of a failed one. */
      why: nullable(textOf<SkipReason | FaultKind>()),
      detail: nullable(text),
      depth: int,
      extra_hops: int,
      redirects: int,
      rank: real,
      reason: text,
      attempts: int,
      is_seed: int,
      via_id: nullable(int),
      not_before: int,
      /** 0: the visit of a URL; 1: the revisit of a page. */
      pass: int,
      /** Changes per second; of pages. */
      rate: nullable(real),
    },
    {
      keys: ['unique (crawl_id, url_id, pass)'],
      indexes: {
        // Serves the lowest rank of a host, and stays as small as what is left to do.
        frontier_pending: `(crawl_id, host_id, rank, id) where state = 'pending'`,
        frontier_by_state: '(crawl_id, kind, state, why)',
        // In the order it grew: sorting what is left for each page of the log took 0.13 s per 500 rows at 211,000.
        frontier_by_crawl: '(crawl_id, id)',
      },
      keepsIds: true,
    },
  ),
  visits: table(
    {
      id,
      crawl_id: int,
      url_id: int,
      made_at: int,
      duration: int,
      reason: text,
      outcome: textOf<VisitOutcome>(),
      status: nullable(int),
      bytes: int,
      fault_kind: nullable(textOf<FaultKind>()),
      fault_detail: nullable(text),
      event: nullable(bytes),
      /** As in the frontier. */
      pass: int,
    },
    {
      keys: ['unique (url_id, made_at, outcome, crawl_id)'],
      indexes: { visits_by_crawl: '(crawl_id, outcome, id)' },
      // Rows go when their crawl is folded: whoever has read up to a number must not meet it again on another visit.
      keepsIds: true,
    },
  ),
  /**
   * URLs that were not fetched, by the rule that says why: a row per link and crawl was most of what a crawl of an unchanged
   * site added. `urls.skip_id` is the rule a URL was last skipped by, so that it counts once per crawl.
   */
  skips: table(
    { id, crawl_id: int, reason: textOf<SkipReason>(), rule: text, entries: int },
    { keys: ['unique (crawl_id, reason, rule)'] },
  ),
  /** The first URLs of each rule. `detail` is null where it is the rule. */
  skip_samples: table(
    { skip_id: int, url_id: int, via_id: nullable(int), depth: int, detail: nullable(text) },
    { keys: ['primary key (skip_id, url_id)'], isClustered: true },
  ),

  /**
   * Directories that crawls took for unchanged. Their pages are one text of ids, see link-targets.ts: a row per page and crawl
   * would cost as much as a visit that saw nothing new.
   */
  inferred_directories: table(
    {
      id,
      crawl_id: int,
      site_id: int,
      /** Of the directory, whose path may be too long for an index. */
      key: text,
      directory: text,
      reason: textOf<InferenceReason>(),
      rule: text,
      /** JSON. */
      assumes: nullable(text),
      expected_missed: real,
      confidence: real,
      last_seen: int,
      state: textOf<InferenceState>(),
      urls: text,
    },
    { keys: ['unique (crawl_id, site_id, key)'], indexes: { inferred_by_site: '(site_id)' } },
  ),

  /** Directories whose pages a crawl left to the records of another archive, which it does not hold itself. */
  virtual_directories: table(
    {
      id,
      crawl_id: int,
      site_id: int,
      /** Of the directory, its host and the archive that holds its pages. */
      key: text,
      directory: text,
      reason: textOf<InferenceReason>(),
      rule: text,
      expected_missed: real,
      held_by: text,
      urls: text,
    },
    { keys: ['unique (crawl_id, site_id, key)'], indexes: { virtual_by_site: '(site_id)' } },
  ),
  /** Pages as histories of other archives tell of them. `documents`: DeltaDocument[], packed, oldest first. */
  imported_pages: table(
    { url_id: int, site_id: int, documents: bytes },
    { keys: ['primary key (url_id)'], indexes: { imported_by_site: '(site_id, url_id)' }, isClustered: true },
  ),
  /** `crawls`, `mirrors`: JSON, see SiteHistory. */
  imported_sites: table({ site_id: int, crawls: text, mirrors: text }, { keys: ['primary key (site_id)'] }),
  /**
   * How URLs stand to perimeters: pages as they were read (from their page infos), and suspects (from the logs of crawls).
   * `facts` is JSON: what speaks for and against it.
   */
  perimeter_urls: table(
    {
      perimeter: text,
      url_id: int,
      is_read: int,
      inside: int,
      chance: real,
      own: real,
      hops: int,
      facts: text,
      judged_at: int,
    },
    {
      keys: ['primary key (perimeter, url_id)'],
      indexes: { perimeter_by_chance: '(perimeter, is_read, chance)' },
      isClustered: true,
    },
  ),

  /** What changed on pages, from their `urn:delta:` records. */
  changes: table(
    {
      id,
      url_id: int,
      site_id: nullable(int),
      /** The URL of the record it was read from. Its time is `to_at`. */
      delta_id: int,
      from_at: int,
      to_at: int,
      importance: real,
      /** 1 where not all of the page was seen. */
      partial: int,
      /** How many there are. */
      operations: int,
      /** BlockCourse, as JSON. */
      course: text,
    },
    {
      keys: ['unique (url_id, to_at)'],
      indexes: {
        changes_by_importance: '(importance)',
        changes_by_time: '(to_at)',
        changes_by_site: '(site_id, importance)',
      },
    },
  ),
  operations: table(
    {
      change_id: int,
      /** 0 for the most salient, where that is known, or the heaviest: the first few are found without sorting. */
      place: int,
      op: textOf<OperationName>(),
      element: textOf<ChangedElement>(),
      block: text,
      weight: real,
      old_text: nullable(text),
      new_text: nullable(text),
      old_address: nullable(text),
      new_address: nullable(text),
      advertisement: int,
      /** Texts and addresses in lower case: what words are looked for in. */
      search: text,
    },
    { keys: ['primary key (change_id, place)'] },
  ),
  /**
   * What is looked for in changes, a narrow row for each: an operation is read only where this says that it may be there. `kinds`:
   * ` insert/link update/text `, by operation and element. `words`: each word of its operations once, as they stand in `search`.
   */
  change_words: table({ change_id: int, kinds: text, words: text }, { keys: ['primary key (change_id)'] }),
  /** Captures that were analysed later than they were made, as their newest `urn:analysis:` record tells: see VersionAnalysis. */
  analyses: table(
    {
      url_id: int,
      seen_at: int,
      /** The URL of that record. Its time is `seen_at`. */
      info_id: int,
      /** Its event: records of the same capture and kind that belong to another one are not listed. */
      event: bytes,
      made_at: int,
      analyser: text,
      layout_at: nullable(int),
      compared_at: nullable(int),
      recut: int,
      /** 1 where its event holds a snapshot. */
      snapshot: int,
      /** JSON. */
      facts: text,
    },
    {
      keys: ['primary key (url_id, seen_at)'],
      indexes: { analyses_by_info: '(info_id, seen_at)' },
      isClustered: true,
    },
  ),
  /** Of changes whose delta says how salient they are; those from before have no row. */
  saliences: table(
    {
      change_id: int,
      salience: real,
      /** In a sentence. */
      why: text,
      /** Of each operation by its place, as JSON. */
      operations: text,
    },
    { keys: ['primary key (change_id)'], indexes: { changes_by_salience: '(salience)' }, isClustered: true },
  ),
  /** What was found and decided at each visit of a page: see VersionFact. */
  versions: table(
    {
      url_id: int,
      seen_at: int,
      site_id: nullable(int),
      /** The URL of the record it was read from: `urn:pageinfo:…`. Its time is `seen_at`. */
      info_id: int,
      sha256: text,
      size: int,
      look: nullable(text),
      basis: textOf<VersionFact['basis']>(),
      importance: real,
      indexed: int,
      kept: int,
      reason: textOf<VersionFact['reason']>(),
      threshold: real,
      accumulated: real,
    },
    {
      keys: ['primary key (url_id, seen_at)'],
      indexes: { versions_by_info: '(info_id, seen_at)', versions_by_site: '(site_id, seen_at)' },
      isClustered: true,
    },
  ),
  learnt_sites: table(
    { site_id: int, zone: text, holidays: nullable(text), budget: nullable(int), factor: real, mark: int },
    { keys: ['primary key (site_id)'] },
  ),
  /** Of sites whose patterns are learnt from another number than importance. */
  learnt_weighings: table({ site_id: int, weigh: textOf<Weighing>() }, { keys: ['primary key (site_id)'] }),
  /** `shape`: JSON, per slot. */
  pattern_groups: table(
    { site_id: int, kind: textOf<PatternKind>(), number: int, pages: int, shape: text },
    { keys: ['primary key (site_id, kind, number)'], isClustered: true },
  ),
  page_patterns: table(
    {
      url_id: int,
      site_id: int,
      kind: textOf<PatternKind>(),
      observations: int,
      changes: int,
      first_at: int,
      last_at: int,
      last_sha256: text,
      last_look: nullable(text),
      gone_at: nullable(int),
      /** PatternSums: see stored-sums.ts. */
      sums: text,
      group_number: int,
      threshold: real,
    },
    { keys: ['primary key (url_id)'], indexes: { page_patterns_by_site: '(site_id, url_id)' } },
  ),
  /** SteadyPage[], packed, in the order of URLs; of a site, from this URL to the first of the next row: see steady-pages.ts. */
  steady_pages: table(
    { site_id: int, first_url_id: int, pages: bytes },
    { keys: ['primary key (site_id, first_url_id)'], isClustered: true },
  ),

  /** What rules tell of: see Alert. Written with the visit that caused it. */
  alerts: table(
    {
      id,
      /** Alert.id. */
      key: text,
      rule: text,
      url: text,
      kind: textOf<AlertKind>(),
      from_at: nullable(int),
      to_at: int,
      made_at: int,
      importance: nullable(real),
      salience: nullable(real),
      summary: text,
      /** ChangeOperation[], as JSON. */
      operations: text,
      /** Key of the message that carries it; null while it waits. */
      message: nullable(text),
    },
    {
      keys: ['unique (key)'],
      indexes: {
        alerts_waiting: '(rule, id) where message is null',
        alerts_by_message: '(message) where message is not null',
      },
      keepsIds: true,
    },
  ),
  alert_messages: table(
    { key: text, rule: text, made_at: int },
    {
      keys: ['primary key (key)'],
      indexes: { alert_messages_by_rule: '(rule, made_at)' },
      isClustered: true,
    },
  ),
  /** A message over one channel: see Delivery. */
  deliveries: table(
    {
      message: text,
      channel: text,
      state: textOf<DeliveryState>(),
      tries: int,
      next_try: int,
      first_try: nullable(int),
      done_at: nullable(int),
      last_error: nullable(text),
    },
    {
      keys: ['primary key (message, channel)'],
      indexes: { deliveries_waiting: `(next_try) where state = 'waiting'` },
      isClustered: true,
    },
  ),

  /** Processes that write beside one another: see WorkerFact. A row that is gone is a worker that may not commit. */
  workers: table(
    {
      id,
      machine: text,
      process: int,
      version: text,
      /** JSON, as `doing`. */
      roles: text,
      since: int,
      beat_at: int,
      beats: int,
      doing: text,
      settled: int,
      rate: real,
      connection: text,
      /** JSON: names under which it holds jobs. */
      pool: nullable(text),
    },
    { keepsIds: true },
  ),
  /** The last transaction of each connection that writes: see CommitMark. `writer` is `connection` of `workers`. */
  writer_marks: table(
    { writer: text, process: int, mark: int },
    { keys: ['primary key (writer, process)'], isClustered: true },
  ),
  /** Milliseconds without a sign of life after which the workers of an archive are replaced, as each of them was told. */
  worker_silences: table({ worker_id: int, silence: int }, { keys: ['primary key (worker_id)'] }),
  /** Hosts that workers asked. `worker_id` is of the one that may ask it now; a worker that is gone holds none. */
  host_leases: table(
    { host: text, worker_id: nullable(int), ready_at: int },
    { keys: ['primary key (host)'], indexes: { leases_by_worker: '(worker_id)' }, isClustered: true },
  ),
  /** Pages whose last versions a crawl has left to be analysed. `site_id` says with which others that is done. */
  waiting_analyses: table(
    { url_id: int, site_id: nullable(int), times: int },
    { keys: ['primary key (url_id)'], indexes: { waiting_by_site: '(site_id, url_id)' }, isClustered: true },
  ),
  /** Crawls that are left to workers: see HandedCrawl. */
  handed_crawls: table(
    {
      crawl_id: int,
      batch: text,
      queue: text,
      state: textOf<HandedState>(),
      worker_id: nullable(int),
      ran: int,
      pieces: int,
      settled: int,
      waiting: int,
      bytes: int,
      error: nullable(text),
    },
    { keys: ['primary key (crawl_id)'], indexes: { handed_by_batch: '(batch)', handed_by_state: '(state)' } },
  ),
  /** CrawlBrief, as JSON. */
  handed_briefs: table({ crawl_id: int, brief: text }, { keys: ['primary key (crawl_id)'] }),
  /** VisitLesson, as JSON, until the watch has learnt from it; ids grow in the order of commits. */
  unlearnt_visits: table(
    { id, crawl_id: int, url_id: int, made_at: int, lesson: text },
    { indexes: { unlearnt_by_crawl: '(crawl_id, id)' }, keepsIds: true },
  ),
  /** Which worker has the tick of the watch, and what a watch must not forget, as JSON: one row, or none before the first. */
  watch_tick: table(
    { one: int, worker_id: nullable(int), note: nullable(text) },
    { keys: ['primary key (one)', 'check (one = 1)'] },
  ),
  /** What other machines ask of whoever has the tick: see Asked. */
  asked: table(
    {
      id,
      ask: text,
      /** JSON, as `answer`. */
      input: text,
      asked_at: int,
      state: textOf<AskedState>(),
      answer: nullable(text),
    },
    { keepsIds: true },
  ),
} as const;

export type TableName = keyof typeof TABLES;

type ColumnsOf<Name extends TableName> = (typeof TABLES)[Name]['columns'];

/** For Kysely. */
export type Tables = {
  readonly [Name in TableName]: {
    -readonly [C in keyof ColumnsOf<Name>]: ColumnsOf<Name>[C] extends Column<infer T> ? T : never;
  };
};

type Stored<Name extends TableName> = {
  readonly [C in keyof ColumnsOf<Name>]: ColumnsOf<Name>[C] extends Column<unknown, infer Type>
    ? Type
    : never;
};

/** What was learnt of a site, each with its `site_id`. */
export const LEARNT_TABLES = [
  'page_patterns',
  'steady_pages',
  'pattern_groups',
  'learnt_sites',
  'learnt_weighings',
] as const;

/** Not told by the records, or not by them alone: `clearDerived` has its own words for some of them. All other tables are derived. */
const KEPT: readonly TableName[] = [
  ...(['schema_version', 'owner', 'urls', 'sites', 'hosts', 'site_rules', 'warc_files'] as const),
  ...(['crawls', 'folded_entries', 'crawl_notes', 'frontier', 'visits', 'skips', 'skip_samples'] as const),
  ...(['inferred_directories', 'virtual_directories', 'perimeter_urls'] as const),
  // What was told is told: a rebuild neither sends it again nor forgets it.
  ...(['alerts', 'alert_messages', 'deliveries'] as const),
  ...(['workers', 'host_leases', 'handed_crawls', 'waiting_analyses', 'watch_tick', 'asked'] as const),
  ...(['handed_briefs', 'unlearnt_visits', 'worker_silences', 'writer_marks'] as const),
  // Found by asking the record files before they are read again (settle-merges.ts).
  ...(['replaced_files'] as const),
];

/** Emptied before a rebuild: the records bring their rows back. */
export const DERIVED = (Object.keys(TABLES) as TableName[]).filter((name) => !KEPT.includes(name));

/** How each column of a table is stored: what a statement over many rows takes. */
export function allColumns<Name extends TableName>(name: Name): Stored<Name> {
  const columns = Object.entries<Column>(TABLES[name].columns).map(([column, { type }]) => [column, type]);
  return Object.fromEntries(columns) as Stored<Name>;
}

/** All but the id, which the database gives. */
export function ownColumns<Name extends TableName>(name: Name): Omit<Stored<Name>, 'id'> {
  const { id: _, ...columns } = { id: '', ...allColumns(name) };
  return columns as unknown as Omit<Stored<Name>, 'id'>;
}

/** Lengths no file has: it must be indexed; it is lost, and is indexed when it comes back. */
export const FORGOTTEN = -1;
export const LOST = -2;
