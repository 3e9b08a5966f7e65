import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { type CheckSummary, summaryOf } from '../../access/stored-checks.ts';
import { memoryBody } from '../../model/body.ts';
import { checkUri, replayedUri } from '../../model/derived-uris.ts';
import type { MissingResource, PageCheck } from '../../model/page-check.ts';
import { type DerivedStore, openDerivedStore } from '../analyse/derived-store.ts';
import { openVersionEye } from '../analyse/look-at-version.ts';
import { openPageAnalyser } from '../analysis/analysis-thread.ts';
import { cacheFolder } from '../cache-folder.ts';
import { openAdRecogniser } from '../look/page-parts.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { type CheckedVersion, type CheckParts, checkVersion, type SeenVersion } from './check-version.ts';
import { choosePages } from './choose-pages.ts';
import { type Mender, openMender } from './mend.ts';

/** For one page in the browser, in milliseconds. */
export const CHECK_TIME_LIMIT = 60_000;

/** Which pages, and how; also the form in which a process may ask the archive's writer for it. */
export const CHECK_INPUT = z.object({
  site: z.string().optional(),
  url: z.string().optional(),
  /** Of the page, the capture nearest to this time. */
  at: z.number().int().optional(),
  /** Only captures of this crawl. */
  crawl: z.number().int().optional(),
  /** At most this many pages, drawn by lot. */
  sample: z.number().int().positive().optional(),
  seed: z.number().int().default(1),
  /** Request from the web again what is missing. */
  mend: z.boolean().default(false),
  allowPrivate: z.boolean().default(false),
  workers: z.number().int().positive().max(64).optional(),
  timeLimit: z.number().positive().default(CHECK_TIME_LIMIT),
});
export type CheckInput = z.infer<typeof CHECK_INPUT>;

/** About the newest capture of each page that was seen live. */
export interface CheckReport extends CheckSummary {
  readonly state: 'finished' | 'stopped';
  /** Pages without a layout seen live: `--render never`, imports. They are not checked. */
  readonly notSeenLive: number;
  /** Pages that the sample left out, or that were not reached. */
  readonly left: number;
  readonly missing: number;
  readonly mended: number;
  /** Worst first. */
  readonly pages: readonly PageCheck[];
}

export interface CheckWork {
  readonly onProgress?: (url: string, done: number, of: number) => void;
  readonly onPage?: (check: PageCheck) => void;
  readonly signal?: AbortSignal;
  /** Nobody waits for the result any longer. */
  readonly gone?: AbortSignal;
}

/** Shows captures offline and compares them with what was seen live; each verdict is a record before the next page begins. */
export async function checkInto(
  archive: OpenArchive,
  input: CheckInput,
  { onProgress = () => {}, onPage = () => {}, signal, gone }: CheckWork = {},
): Promise<CheckReport> {
  const { versions, notSeenLive, leftOut } = await choosePages(archive, input);
  const isStopped = (): boolean => signal?.aborted === true || gone?.aborted === true;
  const checks: PageCheck[] = [];
  if (versions.length > 0) {
    const workers = Math.min(input.workers ?? Math.max(2, availableParallelism()), versions.length);
    await withParts(archive, { ...input, tabs: workers }, async (parts, store, mender) => {
      const waiting = versions.values();
      let failure: { readonly error: unknown } | undefined;
      const work = async (): Promise<void> => {
        for (const version of waiting) {
          if (failure || isStopped()) return;
          const check = await checkAndMend(version, parts, store, mender);
          checks.push(check);
          onPage(check);
          onProgress(version.url, checks.length, versions.length);
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
  return reportOf(checks, {
    notSeenLive,
    left: leftOut + versions.length - checks.length,
    isStopped: isStopped(),
  });
}

async function checkAndMend(
  version: SeenVersion,
  parts: CheckParts,
  store: DerivedStore,
  mender: Mender | undefined,
): Promise<PageCheck> {
  const first = await checkVersion(version, parts);
  await keep(first, store);
  const wanted = first.check.missing.filter(({ advertisement }: MissingResource) => !advertisement);
  if (!mender || wanted.length === 0) return first.check;
  const mended = await mender.mend(version, wanted);
  // What was fetched is in the archive now: the page is judged by what replay shows with it.
  const { check, ...shown } = await checkVersion(version, parts);
  const again = { ...check, mended };
  await keep({ check: again, ...shown }, store);
  return again;
}

const keep = async ({ check, picture }: CheckedVersion, store: DerivedStore): Promise<void> => {
  const { url, madeAt } = check;
  const body = memoryBody(Buffer.from(JSON.stringify(check)));
  await store.add({
    url,
    at: madeAt,
    exchanges: [],
    derived: [
      ...(picture
        ? [{ uri: replayedUri(url), contentType: picture.contentType, body: memoryBody(picture.bytes) }]
        : []),
      { uri: checkUri(url), contentType: 'application/json', body },
    ],
  });
};

function reportOf(
  checks: readonly PageCheck[],
  rest: { readonly notSeenLive: number; readonly left: number; readonly isStopped: boolean },
): CheckReport {
  const { isStopped, ...left } = rest;
  return {
    state: isStopped ? 'stopped' : 'finished',
    ...summaryOf(checks),
    ...left,
    missing: checks.reduce((sum, { missingCount }) => sum + missingCount, 0),
    mended: checks.reduce(
      (sum, { mended = [] }) => sum + mended.filter(({ outcome }) => outcome !== 'failed').length,
      0,
    ),
    pages: [...checks].sort((a, b) => (a.score ?? 1) - (b.score ?? 1) || (a.url < b.url ? -1 : 1)),
  };
}

async function withParts(
  archive: OpenArchive,
  options: CheckInput & { readonly tabs: number },
  work: (parts: CheckParts, store: DerivedStore, mender: Mender | undefined) => Promise<void>,
): Promise<void> {
  const { tabs, timeLimit, mend, allowPrivate } = options;
  const eye = openVersionEye(archive, { tabs, timeLimit, asReplayed: true, pictures: true });
  const store = openDerivedStore(archive);
  const analyser = await openPageAnalyser({ cacheFolder: cacheFolder() }, undefined, timeLimit);
  const mender = mend ? openMender(archive, store, { allowPrivate }) : undefined;
  const ads = (await openAdRecogniser()).recogniser;
  let isBrokenOff = true;
  try {
    await work({ archive, eye, analyser, ads }, store, mender);
    isBrokenOff = false;
  } finally {
    await eye.close().catch(() => {});
    await analyser.close();
    await mender?.close();
    await store.close({ isBrokenOff });
  }
}
