/**
 * Checks a statement against the records it names: the facts of its requests are taken from the records, the
 * statement is computed again from them, and every member that comes out differently is named. What no record can tell
 * (the clock, how far a reader's view was judged, change times that became known later) is taken as stated; the signature
 * covers it.
 */
import { canonicalJson } from '../../model/canonical-json.ts';
import {
  type CertificateStatement,
  type CertifiedPage,
  type CertifiedVisit,
  certificateUri,
} from '../../model/certificate.ts';
import type { Truncation } from '../../model/exchange.ts';
import { type InferredDirectory, isByRule } from '../../model/inference.ts';
import type { CapturedPage, KeptDirectory, RecordedVisit, SiteCapture } from '../../model/site-capture.ts';
import type { Millis } from '../../model/time.ts';
import type { FoundUrl } from './breadth-first-places.ts';
import { outcomeOf, statementOf } from './certificate.ts';
import { previousEndOf } from './observation.ts';
import { keptDirectory } from './site-statement.ts';

/** What a record says of itself; its digest is computed from its payload, or taken as given when it holds none. */
export interface RecordEvidence {
  readonly id: string;
  readonly url: string;
  readonly at: Millis;
  /** Lower-case hex; '' when the record does not give it. */
  readonly sha256: string;
  readonly status: number;
  /** Its WARC-Truncated. */
  readonly truncated?: Truncation;
  readonly file: string;
  readonly offset: number;
  /** Where the part of a merged file begins that it stands in. Only within a part does order tell what was written first. */
  readonly part?: number;
}

export interface CertificateEvidence {
  /** Of the certificate's own record. */
  readonly certificate: Pick<RecordEvidence, 'url' | 'at' | 'file' | 'offset' | 'part'>;
  record(id: string): RecordEvidence | undefined;
  /** Only part of the crawl was imported: that records or its log are absent is then no fault of the statement. */
  readonly isPartial?: boolean;
  /** The log of the certified crawl, when it is among the records. */
  readonly log?: {
    readonly startedAt: Millis;
    readonly seeds: readonly string[];
    readonly order: string;
    readonly found: Iterable<FoundUrl>;
    /** Changes per second by URL, where the log gives them. */
    readonly rates: ReadonlyMap<string, number>;
    readonly inferred: readonly InferredDirectory[];
    readonly skipped: number;
  };
  /** What the records say of a reader's view at visit and revisit; undefined when they say nothing. */
  visiblyUnchanged?(page: CertifiedPage): boolean | undefined;
}

/** What is wrong, in words; empty when everything is as stated. */
export function checkStatement(statement: CertificateStatement, evidence: CertificateEvidence): string[] {
  const faults: string[] = [];
  const pages = statement.pages.map((page) =>
    witnessed(page, asVersion(statement.version, evidence), faults),
  );
  faults.push(...repeatedRecords(statement), ...faultsOfTime(statement, evidence));
  const { log, certificate, isPartial = false } = evidence;
  if (certificate.url !== certificateUri(statement.crawl.key)) {
    faults.push(`it is of the crawl ${statement.crawl.key}, but its record of ${certificate.url}`);
  }
  if (!log && !isPartial) {
    faults.push(
      'the log of its crawl is not among the records: the breadth-first order cannot be computed again',
    );
  }
  const capture: SiteCapture = {
    key: statement.crawl.key,
    seeds: log?.seeds ?? statement.crawl.seeds,
    order: log?.order ?? statement.crawl.order,
    revisit: statement.crawl.revisit,
    startedAt: log?.startedAt ?? Date.parse(statement.crawl.startedAt),
    finishedAt: Date.parse(statement.crawl.finishedAt),
    pages,
    ...(statement.groups && {
      groups: statement.groups.map(({ kind, pages: urls }) => ({ kind, pages: urls })),
    }),
    unvisited: {
      inferred: keptDirectories(statement, evidence, faults),
      skipped: log?.skipped ?? statement.coverage?.skipped ?? 0,
    },
  };
  const again = statementOf(capture, {
    version: statement.version,
    software: statement.software,
    clock: statement.clock,
    found: log?.found ?? statedOrder(statement),
    previousEnd: previousEndOf(statement),
    changes: new Map(
      statement.pages.flatMap(({ url, changes }) =>
        changes ? [[url, changes.map((time) => Date.parse(time))]] : [],
      ),
    ),
  });
  faults.push(...differences('', statement, again));
  return faults;
}

