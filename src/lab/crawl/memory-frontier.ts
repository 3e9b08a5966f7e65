import type { CaptureFact } from '../../model/capture.ts';
import {
  type FrontierEntry,
  type NewFrontierEntry,
  RANKS,
  type Skip,
  type Visit,
} from '../../model/crawl.ts';
import type {
  AnsweredVisit,
  CommitBatch,
  CrawledPage,
  Denial,
  FrontierLogEntry,
  HostCount,
  RankRange,
  SkipRule,
  VisitCommit,
} from '../../ports/catalog.ts';

export interface FrontierRow extends FrontierEntry {
  readonly state: FrontierLogEntry['state'];
  readonly skip?: Pick<Skip, 'reason' | 'detail'>;
  readonly visits: Visit[];
  /** Record of the visit that settled the entry. */
  readonly record?: CaptureFact;
}

/** Most skips kept per rule. */
const SAMPLE = 100;

/** The frontier of one crawl: a page and its second visit are two rows. */
export class MemoryFrontier {
  readonly #rows = new Map<number, FrontierRow>();
  readonly #ids = new Map<string, number>();
  readonly #skipped = new Map<string, { rule: SkipRule; urls: Set<string> }>();
  readonly #nextId: () => number;
  readonly notes: string[] = [];
  bytes = 0;

  constructor(nextId: () => number) {
    this.#nextId = nextId;
  }

  rows(): Iterable<FrontierRow> {
    return this.#rows.values();
  }

