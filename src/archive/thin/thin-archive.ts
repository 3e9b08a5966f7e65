import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryBody } from '../../model/body.ts';
import type { CaptureEvent, PageInfo } from '../../model/capture.ts';
import { DROPPED } from '../../model/derived-uris.ts';
import type { Millis } from '../../model/time.ts';
import type { DroppedVisit } from '../../ports/catalog.ts';
import type { StayReason } from '../../science/retention/choose-versions.ts';
import { type EventToDrop, rewriteWarc } from '../../warc/rewrite-file.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import type { HeldEvent } from './held-events.ts';
import {
  planThinning,
  type StorageBudget,
  type ThinningOptions,
  type ThinningPlan,
} from './plan-thinning.ts';
import { nextName, type SwapStep, swapRecordFile } from './swap-record-file.ts';

export interface ThinOptions
  extends StorageBudget,
    Pick<ThinningOptions, 'imported' | 'busy' | 'now' | 'keep'> {
  /** Only reports what would go. */
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (what: string, done: number, of: number) => void;
  /** After each step of each file; tests stop here. */
  readonly onStep?: (step: 'staged' | SwapStep) => void;
}

export interface DroppedVersion {
  readonly url: string;
  readonly at: Millis;
  readonly bytes: number;
  /** Visits that found the version. */
  readonly visits: number;
  readonly why: string;
}

/** The result of thinning; the fields that scripts rely on are named in docs/json.md. */
export interface ThinReport {
  readonly dryRun: boolean;
  /** Size of all record files before and after, in bytes; expected in a dry run. */
  readonly before: number;
  readonly after: number;
  /** The archive's budget; null where only sites have one. */
  readonly storage: number | null;
  /** Bytes over budget although nothing more may go; 0 where the budgets are met. */
  readonly over: number;
  readonly versions: readonly DroppedVersion[];
  readonly visits: number;
  /** Versions of pages with three or more visits that stay whatever the budget, by reason. */
  readonly staying: Readonly<Partial<Record<StayReason, number>>>;
  /** Record files that were, or would be, rewritten, and their size before. */
  readonly files: number;
  readonly rewritten: number;
}

/**
 * Thins out versions of pages until the archive fits into its storage; decisions/0052 says what stays. The caller holds
 * the archive's lock, and lets nothing else write meanwhile: a crawl could refer to a record that is about to go.
 */
export async function thinArchive(archive: OpenArchive, options: ThinOptions): Promise<ThinReport> {
  const { now, signal, dryRun = false, onProgress = () => {} } = options;
  const plan = await planThinning(archive, {
    ...options,
    onProgress: (file) => onProgress(`looking at ${file}`, 0, 1),
  });
  const report = {
    ...{
      dryRun,
      before: plan.bytes,
      storage: options.storage ?? null,
      over: plan.over,
      staying: plan.staying,
    },
    versions: plan.chosen.map(({ url, at, bytes, visits, why }) => ({
      url,
      at,
      bytes,
      visits: visits.length,
      why,
    })),
    visits: plan.chosen.reduce((sum, { visits }) => sum + visits.length, 0),
    files: plan.files.length,
  };
  const why = whyOf(plan);
  // Up to the length that the catalog knows; unknown files are not rewritten.
  const lengths = new Map((await archive.catalog.warcFiles()).map(({ file, length }) => [file, length]));
  const [sizes, changes]: [number[], number[]] = [[], []];
  for (const [i, file] of plan.files.entries()) {
    signal?.throwIfAborted();
    const size = lengths.get(file) ?? 0;
    sizes.push(size);
    if (dryRun) continue;
    onProgress(`rewriting ${file}`, i, plan.files.length);
    changes.push((await thinFile(archive, file, eventsOf(plan, file, why, now), options)) - size);
  }
  const change = dryRun ? -plan.freed : changes.reduce((sum, one) => sum + one, 0);
  return { ...report, after: plan.bytes + change, rewritten: sizes.reduce((sum, one) => sum + one, 0) };
}

type Reasons = ReadonlyMap<HeldEvent, string>;

const whyOf = ({ chosen }: ThinningPlan): Reasons =>
  new Map(chosen.flatMap(({ visits, why }) => visits.map((visit) => [visit, why] as const)));

function eventsOf({ needed }: ThinningPlan, file: string, why: Reasons, now: Millis): readonly EventToDrop[] {
  const own = [...why.keys()].filter((event) => event.file === file).sort((a, b) => a.from - b.from);
  return own.map((event) => ({
    ...{ eventId: event.eventId, url: event.url, from: event.from, to: event.to, was: event.was },
    needed: needed.get(file) ?? new Set(),
    told: (info, bytes) => told(info, { at: now, bytes, why: why.get(event) ?? '' }),
  }));
}

/** As for a version that was never stored: what it was stays as a fact, and no layout of it is archived. */
function told(info: PageInfo, dropped: NonNullable<PageInfo['dropped']>): DroppedVisit['page'] {
  const { layoutAt: _, version, ...rest } = info;
  if (!version) throw new Error(`the page info of ${info.url} tells of no version`);
  return { ...rest, version: { ...version, kept: false }, dropped };
}

/** Resolves with the size of the new file in bytes. */
async function thinFile(
  archive: OpenArchive,
  file: string,
  events: readonly EventToDrop[],
  { now, onStep = () => {} }: ThinOptions,
): Promise<number> {
  const { folder } = archive;
  const to = await nextName(archive, file);
  const staging = await mkdtemp(join(folder.tmp, 'thin-'));
  try {
    const staged = join(staging, to);
    // From the store, not from a copy that may be damaged: what is rewritten now is all that remains.
    const source = join(folder.remote ? staging : folder.warc, file);
    await folder.remote?.copyTo(file, source);
    const rewritten = await rewriteWarc({
      source,
      target: staged,
      name: to,
      events,
      closing: (dropped) => closing(file, dropped, now),
      spool: () => join(staging, randomUUID()),
    });
    onStep('staged');
    await swapRecordFile(
      archive,
      staged,
      { from: file, to, ...rewritten, ...(folder.remote && { replacedAt: now }) },
      onStep,
    );
    return rewritten.length;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** The last event of a rewritten file: it says that the file was rewritten, when, and how much went. */
function closing(from: string, dropped: readonly DroppedVisit[], now: Millis): CaptureEvent {
  const uri = `${DROPPED}${encodeURIComponent(from)}`;
  const fact = {
    at: now,
    from,
    visits: dropped.length,
    bytes: dropped.reduce((sum, { page }) => sum + (page.dropped?.bytes ?? 0), 0),
  };
  const body = memoryBody(Buffer.from(JSON.stringify(fact)));
  return {
    ...{ id: randomUUID(), url: uri, at: now, exchanges: [] },
    derived: [{ uri, contentType: 'application/json', body }],
  };
}