/** A version 1 statement was computed without knowing which answers were cut short. */
function asVersion(version: CertificateStatement['version'], evidence: CertificateEvidence) {
  if (version !== 1) return evidence;
  const record = (id: string): RecordEvidence | undefined => {
    const { truncated: _, ...found } = evidence.record(id) ?? {};
    return 'id' in found ? found : undefined;
  };
  return { ...evidence, record };
}

/** Pages that the records say were cut short, while the statement does not: one of version 1 cannot. */
export function untoldCuts(
  { pages }: CertificateStatement,
  record: CertificateEvidence['record'],
): readonly string[] {
  const isCut = (visit: CertifiedVisit | undefined): boolean =>
    visit !== undefined && visit.truncated === undefined && record(visit.record)?.truncated !== undefined;
  return pages.flatMap(({ url, visit, revisit }) => (isCut(visit) || isCut(revisit) ? [url] : []));
}

/** What the log says was taken for unchanged, with what the records say of the versions kept. */
function keptDirectories(
  statement: CertificateStatement,
  evidence: CertificateEvidence,
  faults: string[],
): KeptDirectory[] {
  const startedAt = Date.parse(statement.crawl.startedAt);
  const visited = new Set(statement.pages.map(({ url }) => url));
  const stated = new Map(
    (statement.inferred ?? []).flatMap(({ pages }) => pages.map((page) => [page.url, page] as const)),
  );
  const pageOf = (url: string): KeptDirectory['pages'] => {
    const page = stated.get(url);
    if (!page) return [];
    const visit = visitOf(url, page, evidence, faults);
    if (visit.at >= startedAt)
      faults.push(`${url}: the version it is said to keep was captured after the crawl began`);
    if (visited.has(url)) faults.push(`${url}: it is said to be taken for unchanged, and to be visited`);
    return [{ url, ...visit }];
  };
  const { log } = evidence;
  if (!log)
    return (statement.inferred ?? []).map((one) => ({
      ...keptDirectory(one),
      pages: one.pages.flatMap(({ url }) => pageOf(url)),
    }));
  return log.inferred.flatMap(({ assumes: _, state, urls, ...fact }) => {
    if (state !== 'inferred') return [];
    if (!isByRule(fact.reason)) return statement.version < 4 ? [] : [mirrored({ ...fact, urls }, pageOf)];
    for (const url of urls)
      if (!stated.has(url)) faults.push(`${url}: the log of the crawl says that it was taken for unchanged`);
    return [{ ...fact, pages: urls.flatMap(pageOf) }];
  });
}

/** Pages without a record in the certificate were never seen at the mirror, according to the signer: they count all the same. */
function mirrored(
  { urls, ...fact }: Omit<InferredDirectory, 'assumes' | 'state'>,
  pageOf: (url: string) => KeptDirectory['pages'],
): KeptDirectory {
  const pages = urls.flatMap(pageOf);
  const seen = new Set(pages.map(({ url }) => url));
  const unseen = urls.filter((url) => !seen.has(url)).toSorted();
  return { ...fact, pages, ...(unseen.length > 0 && { unseen }) };
}

/** The page, with what its records say in place of what is stated. */
function witnessed(page: CertifiedPage, evidence: CertificateEvidence, faults: string[]): CapturedPage {
  const visit = visitOf(page.url, page.visit, evidence, faults);
  const revisit = page.revisit && visitOf(page.url, page.revisit, evidence, faults);
  const [first, second] = [
    evidence.record(page.visit.record),
    page.revisit && evidence.record(page.revisit.record),
  ];
  if (first && second && isOneFile(first, second) && second.offset <= first.offset) {
    faults.push(`${page.url}: the record of the revisit stands before that of the visit`);
  }
  const outcome = revisit && outcomeOf(visit, revisit);
  const seen = outcome === 'same' ? true : revisit && evidence.visiblyUnchanged?.(page);
  const isTold = page.visiblyUnchanged !== undefined && outcome !== 'cut';
  const visiblyUnchanged = isTold ? (seen ?? page.visiblyUnchanged) : undefined;
  return {
    url: page.url,
    rate: evidence.log?.rates.get(page.url) ?? page.rate,
    visit,
    ...(revisit && outcome && { revisit: { ...revisit, outcome } }),
    ...(visiblyUnchanged !== undefined && { visiblyUnchanged }),
  };
}

