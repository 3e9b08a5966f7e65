/**
 * The statement of a certificate: what a site capture proves, from the facts of its requests alone. A pure function
 * of them, so that anyone who has the records can compute it again and compare: see check-certificate.ts.
 *
 * Denev, Mazeika, Spaniol, Weikum: SHARC. PVLDB 2(1), 2009: blur §4.1 and §7.1, sharp pages and dating §7.2.
 *
 * | paper | here |
 * | --- | --- |
 * | λ_i | page.rate, changes per second |
 * | [o_s, o_e] | interval: first to last request for a page |
 * | t_i^v, t_i^r | page.visit.time, page.revisit.time: when the request was sent |
 * | ##pages | sharp.strict |
 *
 * Departures: intervals are those of the requests as they were sent, not of slots of equal length; t* proves the
 * most pages, where the paper asks for all of them; besides the paper's notion of "unchanged" (the same bytes) there
 * is the reader's view. A capture without revisits proves nothing about t*, and its date is null.
 * Only sums, products and quotients of doubles are used: the numbers come out the same on every machine.
 */
import type {
  CertificateStatement,
  CertifiedDate,
  CertifiedGroup,
  CertifiedObservation,
  CertifiedPage,
  CertifiedTogether,
} from '../../model/certificate.ts';
import type { PageGroup } from '../../model/page-group.ts';
import type { CapturedPage, RecordedVisit, RevisitOutcome, SiteCapture } from '../../model/site-capture.ts';
import type { Millis } from '../../model/time.ts';
import { type Interval, pageBlur } from './blur.ts';
import { breadthFirstPlaces, type FoundUrl, visitsInPlaces } from './breadth-first-places.ts';
import { bestDate } from './dating.ts';
import { exactPageBlur } from './exact-blur.ts';
import { observationInterval, observedBlur } from './observation.ts';

/** The version written today. */
const VERSION = 6;

export interface StatementContext {
  /** Version of the statement, when an old one is recomputed; its pages then have no `truncated`. */
  readonly version?: CertificateStatement['version'];
  /** For example `Daguerre/0.1.0`. */
  readonly software: string;
  /** Where the time came from, in words. */
  readonly clock: string;
  /** Every URL of the crawl, in the order it was found. */
  readonly found: Iterable<FoundUrl>;
  /** When the previous capture of the same seeds ended, if there was one. */
  readonly previousEnd?: Millis | undefined;
  /** Times at which pages did change, by URL, where known. */
  readonly changes?: ReadonlyMap<string, readonly Millis[]>;
}

export function statementOf(capture: SiteCapture, context: StatementContext): CertificateStatement {
  const pages = capture.pages.toSorted((a, b) => a.visit.at - b.visit.at || (a.url < b.url ? -1 : 1));
  const places = breadthFirstPlaces(
    pages.map(({ url }) => url),
    context.found,
  );
  const certified = pages.map((page, i) =>
    certifiedPage(page, places[i] as number, context.changes?.get(page.url)),
  );
  const interval = intervalOf(pages);
  const version = context.version ?? VERSION;
  return {
    type: 'daguerre-certificate',
    version,
    software: context.software,
    clock: context.clock,
    crawl: {
      key: capture.key,
      seeds: capture.seeds,
      order: capture.order,
      revisit: capture.revisit,
      startedAt: iso(capture.startedAt),
      finishedAt: iso(capture.finishedAt),
    },
    interval: interval && { start: iso(interval[0]), end: iso(interval[1]) },
    sharp: {
      pages: pages.length,
      revisited: certified.filter(({ revisit }) => revisit !== undefined).length,
      strict: certified.filter(isStrictlySharp).length,
      visible: certified.filter(isVisiblySharp).length,
      visibleUnknown: certified.filter(
        ({ revisit, visiblyUnchanged }) => revisit?.outcome === 'changed' && visiblyUnchanged === undefined,
      ).length,
    },
    date: {
      strict: dateOf(pages, certified, isStrictlySharp),
      visible: dateOf(pages, certified, isVisiblySharp),
    },
    blur: blurOf(pages, places, interval, context.changes),
    ...(version >= 5 && { observation: observationOf(pages, interval, context.previousEnd) }),
    ...(version >= 6 && capture.groups && { groups: groupsOf(capture.groups, pages, certified) }),
    ...(version >= 3 && coverageOf(capture)),
    pages: certified,
  };
}

