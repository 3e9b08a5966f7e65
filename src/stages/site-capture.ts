import type { Crawl } from '../model/crawl.ts';
import { isByRule } from '../model/inference.ts';
import type { PageGroup } from '../model/page-group.ts';
import type {
  CapturedPage,
  KeptDirectory,
  PageRevisit,
  RecordedVisit,
  RevisitOutcome,
  SiteCapture,
} from '../model/site-capture.ts';
import type { AnsweredVisit, CaptureCatalog, HistoryCatalog, InferenceCatalog } from '../ports/catalog.ts';
import type { PageReader } from '../ports/page-reader.ts';
import { type RecordReader, storedResponse } from '../ports/record-store.ts';
import { pageBlur } from '../science/sharpness/blur.ts';
import { outcomeOf } from '../science/sharpness/certificate.ts';
import { groupsOf } from './stored/page-groups.ts';

export interface SiteCapturePorts {
  readonly catalog: HistoryCatalog & CaptureCatalog & InferenceCatalog;
  readonly reader: RecordReader;
  readonly pageReader: Pick<PageReader, 'readVisible' | 'readWording'>;
}

/** Stage: the visits of a crawl → what it knows of its pages over time. From the catalog and the records alone. */
export async function siteCapture(crawl: Crawl, ports: SiteCapturePorts, skipped = 0): Promise<SiteCapture> {
  const pages: CapturedPage[] = [];
  let visit: AnsweredVisit | undefined;
  let again: AnsweredVisit | undefined;
  const finishPage = async (): Promise<void> => {
    if (visit) pages.push(await capturedPage(visit, again, ports));
    visit = undefined;
    again = undefined;
  };
  for await (const answered of ports.catalog.answeredVisits(crawl.id)) {
    if (answered.url !== visit?.url) await finishPage();
    if (answered.pass === 0) visit ??= answered;
    else again ??= answered;
  }
  await finishPage();
  pages.sort((a, b) => a.visit.at - b.visit.at);
  const times = pages.flatMap(({ visit: { at }, revisit }) => (revisit ? [at, revisit.at] : [at]));
  const groups =
    (crawl.spec.revisit ?? 'none') === 'none'
      ? undefined
      : await groupsOf(
          pages.map(({ url, visit: { recordId } }) => ({ url, recordId })),
          crawl.startedAt,
          ports,
        );
  return {
    key: crawl.key,
    seeds: crawl.spec.seeds,
    startedAt: times.reduce((least, at) => Math.min(least, at), times[0] ?? crawl.startedAt),
    finishedAt: times.reduce((most, at) => Math.max(most, at), times[0] ?? crawl.startedAt),
    order: crawl.spec.order,
    revisit: crawl.spec.revisit ?? 'none',
    pages,
    ...(groups && { groups }),
    unvisited: { inferred: await keptDirectories(crawl, ports.catalog), skipped },
  };
}

/** Directories that were taken for unchanged, with the versions that their pages keep. */
async function keptDirectories(
  { id, startedAt, spec }: Crawl,
  catalog: SiteCapturePorts['catalog'],
): Promise<readonly KeptDirectory[]> {
  if (!spec.skipByRules && !spec.mirrors) return [];
  const directories: KeptDirectory[] = [];
  for (const { crawlId: _, assumes: _assumes, state, urls, ...fact } of await catalog.inferences({
    crawlId: id,
  })) {
    if (state !== 'inferred') continue;
    const kept = await catalog.keptVersions(urls, startedAt);
    const pages = urls.flatMap((url) => {
      const version = kept.get(url);
      return version ? [{ url, ...version }] : [];
    });
    const unseen = isByRule(fact.reason) ? [] : urls.filter((url) => !kept.has(url)).toSorted();
    directories.push({ ...fact, pages, ...(unseen.length > 0 && { unseen }) });
  }
  return directories;
}

async function capturedPage(
  visit: AnsweredVisit,
  again: AnsweredVisit | undefined,
  ports: SiteCapturePorts,
): Promise<CapturedPage> {
  const { url, rate } = visit;
  const page = { url, visit: pageVisit(visit), rate };
  const outcome = again && provenOutcome(visit, again);
  if (!again || !outcome) return page;
  const revisit: PageRevisit = { ...pageVisit(again), outcome };
  if (outcome === 'gone' || outcome === 'cut') return { ...page, revisit };
  const visiblyUnchanged = outcome === 'same' ? true : await looksTheSame(visit, again, ports);
  return { ...page, revisit, ...(visiblyUnchanged !== undefined && { visiblyUnchanged }) };
}