  /** All of a batch except its captures; resolves to the entries that joined. */
  commit({ visits, denials, discovered, skips, notes = [] }: CommitBatch): readonly FrontierEntry[] {
    for (const visit of visits) this.#settle(visit);
    for (const denial of denials) this.#deny(denial);
    const enqueued = [...visits, { discovered }].flatMap((part) =>
      part.discovered.flatMap((one) => this.#join(one)),
    );
    for (const { visit, linked = [] } of visits) for (const url of linked) this.#findFrom(url, visit.url);
    for (const skip of [...visits.flatMap((visit) => visit.skips), ...skips]) this.#skip(skip);
    this.notes.push(...notes.filter((note) => !this.notes.includes(note)));
    return enqueued;
  }

  #join(entry: NewFrontierEntry): FrontierEntry[] {
    const key = keyOf(entry);
    if (this.#ids.has(key)) return [];
    const id = this.#nextId();
    const joined: FrontierEntry = { ...entry, id, attempts: 0, notBefore: 0 };
    this.#ids.set(key, id);
    this.#rows.set(id, { ...joined, state: 'pending', visits: [] });
    for (const { urls } of this.#skipped.values()) urls.delete(entry.url);
    return [joined];
  }

  #findFrom(url: string, via: string): void {
    const row = this.#rows.get(this.#ids.get(keyOf({ kind: 'page', url })) ?? -1);
    if (row && row.via === undefined && !row.isSeed) this.#rows.set(row.id, { ...row, via });
  }

  #settle({ visit, settlement, captures }: VisitCommit): void {
    const row = this.#rows.get(settlement.entryId);
    if (row?.state !== 'pending') return;
    this.bytes += visit.bytes;
    row.visits.push(visit);
    const record = captures.find(
      ({ url, type }) => url === row.url && (type === 'response' || type === 'revisit'),
    );
    this.#rows.set(
      row.id,
      settlement.state === 'deferred'
        ? { ...row, attempts: row.attempts + 1, notBefore: settlement.notBefore }
        : { ...row, state: settlement.state, ...(record && { record }) },
    );
  }

  #deny({ entryId, reason, detail }: Denial): void {
    const row = this.#rows.get(entryId);
    if (row?.state === 'pending')
      this.#rows.set(entryId, { ...row, state: 'skipped', skip: { reason, detail } });
  }

  #skip({ reason, rule, ...skip }: Skip): void {
    if (this.#ids.has(keyOf({ kind: 'page', url: skip.url }))) return;
    const name = rule ?? skip.detail;
    const key = `${reason} ${name}`;
    const known = this.#skipped.get(key) ?? {
      rule: { reason, rule: name, entries: 0, sample: [] },
      urls: new Set(),
    };
    if ([...this.#skipped.values()].some(({ urls }) => urls.has(skip.url))) return;
    known.urls.add(skip.url);
    if (known.rule.sample.length < SAMPLE)
      known.rule = { ...known.rule, sample: [...known.rule.sample, skip] };
    this.#skipped.set(key, known);
  }

  skipPending(reason: Skip['reason'], detail: string): number {
    const pending = [...this.rows()].filter(({ state }) => state === 'pending');
    for (const { id } of pending) this.#deny({ entryId: id, reason, detail });
    return pending.length;
  }

  skipRules(): readonly SkipRule[] {
    return [...this.#skipped.values()]
      .filter(({ urls }) => urls.size > 0)
      .map(({ rule, urls }) => ({ ...rule, entries: urls.size }));
  }

  pending(host: string, limit: number, range: RankRange = {}): readonly FrontierEntry[] {
    const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, offset = 0 } = range;
    return [...this.rows()]
      .filter((row) => row.state === 'pending' && row.host === host && row.rank >= from && row.rank < to)
      .sort((a, b) => a.rank - b.rank || a.id - b.id)
      .slice(offset, offset + limit)
      .map(({ state: _, skip: _skip, visits: _visits, record: _record, ...entry }) => entry);
  }

  hostCounts(): readonly HostCount[] {
    const counts = new Map<string, HostCount>();
    for (const { host, kind, depth, rank, state } of this.rows()) {
      if (state === 'skipped') continue;
      const band = rank < RANKS.pages ? 'at-once' : rank < RANKS.reserve ? 'pages' : 'reserve';
      const isPending = state === 'pending';
      const key = [host, kind, depth, band, isPending].join(' ');
      counts.set(key, { host, kind, depth, band, isPending, entries: (counts.get(key)?.entries ?? 0) + 1 });
    }
    return [...counts.values()];
  }

  *log(): Iterable<FrontierLogEntry> {
    for (const { id: _, attempts: _attempts, notBefore: _notBefore, record: _record, ...row } of this.rows())
      yield row;
  }

  /** Existing pages, each with its visit and, if answered, its revisit. */
  *answered(): Iterable<{
    readonly visit: AnsweredVisit;
    readonly revisit?: AnsweredVisit;
    readonly planned: boolean;
  }> {
    for (const row of this.rows()) {
      const visit = row.kind === 'page' && row.state !== 'failed' ? answeredVisit(row, 0) : undefined;
      if (!visit || !isPageStatus(visit.status)) continue;
      const again = this.#rows.get(this.#ids.get(keyOf({ kind: 'revisit', url: row.url })) ?? -1);
      const revisit = again && answeredVisit({ ...again, rate: row.rate ?? 0 }, 1);
      yield { visit, ...(revisit && { revisit }), planned: again !== undefined };
    }
  }

  *pages(host: string): Iterable<CrawledPage> {
    for (const row of this.rows()) {
      if (row.kind !== 'page' || row.host !== host || !row.record || !isPageStatus(row.visits.at(-1)?.status))
        continue;
      const { url, depth, extraHops, via } = row;
      yield { url, depth, extraHops, ...(via !== undefined && { via }) };
    }
  }
}

const keyOf = ({ kind, url }: Pick<NewFrontierEntry, 'kind' | 'url'>): string =>
  `${kind === 'revisit' ? 1 : 0} ${url}`;

const isPageStatus = (status = 0): boolean => (status >= 200 && status < 300) || status === 304;

function answeredVisit(row: FrontierRow, pass: 0 | 1): AnsweredVisit | undefined {
  const { url, host, isSeed, via, depth, rate = 0, record, state } = row;
  if (!record || state === 'pending' || state === 'skipped' || state === 'dropped') return undefined;
  return {
    url,
    host,
    isSeed,
    ...(via !== undefined && { via }),
    depth,
    rate,
    pass,
    outcome: state,
    at: record.at,
    status: row.visits.at(-1)?.status ?? 0,
    mime: record.mime,
    recordId: record.recordId,
    sha256: record.digest.sha256,
  };
}