function coverageOf({
  pages,
  unvisited = { inferred: [], skipped: 0 },
}: SiteCapture): Required<Pick<CertificateStatement, 'coverage' | 'inferred'>> {
  const inferred = unvisited.inferred
    .map(({ lastSeen, pages: kept, ...fact }) => ({
      ...fact,
      lastSeen: iso(lastSeen),
      pages: kept
        .map(({ url, ...visit }) => ({ url, ...certifiedVisit(visit) }))
        .sort((a, b) => (a.url < b.url ? -1 : 1)),
    }))
    .sort((a, b) => (`${a.site}${a.directory}` < `${b.site}${b.directory}` ? -1 : 1));
  return {
    coverage: {
      proven: pages.length,
      inferred: inferred.reduce((sum, { pages: kept, unseen = [] }) => sum + kept.length + unseen.length, 0),
      skipped: unvisited.skipped,
      expectedMissed: inferred.reduce((sum, { expectedMissed }) => sum + expectedMissed, 0),
    },
    inferred,
  };
}

export const isStrictlySharp = ({ revisit }: CertifiedPage): boolean => revisit?.outcome === 'same';

export const isVisiblySharp = (page: CertifiedPage): boolean =>
  isStrictlySharp(page) || (page.revisit?.outcome === 'changed' && page.visiblyUnchanged === true);

function certifiedPage(
  { url, rate, visit, revisit, visiblyUnchanged }: CapturedPage,
  breadthFirst: number,
  changes: readonly Millis[] | undefined,
): CertifiedPage {
  return {
    url,
    rate,
    breadthFirst,
    visit: certifiedVisit(visit),
    ...(revisit && { revisit: { ...certifiedVisit(revisit), outcome: outcomeOf(visit, revisit) } }),
    ...(visiblyUnchanged !== undefined && { visiblyUnchanged }),
    ...(changes && { changes: sorted(changes).map(iso) }),
  };
}

const certifiedVisit = ({ recordId, at, sha256, status, truncated }: RecordedVisit) => ({
  record: recordId,
  time: iso(at),
  sha256,
  status,
  ...(truncated && { truncated }),
});

/** Determined by the two answers alone, so that it can be recomputed from the records. */
export function outcomeOf(visit: RecordedVisit, revisit: RecordedVisit): RevisitOutcome {
  const { status, sha256 } = revisit;
  if (status !== 304 && (status < 200 || status >= 300)) return 'gone';
  if (visit.truncated || revisit.truncated) return 'cut';
  return sha256 !== '' && sha256 === visit.sha256 ? 'same' : 'changed';
}

function intervalOf(pages: readonly CapturedPage[]): Interval | null {
  if (pages.length === 0) return null;
  let start = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  for (const { visit, revisit } of pages) {
    start = Math.min(start, visit.at);
    end = Math.max(end, visit.at, revisit?.at ?? visit.at);
  }
  return [start, end];
}

