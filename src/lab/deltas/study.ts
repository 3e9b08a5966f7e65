/**
 * `lab deltas`: layouts and deltas over the real versions of pages. Does every delta lead where it should, do two
 * renderings of one version agree, and how important are the changes, page by page and over time?
 */
import type { OperationName } from '../../model/delta.ts';
import type { Block, Layout } from '../../model/layout.ts';
import type { PageSnapshot } from '../../model/page-snapshot.ts';
import { changeImportance } from '../../science/delta/change-importance.ts';
import { type ReportedOperation, reportDelta } from '../../science/delta/delta-json.ts';
import { diffLayouts } from '../../science/delta/diff-layouts.ts';
import { operationWords } from '../../science/delta/operation-words.ts';
import type { AdLists } from '../../science/layout/ad-signals.ts';
import { pageLayout } from '../../science/layout/page-layout.ts';
import { leavesIn } from '../../science/layout/segment-leaves.ts';
import type { SegmenterName } from '../../science/layout/segmenter.ts';
import { brokenChecks, type CheckName, PAIR_CHECKS, type PairChecks } from './check-pair.ts';
import { type Spread, spreadOf } from './spread.ts';
import { versionTime } from './version-time.ts';

interface VersionHead {
  readonly page: string;
  /** `20220128T213510Z`. */
  readonly version: string;
  readonly url: string;
}

/** A version as a browser showed it, some of them twice, or why it could not. */
export type ShownVersion = VersionHead &
  (
    | {
        readonly snapshot: PageSnapshot;
        readonly again?: PageSnapshot;
        /** Whether the page's own scripts ran. */
        readonly scripts: boolean;
        readonly reason?: never;
      }
    | { readonly snapshot?: never; readonly reason: string }
  );

export interface StudyOptions {
  readonly segmenter?: SegmenterName;
  /** Filter lists for the page at this address. */
  readonly ads?: (url: string) => AdLists;
  /** How many of each page's largest changes are described in words. */
  readonly largest?: number;
  /** Cut each version along the previous one; with `false`, each as if it were the first. */
  readonly memory?: boolean;
  /** How many operations of each are described. */
  readonly told?: number;
}

export interface StudiedPair {
  readonly from: string;
  readonly to: string;
  /** Time of the newer version, in seconds since 1970. */
  readonly time: number | undefined;
  readonly importance: number;
  readonly operations: Readonly<Record<OperationName, number>>;
  /** How many of the operations are on whole blocks. */
  readonly blockOperations: number;
  /** How much of the importance comes from splits, merges and other frames of blocks. */
  readonly structure: number;
  /** Number of leaf blocks gained. */
  readonly leaves: number;
  /** How many of the operations are on elements that are advertisements on either side. */
  readonly advertisements: number;
}

export interface LargeChange extends Pick<StudiedPair, 'from' | 'to' | 'importance'> {
  /** The heaviest operations, in words. */
  readonly told: readonly string[];
  readonly operations: number;
}

export interface PageStudy {
  readonly page: string;
  readonly url: string;
  readonly versions: number;
  readonly importance: Spread | undefined;
  readonly pairs: readonly StudiedPair[];
  readonly largest: readonly LargeChange[];
  /** Number of leaf blocks per version. */
  readonly blocks: Spread | undefined;
  /** Versions that showed anything only without their scripts. */
  readonly withoutScripts: number;
  readonly shownTwice: number;
  /** Versions whose two layouts differ, and how much of a change that would have been. */
  readonly unstable: readonly { readonly version: string; readonly importance: number }[];
}

export interface DeltaStudy {
  readonly segmenter: string;
  readonly versions: number;
  readonly pairs: number;
  /** In how many pairs each check held: in all of `pairs`, or else `broken` says where not. */
  readonly held: PairChecks;
  readonly broken: readonly (Pick<StudiedPair, 'from' | 'to'> & {
    readonly page: string;
    readonly check: CheckName;
    readonly reason: string;
  })[];
  readonly unseen: readonly (Pick<VersionHead, 'page' | 'version'> & { readonly reason: string })[];
  readonly pages: readonly PageStudy[];
}

/** One page after the other, versions in order of time. Only the last layout is kept: a set may be large. */
export async function studyDeltas(
  set: AsyncIterable<ShownVersion> | Iterable<ShownVersion>,
  options: StudyOptions = {},
): Promise<DeltaStudy> {
  const pages = new Map<string, PageNotes>();
  const unseen: { page: string; version: string; reason: string }[] = [];
  const broken: DeltaStudy['broken'][number][] = [];
  const held = Object.fromEntries(Object.keys(PAIR_CHECKS).map((check) => [check, 0])) as PairChecks;
  let segmenter = '';
  let versions = 0;
  for await (const shown of set) {
    const { page, version } = shown;
    if (!shown.snapshot) {
      unseen.push({ page, version, reason: shown.reason });
      continue;
    }
    const before = pages.get(page)?.last;
    const layout = layoutOf(shown.snapshot, version, options, before);
    // As a version it would form two meaningless pairs, and beside another empty one a change of nothing.
    if (isEmpty(layout)) {
      unseen.push({ page, version, reason: 'it shows no text, link or picture' });
      continue;
    }
    versions++;
    const notes = pages.get(page) ?? new PageNotes(page, shown.url, options);
    pages.set(page, notes);
    segmenter = layout.segmenter;
    if (shown.again) notes.seeAgain(layout, layoutOf(shown.again, version, options, before));
    const failed = notes.see(layout, shown.scripts);
    if (!failed) continue;
    for (const check of Object.keys(held) as CheckName[]) held[check]++;
    for (const one of failed) {
      held[one.check]--;
      broken.push({ page, ...one });
    }
  }
  const studied = [...pages.values()].map((notes) => notes.study());
  const pairs = studied.reduce((sum, { pairs: own }) => sum + own.length, 0);
  return { segmenter, versions, pairs, held, broken, unseen, pages: studied };
}

