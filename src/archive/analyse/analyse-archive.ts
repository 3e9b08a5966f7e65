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

/** For one version, in milliseconds; doubled where the page does not finish with its scripts. */
export const TIME_LIMIT = 60_000;

/** Which captures, and how; also the form in which a process may ask the archive's writer for it. */
export const ANALYSIS_INPUT = z.object({
  site: z.string().optional(),
  url: z.string().optional(),
  from: z.number().optional(),
  to: z.number().optional(),
  /** At most this many versions. */
  limit: z.number().int().positive().optional(),
  /** Also those whose layout was made by a segmenter other than the current one. */
  again: z.boolean().default(false),
  /** Also those whose earlier analysis failed. */
  retry: z.boolean().default(false),
  /** Pages analysed at a time. */
  workers: z.number().int().positive().max(64).optional(),
  timeLimit: z.number().positive().default(TIME_LIMIT),
});
export type AnalysisInput = z.infer<typeof ANALYSIS_INPUT>;

export interface AnalysisReport {
  readonly state: 'finished' | 'limit' | 'stopped';
  /** Pages of which something was analysed. */
  readonly pages: number;
  readonly versions: number;
  /** Versions without a comparable one before them. */
  readonly layouts: number;
  readonly deltas: number;
  /** Versions that show a reader what the one before showed. */
  readonly same: number;
  readonly failed: number;
  /** Of `versions`: longer than a snapshot may be, so that only a part of each was analysed. */
  readonly partial: number;
  /** Of `versions`: compared again, since a different version now precedes them. */
  readonly successors: number;
  /** Versions byte-identical to the one before, which need no look. */
  readonly repeated: number;
  /** Versions not done, because of the limit or because the run was stopped. */
  readonly left: number;
  /** Facts of the first versions that have any. */
  readonly facts: readonly { readonly url: string; readonly at: number; readonly facts: readonly string[] }[];
  /** Versions with facts beyond those listed. */
  readonly more: number;
}

export interface AnalysisWork {
  /** `of` is the expected count; successors may be added to it. */
  readonly onProgress?: (url: string, done: number, of: number) => void;
  readonly onVersion?: (version: AnalysedVersion) => void;
  readonly signal?: AbortSignal;
  /** Nobody waits for the result any longer. */
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
 * Layouts and deltas for stored captures that have none, as records: pages in parallel, the versions of a page in
 * sequence. Each result is stored at once, so the next run resumes where one ended, however it ended.
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

/** The page or site under the name the archive uses. */
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

/**
 * Pages with something to do, and how much, by what is stored now. Whether a crawl's layout is current is only known
 * later, from its record.
 */
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
      // A version that is about to be looked at may have a layout already: what that leads to is seen then.
      before =
        task === 'new'
          ? { ...before, payload: version.payload, isKnown: true }
          : after(version, look, before);
    }
    if (tasks > 0) pages.push(page.url);
  }
  return { pages, versions, repeated };
}

/** What versions are looked at with; open while the work lasts. */
export async function withParts(
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
