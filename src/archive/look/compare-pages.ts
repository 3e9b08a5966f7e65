import { NoSuchCapture } from '../../access/capture-name.ts';
import { changeView } from '../../access/change-view/change-view.ts';
import type { ViewedPage } from '../../access/change-view/page-side.ts';
import { reportedDelta } from '../../access/delta-report.ts';
import { type ErrorPages, errorPages, errorPageText } from '../../access/error-page-words.ts';
import { compareStored, type StoredComparison, type StoredSide } from '../../access/stored-layouts.ts';
import type { Comparison } from '../../model/comparison.ts';
import type { Delta } from '../../model/delta.ts';
import type { Millis } from '../../model/time.ts';
import type { DeltaReport } from '../../science/delta/delta-json.ts';
import { diffLayouts } from '../../science/delta/diff-layouts.ts';
import type { ReaderReport } from '../../science/delta/reader-words.ts';
import { writeViDelta } from '../../science/delta/vi-delta.ts';
import type { PageSource } from '../given/page-source.ts';
import { type OpenArchive, openForReading } from '../open/open-archive.ts';
import { UserError } from '../user-error.ts';
import { type InspectedPage, type LookOptions, openPageEye } from './look-at-page.ts';
import { type SameBytes, sameCaptures, sameFiles } from './same-bytes.ts';
import { storedPictures } from './stored-pictures.ts';

export interface ComparedPages {
  readonly report: DeltaReport & { readonly comparison: Comparison; readonly errorPage?: ErrorPages };
  /** In the form a reader would be told. */
  readonly told: ReaderReport;
  /** To be said first: an error page has taken the page's place. */
  readonly instead?: string;
  /** Title of the later version. */
  readonly title: string;
  /** What was missing or went wrong when the pages were shown. */
  readonly facts: readonly string[];
  /**
   * Why stored captures were shown again, though that may differ from what was seen at the time; or what was not looked
   * at.
   */
  readonly note?: string;
  /** The delta as XML. */
  viDelta(): Promise<string>;
  /** Both versions side by side, as one HTML page. */
  view(): Promise<string>;
}

/**
 * Two versions of a page as a reader sees them, wherever they are, and what changed between them. Stored captures are
 * compared by their stored layouts; they are shown again only where one has no layout and the bytes differ.
 */
export async function comparePages(
  sources: readonly [PageSource, PageSource],
  now: Millis,
  options: LookOptions,
): Promise<ComparedPages> {
  const stored = (await fromArchive(sources, options)) ?? (await sameFiles(sources, options.url));
  if (stored && typeof stored !== 'string') {
    if ('why' in stored) return unchanged(stored, () => lookAtOne(sources[0], now, options));
    const { old, new: later, delta } = stored;
    return compared({ old, new: later, delta, facts: [...old.facts, ...later.facts] });
  }
  const note =
    stored === undefined ? {} : { note: `${stored}. Both are shown out of the records for this comparison` };
  return { ...(await lookedAt(sources, now, options)), ...note };
}

async function lookedAt(
  [before, after]: readonly [PageSource, PageSource],
  now: Millis,
  options: LookOptions,
): Promise<ComparedPages> {
  const eye = openPageEye(options);
  try {
    const old = await eye.look(before, now);
    const later = await eye.look(after, now);
    const delta = diffLayouts(old.layout, later.layout);
    return compared({ old, new: later, delta, facts: [...old.facts, ...later.facts] });
  } finally {
    await eye.close();
  }
}

async function lookAtOne(source: PageSource, now: Millis, options: LookOptions): Promise<InspectedPage> {
  const eye = openPageEye(options);
  try {
    return await eye.look(source, now);
  } finally {
    await eye.close();
  }
}

/** Looked at once, and compared with itself, only if a drawing or the delta as XML is requested. */
function unchanged(same: SameBytes, look: () => Promise<InspectedPage>): ComparedPages {
  const { from, to, why, note } = same;
  const itself = async (): Promise<ComparedPages> => {
    const page = await look();
    const layout = { ...page.layout, version: to.version };
    const delta = diffLayouts(page.layout, layout);
    return compared({ old: page, new: { ...page, layout }, delta, facts: page.facts });
  };
  return {
    report: {
      ...{ importance: 0, printed: { 'paper-2009': 0, 'paper-2012': 0 }, salience: 0, why },
      ...{ from, to, operations: [], comparison: { kind: 'same-bytes' as const } },
    },
    told: { lines: [], figures: [], reshaped: 0, moved: [] },
    title: '',
    facts: [],
    ...(note !== undefined && { note }),
    viDelta: async () => (await itself()).viDelta(),
    view: async () => (await itself()).view(),
  };
}

async function fromArchive(
  sources: readonly [PageSource, PageSource],
  options: LookOptions,
): Promise<StoredComparison | SameBytes | string | undefined> {
  const [before, after] = sources;
  if (before.kind !== 'capture' || after.kind !== 'capture') return undefined;
  const archive = await openForReading(options);
  try {
    const stored = await compareStored([before, after], archive);
    if (typeof stored === 'string') return (await sameCaptures(sources, archive)) ?? stored;
    if (!options.picture) return stored;
    return { ...stored, old: await drawn(stored.old, archive), new: await drawn(stored.new, archive) };
  } catch (error) {
    throw error instanceof NoSuchCapture ? new UserError(error.message) : error;
  } finally {
    await archive.close();
  }
}

async function drawn(side: StoredSide, archive: OpenArchive): Promise<StoredSide> {
  const { snapshot, at } = side;
  return snapshot ? { ...side, pictures: await storedPictures(snapshot, at, archive) } : side;
}

interface SidesOfPage extends Pick<ComparedPages, 'facts' | 'note'> {
  readonly old: ViewedPage & { readonly status?: number };
  readonly new: ViewedPage & { readonly status?: number };
  readonly delta: Delta;
}

function compared({ old, new: later, delta: plain, facts, note }: SidesOfPage): ComparedPages {
  const { delta, importance, report, comparison, told } = reportedDelta(old.layout, later.layout, plain);
  const errorPage = errorPages(old.status, later.status);
  const instead = errorPage && errorPageText(errorPage);
  return {
    report: { ...report, comparison, ...(errorPage && { errorPage }) },
    told,
    ...(instead !== undefined && { instead }),
    title: delta.to.title,
    facts,
    ...(note !== undefined && { note }),
    viDelta: async () => writeViDelta(delta),
    view: async () =>
      changeView({ old, new: later, delta, ...importance, ...(instead !== undefined && { instead }) }),
  };
}