function layoutOf(
  snapshot: PageSnapshot,
  version: string,
  { segmenter, ads, memory }: StudyOptions,
  previous: Layout | undefined,
): Layout {
  return pageLayout(snapshot, {
    version,
    ...(memory !== false ? { previous } : {}),
    ...(segmenter ? { segmenter } : {}),
    ...(ads ? { ads: ads(snapshot.url) } : {}),
  }).layout;
}

/** What is known of a page so far. */
class PageNotes {
  readonly #page: string;
  readonly #url: string;
  readonly #largestCount: number;
  readonly #toldCount: number;
  #last: Layout | undefined;
  #versions = 0;
  #shownTwice = 0;
  #withoutScripts = 0;
  #largest: LargeChange[] = [];
  readonly #pairs: StudiedPair[] = [];
  readonly #blocks: number[] = [];
  readonly #unstable: { version: string; importance: number }[] = [];

  constructor(page: string, url: string, { largest = 3, told = 4 }: StudyOptions) {
    this.#page = page;
    this.#url = url;
    this.#largestCount = largest;
    this.#toldCount = told;
  }

  /** The previous version. */
  get last(): Layout | undefined {
    return this.#last;
  }

  seeAgain(layout: Layout, again: Layout): void {
    this.#shownTwice++;
    // Compared as JSON, so that nothing at all may differ.
    if (JSON.stringify(layout) === JSON.stringify(again)) return;
    const { importance } = changeImportance(diffLayouts(layout, again));
    this.#unstable.push({ version: layout.version, importance });
  }

  /** The checks that failed; undefined for the first version, which has no predecessor. */
  see(
    now: Layout,
    scripts: boolean,
  ): { from: string; to: string; check: CheckName; reason: string }[] | undefined {
    const old = this.#last;
    this.#last = now;
    this.#versions++;
    if (!scripts) this.#withoutScripts++;
    this.#blocks.push(leavesOf(now).length);
    if (!old) return undefined;
    const [from, to] = [old.version, now.version];
    const delta = diffLayouts(old, now);
    const change = changeImportance(delta);
    const report = reportDelta(delta, change);
    this.#pairs.push({
      from,
      to,
      time: versionTime(to),
      importance: change.importance,
      leaves: leavesOf(now).length - leavesOf(old).length,
      ...countsOf(report.operations),
    });
    this.#keepLargest({
      from,
      to,
      importance: change.importance,
      operations: delta.operations.length,
      told: report.operations.slice(0, this.#toldCount).map(operationWords),
    });
    return brokenChecks({ old, now, delta }).map((one) => ({ from, to, ...one }));
  }

  #keepLargest(change: LargeChange): void {
    if (change.importance === 0) return;
    this.#largest.push(change);
    this.#largest.sort((a, b) => b.importance - a.importance);
    this.#largest = this.#largest.slice(0, this.#largestCount);
  }

  study(): PageStudy {
    return {
      page: this.#page,
      url: this.#url,
      versions: this.#versions,
      importance: spreadOf(this.#pairs.map((pair) => pair.importance)),
      pairs: this.#pairs,
      largest: this.#largest,
      blocks: spreadOf(this.#blocks),
      withoutScripts: this.#withoutScripts,
      shownTwice: this.#shownTwice,
      unstable: this.#unstable,
    };
  }
}

function countsOf(operations: readonly ReportedOperation[]) {
  const counts: Record<OperationName, number> = { insert: 0, delete: 0, update: 0, move: 0 };
  let blockOperations = 0;
  let structure = 0;
  let advertisements = 0;
  for (const { op, element, old, new: now, structure: shape, weight } of operations) {
    counts[op]++;
    if (shape !== undefined) structure += weight;
    if (element === 'block') blockOperations++;
    else if (old?.advertisement || now?.advertisement) advertisements++;
  }
  return { operations: counts, blockOperations, structure, advertisements };
}

function isEmpty(layout: Layout): boolean {
  return leavesOf(layout).every(
    ({ links, images, texts }) => links.length + images.length + texts.length === 0,
  );
}

const leavesOf = ({ root }: Layout): Block[] => leavesIn(root, ({ blocks }) => blocks);
