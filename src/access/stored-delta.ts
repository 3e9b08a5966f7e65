import type { Comparison } from '../model/comparison.ts';
import type { Delta } from '../model/delta.ts';
import type { Millis } from '../model/time.ts';
import type { CaptureCatalog } from '../ports/catalog.ts';
import { type DeltaReport, partialReason } from '../science/delta/delta-json.ts';
import type { ReaderReport } from '../science/delta/reader-words.ts';
import { type CaptureTime, namedCapture } from './capture-name.ts';
import { compareCaptures } from './compare-captures.ts';
import { reportedDelta } from './delta-report.ts';
import { compareStored, type StoredArchive } from './stored-layouts.ts';

/** Two captures of a page, compared by what is stored of them: nothing is shown again. */
export interface StoredDelta {
  readonly url: string;
  readonly from: Millis;
  readonly to: Millis;
  readonly comparison: Comparison;
  /** Told by the stored delta; by one computed from the stored layouts; by the bytes and heads alone. */
  readonly source: 'stored' | 'computed' | 'bytes';
  /** Of the later version. */
  readonly title?: string;
  readonly partial?: string;
  readonly told?: ReaderReport;
  readonly operations: DeltaReport['operations'];
}

const dated = (side: Delta['from'], at: Millis): Delta['from'] => ({
  ...side,
  version: new Date(at).toISOString(),
});
const moment = (at: Millis): CaptureTime => ({ kind: 'moment', at });

/** The captures nearest to the two times. Throws NoSuchCapture. */
export async function storedDelta(
  url: string,
  [from, to]: readonly [Millis, Millis],
  archive: StoredArchive,
): Promise<StoredDelta> {
  const { catalog } = archive;
  const [old, now] = [
    await namedCapture({ url, time: moment(from) }, catalog),
    await namedCapture({ url, time: moment(to) }, catalog),
  ];
  const sides = { url: now.url, from: old.at, to: now.at };
  const stored = await compareStored(
    [
      { url: old.url, time: moment(old.at) },
      { url: now.url, time: moment(now.at) },
    ],
    archive,
  );
  if (typeof stored === 'string')
    return { ...sides, comparison: await byBytes(sides, stored, catalog), source: 'bytes', operations: [] };
  const { report, comparison, told, delta } = reportedDelta(
    stored.old.layout,
    stored.new.layout,
    stored.delta,
  );
  const { operations } = report;
  // By the captures: their layouts may be of an earlier one with the same bytes.
  const partial = partialReason({ from: dated(delta.from, old.at), to: dated(delta.to, now.at) });
  return {
    ...sides,
    // One layout shows both where bytes alone differ.
    comparison:
      stored.old.layout.version === stored.new.layout.version ? { kind: 'same-to-reader' } : comparison,
    source: stored.isStored ? 'stored' : 'computed',
    title: delta.to.title,
    ...(partial !== undefined && { partial }),
    told,
    operations,
  };
}

/** Without layouts the same bytes are the same, and nothing else is known. */
async function byBytes(
  { url, from, to }: Pick<StoredDelta, 'url' | 'from' | 'to'>,
  why: string,
  catalog: CaptureCatalog,
): Promise<Comparison> {
  const [old, now] = [await catalog.closest(url, from), await catalog.closest(url, to)];
  if (!old || !now) return { kind: 'not-comparable', why };
  if (old.recordId === now.recordId) return { kind: 'same-bytes' };
  const said = compareCaptures(old, now, { layouts: new Map(), deltas: new Map() });
  return said.kind === 'not-comparable' && old.status === now.status ? { kind: 'not-comparable', why } : said;
}
