import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { archivedUrl } from '../../access/capture-name.ts';
import { siteNamed } from '../../access/site-name.ts';
import { USUAL_SEGMENTER } from '../../science/layout/page-layout.ts';
import { learnAll } from '../../stages/learn-patterns.ts';
import { after, isRepeated, NOTHING_BEFORE, taskFor } from '../../stages/plan-analysis.ts';
import { openPageAnalyser } from '../analysis/analysis-thread.ts';
import { cacheFolder } from '../cache-folder.ts';
import { holidays } from '../holidays.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { UserError } from '../user-error.ts';
import { type AnalysedVersion, type AnalysisParts, analyseVersions } from './analyse-versions.ts';
import { openAnalysisStore } from './analysis-store.ts';
import { openVersionEye } from './look-at-version.ts';

/** Milliseconds for one version, twice where it does not end with its scripts. */
export const TIME_LIMIT = 60_000;

/** Which captures, and how: as a process may ask the archive's writer for it. */
export const ANALYSIS_INPUT = z.object({
  site: z.string().optional(),
  url: z.string().optional(),
  from: z.number().optional(),
  to: z.number().optional(),
  /** Versions at most. */
  limit: z.number().int().positive().optional(),
  /** Also those whose layout is by another segmenter than that of now. */
  again: z.boolean().default(false),
  /** Also those that came to nothing before. */
  retry: z.boolean().default(false),
  /** Pages at a time. */
  workers: z.number().int().positive().max(64).optional(),
  timeLimit: z.number().positive().default(TIME_LIMIT),
});
export type AnalysisInput = z.infer<typeof ANALYSIS_INPUT>;

export interface AnalysisReport {
  readonly state: 'finished' | 'limit' | 'stopped';
  /** Of which something was analysed. */
  readonly pages: number;
  readonly versions: number;
  /** Without a version before them that could be compared. */
  readonly layouts: number;
  readonly deltas: number;
  /** To a reader what the version before showed. */
  readonly same: number;
  readonly failed: number;
  /** Of `versions`: longer than is kept, so that only a part of each was analysed. */
  readonly partial: number;
  /** Of `versions`: compared again, since another one stands before them now. */
  readonly successors: number;
  /** Versions with the very bytes of the one before, which nobody need look at. */
  readonly repeated: number;
  /** Versions that were left, by the limit or because it was stopped. */
  readonly left: number;
  /** The first of them. */
  readonly facts: readonly { readonly url: string; readonly at: number; readonly facts: readonly string[] }[];
  /** Versions with facts past those. */
  readonly more: number;
}

export interface AnalysisWork {
  /** `of` is how many there seemed to be; successors may come on top. */
  readonly onProgress?: (url: string, done: number, of: number) => void;
  readonly onVersion?: (version: AnalysedVersion) => void;
  readonly signal?: AbortSignal;
  /** Nobody waits for it any more. */
  readonly gone?: AbortSignal;
}

/** Versions whose facts are in the report. */
const TOLD = 200;

interface Plan {
  readonly pages: readonly string[];
  readonly versions: number;
  readonly repeated: number;
}

/**
 * Layouts and deltas for stored captures that have none, as records: pages beside each other, the versions of a page one after
 * the other. What is done is stored at once, so that a run that ends in any way is gone on with by the next.
 */