function visitOf(
  url: string,
  stated: CertifiedVisit,
  { record, certificate, isPartial = false }: CertificateEvidence,
  faults: string[],
): RecordedVisit {
  const found = record(stated.record);
  if (!found) {
    if (!isPartial) {
      faults.push(`${url}: the record ${stated.record} of ${stated.time} is not in the archive`);
    }
    const { record: recordId, time, sha256, status, truncated } = stated;
    return { recordId, at: Date.parse(time), sha256, status, ...(truncated && { truncated }) };
  }
  if (found.url !== url) faults.push(`${url}: the record ${stated.record} is of ${found.url}`);
  if (isOneFile(found, certificate) && found.offset >= certificate.offset) {
    faults.push(`${url}: the record ${stated.record} stands after the certificate`);
  }
  const { id: recordId, at, sha256, status, truncated } = found;
  return { recordId, at, sha256, status, ...(truncated && { truncated }) };
}

/** Whether both were written into one file, whatever that was merged into since. */
const isOneFile = (a: Pick<RecordEvidence, 'file' | 'part'>, b: typeof a): boolean =>
  a.file === b.file && a.part === b.part;

/** One record can witness only one visit. */
function repeatedRecords(statement: CertificateStatement): string[] {
  const seen = new Set<string>();
  const faults: string[] = [];
  for (const { url, visit, revisit } of statement.pages) {
    for (const { record } of revisit ? [visit, revisit] : [visit]) {
      if (seen.has(record)) faults.push(`${url}: the record ${record} is named twice`);
      seen.add(record);
    }
  }
  return faults;
}

/** startedAt ≤ visit ≤ revisit ≤ finishedAt ≤ the certificate. */
function faultsOfTime(statement: CertificateStatement, { certificate }: CertificateEvidence): string[] {
  const { startedAt, finishedAt } = statement.crawl;
  const [start, end] = [Date.parse(startedAt), Date.parse(finishedAt)];
  const faults: string[] = [];
  const previousEnd = previousEndOf(statement);
  if (previousEnd !== undefined && previousEnd > start)
    faults.push(
      `the capture before is said to have ended at ${statement.observation?.previousEnd}, after this one began`,
    );
  if (end > certificate.at) {
    faults.push(`the crawl is said to have ended at ${finishedAt}, after its certificate was written`);
  }
  if (statement.pages.some(({ visit }, i) => visit.time < (statement.pages[i - 1]?.visit.time ?? ''))) {
    faults.push('its pages are not in the order of their visits');
  }
  for (const { url, visit, revisit } of statement.pages) {
    const [first, last] = [Date.parse(visit.time), Date.parse((revisit ?? visit).time)];
    if (last < first) faults.push(`${url}: the revisit is said to be before the visit`);
    if (first < start || last > end) {
      faults.push(`${url}: a visit lies outside the crawl, ${startedAt} to ${finishedAt}`);
    }
  }
  return faults;
}

/** Stands in for the log: pages in the breadth-first order as stated. */
function statedOrder(statement: CertificateStatement): FoundUrl[] {
  return statement.pages
    .toSorted((a, b) => a.breadthFirst - b.breadthFirst)
    .map(({ url }) => ({ url, isSeed: true }));
}

/** Members that differ, with their paths. */
export function differences(path: string, stated: unknown, again: unknown): string[] {
  if (isBranch(stated) && isBranch(again) && Array.isArray(stated) === Array.isArray(again)) {
    const names = [...new Set([...Object.keys(stated), ...Object.keys(again)])];
    const inList = Array.isArray(stated);
    return names.flatMap((name) =>
      differences(
        inList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`,
        (stated as Record<string, unknown>)[name],
        (again as Record<string, unknown>)[name],
      ),
    );
  }
  if (stated === again) return [];
  return [`${path} is stated as ${shown(stated)}; the records say ${shown(again)}`];
}

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Number of characters of a value that are shown. */
const SHOWN = 120;

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = canonicalJson(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