/** Groups, reduced to the pages that were captured. */
function groupsOf(
  groups: readonly PageGroup[],
  pages: readonly CapturedPage[],
  certified: readonly CertifiedPage[],
): CertifiedGroup[] {
  const places = new Map(pages.map(({ url }, place) => [url, place]));
  return groups.flatMap(({ kind, pages: urls }): CertifiedGroup[] => {
    const members = urls.flatMap((url) => places.get(url) ?? []);
    if (members.length < 2) return [];
    const captured = members.map((place) => pages[place] as CapturedPage);
    const stated = members.map((place) => certified[place] as CertifiedPage);
    const together = (isSharp: (page: CertifiedPage) => boolean): CertifiedTogether | null => {
      const best = bestDate(sharpIntervals(captured, stated, isSharp));
      if (!best) return null;
      const { range, proven } = best;
      return { from: iso(range[0]), to: iso(range[1]), proven, wholeGroup: proven === members.length };
    };
    return [
      {
        kind,
        pages: captured.map(({ url }) => url),
        strict: together(isStrictlySharp),
        visible: together(isVisiblySharp),
      },
    ];
  });
}

/** From visit to revisit, for the sharp pages. */
const sharpIntervals = (
  pages: readonly CapturedPage[],
  certified: readonly CertifiedPage[],
  isSharp: (page: CertifiedPage) => boolean,
): Interval[] =>
  pages.flatMap(({ visit, revisit }, i): Interval[] =>
    revisit && isSharp(certified[i] as CertifiedPage) ? [[visit.at, revisit.at]] : [],
  );

function dateOf(
  pages: readonly CapturedPage[],
  certified: readonly CertifiedPage[],
  isSharp: (page: CertifiedPage) => boolean,
): CertifiedDate | null {
  const best = bestDate(sharpIntervals(pages, certified, isSharp));
  if (!best) return null;
  return {
    // Whole milliseconds, and never before the range.
    time: iso(Math.floor(best.time)),
    from: iso(best.range[0]),
    to: iso(best.range[1]),
    proven: best.proven,
    wholeSite: best.proven === pages.length,
  };
}

function observationOf(
  pages: readonly CapturedPage[],
  interval: Interval | null,
  previousEnd: Millis | undefined,
): CertifiedObservation | null {
  if (!interval) return null;
  const observed = observationInterval(interval, { previousEnd });
  return {
    start: iso(observed[0]),
    end: iso(observed[1]),
    previousEnd: previousEnd === undefined ? null : iso(previousEnd),
    blur: observedBlur(pages, observed),
  };
}

function blurOf(
  pages: readonly CapturedPage[],
  places: readonly number[],
  interval: Interval | null,
  changes: StatementContext['changes'],
): CertificateStatement['blur'] {
  if (!interval) return { expected: 0, breadthFirst: 0, ratio: null };
  const start = interval[0];
  const seconds = (at: Millis): number => (at - start) / 1000;
  const observation: Interval = [0, seconds(interval[1])];
  // A page that is gone at its revisit has only one version to show.
  const showsTwo = pages.map(({ visit, revisit }) => revisit && outcomeOf(visit, revisit) !== 'gone');
  const visits = pages.map(({ visit, revisit }, i) =>
    revisit && showsTwo[i] ? [seconds(visit.at), seconds(revisit.at)] : [seconds(visit.at)],
  );
  const alternative = visitsInPlaces(
    visits.flat(),
    places,
    showsTwo.map((two) => two === true),
  );
  const total = (times: readonly (readonly number[])[]): number =>
    pages.reduce((sum, { rate }, i) => sum + pageBlur(rate, times[i] ?? [], observation), 0);
  const expected = total(visits);
  const breadthFirst = total(alternative);
  const known = changes && pages.every(({ url }) => changes.has(url)) ? changes : undefined;
  const exact = known
    ? pages.reduce(
        (sum, { url }, i) =>
          sum + exactPageBlur(sorted(known.get(url) ?? []).map(seconds), visits[i] ?? [], observation),
        0,
      )
    : undefined;
  return {
    expected,
    ...(exact !== undefined && { exact }),
    breadthFirst,
    ratio: breadthFirst > 0 ? expected / breadthFirst : null,
  };
}

const sorted = (times: readonly Millis[]): Millis[] => times.toSorted((a, b) => a - b);

const iso = (at: Millis): string => new Date(at).toISOString();