export async function analyseInto(
  archive: OpenArchive,
  input: AnalysisInput,
  { onProgress = () => {}, onVersion = () => {}, signal, gone }: AnalysisWork = {},
): Promise<AnalysisReport> {
  const { catalog } = archive;
  const wish = { ...input, ...(await place(archive, input)) };
  const plan = await planned(archive, wish);
  const counts = { layout: 0, delta: 0, same: 0, failed: 0 };
  const touched = new Set<string>();
  const told: { url: string; at: number; facts: readonly string[] }[] = [];
  let [begun, done, denied, successors, more, partial] = [0, 0, 0, 0, 0, 0];
  const isStopped = (): boolean => signal?.aborted === true || gone?.aborted === true;
  const permit = (task: AnalysedVersion['task']): boolean => {
    if (isStopped()) return false;
    if (task === 'successor') return true;
    if (begun >= (input.limit ?? Number.POSITIVE_INFINITY)) {
      denied++;
      return false;
    }
    begun++;
    return true;
  };
  function noted(version: AnalysedVersion): void {
    const { url, at, task, outcome, facts } = version;
    if (version.partial) partial++;
    counts[outcome]++;
    touched.add(url);
    if (task === 'successor') successors++;
    else done++;
    if (facts.length > 0 && told.length < TOLD) told.push({ url, at, facts });
    else if (facts.length > 0) more++;
    onVersion(version);
    onProgress(url, done, plan.versions);
  }

  if (plan.pages.length > 0) {
    const workers = Math.min(input.workers ?? Math.max(2, availableParallelism()), plan.pages.length);
    await withParts(archive, { tabs: workers, timeLimit: input.timeLimit }, async (parts) => {
      const waiting = plan.pages.values();
      let failure: { readonly error: unknown } | undefined;
      const work = async (): Promise<void> => {
        for (const url of waiting) {
          if (failure || isStopped()) return;
          for await (const version of analyseVersions(url, wish, parts, (task) => !failure && permit(task)))
            noted(version);
        }
      };
      await Promise.all(
        Array.from({ length: workers }, () =>
          work().catch((error: unknown) => {
            failure ??= { error };
          }),
        ),
      );
      if (failure) throw failure.error;
    });
  }
  await learnAll({ catalog, holidays });
  const { layout: layouts, delta: deltas, same, failed } = counts;
  const left = isStopped() ? Math.max(0, plan.versions - done) : denied;
  return {
    state: isStopped() ? 'stopped' : denied > 0 ? 'limit' : 'finished',
    pages: touched.size,
    versions: layouts + deltas + same + failed,
    ...{ layouts, deltas, same, failed, partial, successors, left, more },
    repeated: plan.repeated,
    facts: told,
  };
}

/** The page or site as the archive names it. */
async function place(
  { catalog }: OpenArchive,
  { url, site }: AnalysisInput,
): Promise<{ readonly url?: string; readonly site?: string }> {
  if (site !== undefined) return { site: siteNamed(site, catalog.siteBounds()) };
  if (url === undefined) return {};
  const stored = await archivedUrl(url, catalog);
  if (stored === undefined)
    throw new UserError(`${url} is not in the archive: 'daguerre import' brings captures in`);
  return { url: stored };
}

/** Pages with something to do, and how much: of what is stored now. Whether a crawl's layout is current its record tells, later. */
async function planned({ catalog }: OpenArchive, wish: AnalysisInput): Promise<Plan> {
  const pages: string[] = [];
  let versions = 0;
  let repeated = 0;
  const { url, site } = wish;
  const which = { ...(url !== undefined && { url }), ...(site !== undefined && { site }) };
  for await (const page of catalog.storedVersions(which)) {
    let before = NOTHING_BEFORE;
    let tasks = 0;
    for (const version of page.versions) {
      const { look } = version;
      const task = taskFor(version, before, wish, () => look?.analyser === USUAL_SEGMENTER);
      if (task !== undefined) tasks++;
      if (task !== undefined && task !== 'successor') versions++;
      if (!look && isRepeated(version, before)) repeated++;
      // One that is to be looked at may have a layout of its own: what it leads to is seen then.
      before =
        task === 'new'
          ? { ...before, payload: version.payload, isKnown: true }
          : after(version, look, before);
    }
    if (tasks > 0) pages.push(page.url);
  }
  return { pages, versions, repeated };
}

async function withParts(
  archive: OpenArchive,
  options: Parameters<typeof openVersionEye>[1],
  work: (parts: AnalysisParts) => Promise<void>,
): Promise<void> {
  const eye = openVersionEye(archive, options);
  const store = openAnalysisStore(archive);
  const analyser = await openPageAnalyser({ cacheFolder: cacheFolder() }, undefined, options.timeLimit);
  let isBrokenOff = true;
  try {
    await work({ archive, eye, analyser, store });
    isBrokenOff = false;
  } finally {
    await eye.close().catch(() => {});
    await analyser.close();
    await store.close({ isBrokenOff });
  }
}