const pageVisit = ({ at, recordId, sha256, status, truncated }: AnsweredVisit): RecordedVisit => ({
  at,
  recordId,
  sha256,
  status,
  ...(truncated && { truncated }),
});

/**
 * Undefined if the second visit proves nothing: the server failed or sent something nobody had asked for, or the clock was set back in
 * between, so that there is no interval between the two.
 */
function provenOutcome(visit: AnsweredVisit, again: AnsweredVisit): RevisitOutcome | undefined {
  const { status } = again;
  if (status >= 500 || status === 429 || (again.outcome === 'failed' && status < 400) || again.at < visit.at)
    return undefined;
  return outcomeOf(pageVisit(visit), pageVisit(again));
}

/**
 * An approximation, since a revisit is not rendered: by the bytes of both, see PageReader.readVisible. Undefined if they cannot tell: for
 * anything that is not HTML, or was cut off.
 */
async function looksTheSame(
  visit: AnsweredVisit,
  again: AnsweredVisit,
  { catalog, reader, pageReader }: SiteCapturePorts,
): Promise<boolean | undefined> {
  const visible = async ({ recordId, url }: AnsweredVisit): Promise<string | undefined> => {
    const fact = await catalog.captureByRecordId(recordId);
    const original = fact && (await catalog.originalOf(fact));
    if (!original || original.truncated) return undefined;
    const response = storedResponse(await reader.read(original));
    return response && (await pageReader.readVisible({ url, response }))?.text;
  };
  const [before, after] = [await visible(visit), await visible(again)];
  return before === undefined || after === undefined ? undefined : before === after;
}

export interface Sharpness {
  /** Expected number of changes between what a reader asks for, at any time of the capture, and what was captured. */
  readonly blur: number;
  readonly sharp: {
    /** Pages proven to have the same bytes at visit and revisit. */
    readonly strict: number;
    /** Pages that would have looked the same to a reader. */
    readonly visible: number;
    readonly pages: number;
  };
  /** Groups of pages that must agree, and how many provably do, all pages of each at one moment; absent if none were looked for. */
  readonly groups?: {
    readonly found: number;
    readonly strict: number;
    readonly visible: number;
  };
}

/** The two figures of a report. Rates are per second, times in milliseconds. */
export function sharpnessOf({ pages, startedAt, finishedAt, groups }: SiteCapture): Sharpness {
  let blur = 0;
  let strict = 0;
  let visible = 0;
  for (const { visit, revisit, rate, visiblyUnchanged } of pages) {
    // A page that is gone, or never existed, has one version to show.
    const times = revisit && revisit.outcome !== 'gone' ? [visit.at, revisit.at] : [visit.at];
    blur += pageBlur(
      rate,
      times.map((at) => (at - startedAt) / 1000),
      [0, (finishedAt - startedAt) / 1000],
    );
    if (revisit?.outcome === 'same') strict++;
    if (revisit && visiblyUnchanged === true) visible++;
  }
  return {
    blur,
    sharp: { strict, visible, pages: pages.length },
    ...(groups && { groups: togetherOf(groups, pages) }),
  };
}

function togetherOf(
  groups: readonly PageGroup[],
  pages: readonly CapturedPage[],
): NonNullable<Sharpness['groups']> {
  const byUrl = new Map(pages.map((page) => [page.url, page]));
  const together = (isSharp: (page: CapturedPage) => boolean): number =>
    groups.filter(({ pages: urls }) => {
      const members = urls.flatMap((url) => byUrl.get(url) ?? []);
      const from = members.reduce((latest, { visit }) => Math.max(latest, visit.at), 0);
      return members.every((page) => isSharp(page) && page.revisit !== undefined && page.revisit.at >= from);
    }).length;
  return {
    found: groups.length,
    strict: together(({ revisit }) => revisit?.outcome === 'same'),
    visible: together(({ visiblyUnchanged }) => visiblyUnchanged === true),
  };
}
