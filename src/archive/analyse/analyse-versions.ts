import { textOf } from '../../model/body.ts';
import type { CaptureFact } from '../../model/capture.ts';
import { layoutUri, snapshotUri } from '../../model/derived-uris.ts';
import { isPrivate } from '../../model/private-capture.ts';
import { whyCut } from '../../model/snapshot-codec.ts';
import type { Millis } from '../../model/time.ts';
import type { VersionAnalysis } from '../../model/version-analysis.ts';
import type { StoredVersion, VersionLook } from '../../ports/catalog.ts';
import type { PageAnalyser } from '../../ports/page-analyser.ts';
import { USUAL_SEGMENTER } from '../../science/layout/page-layout.ts';
import { parseViXml } from '../../science/layout/vi-xml.ts';
import { type AnalysedPage, analyseStored } from '../../stages/analyse-page.ts';
import {
  type AnalysisTask,
  type AnalysisWish,
  after,
  type Before,
  NOTHING_BEFORE,
  taskFor,
} from '../../stages/plan-analysis.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { systemClock } from '../system-clock.ts';
import type { AnalysisStore } from './analysis-store.ts';
import type { VersionEye } from './look-at-version.ts';

export interface AnalysisParts {
  readonly archive: Pick<OpenArchive, 'catalog' | 'reader'>;
  readonly eye: VersionEye;
  readonly analyser: PageAnalyser;
  readonly store: AnalysisStore;
}

export interface AnalysedVersion {
  readonly url: string;
  readonly at: Millis;
  readonly task: AnalysisTask;
  /** `same`: a reader sees what the version before showed. */
  readonly outcome: 'layout' | 'delta' | 'same' | 'failed';
  /** Longer than a snapshot may be: its layout and delta may not cover all of it. */
  readonly partial: boolean;
  readonly facts: readonly string[];
}

/** Called before each version: may one more be looked at? A successor counts against no limit, or its delta would stay wrong. */
export type Permit = (task: AnalysisTask) => boolean;

/** The versions of one page, in chronological order, each compared with the one before. */
export async function* analyseVersions(
  url: string,
  wish: AnalysisWish,
  parts: AnalysisParts,
  permit: Permit,
): AsyncGenerator<AnalysedVersion> {
  const { archive } = parts;
  const records = await storedRecords(url, archive);
  let before: Before = NOTHING_BEFORE;
  for await (const { versions } of archive.catalog.storedVersions({ url })) {
    for (const version of versions) {
      const isCurrent = await currentAt(version, wish, records, archive);
      const task = taskFor(version, before, wish, () => isCurrent);
      // It came in while the page was being worked through, and waits for the next run.
      const isTooNew = wish.left === true && task === 'new' && !records.snapshots.has(version.at);
      if (task === undefined || isTooNew || !permit(task)) {
        before = after(version, version.look, before);
        continue;
      }
      const { look, told } = await analyseVersion({ url, version, before, task }, records, parts);
      before = after(version, look, before);
      yield told;
    }
  }
}

/** Layouts and snapshots of a page, by capture time. */
interface StoredRecords {
  readonly layouts: Map<Millis, CaptureFact>;
  readonly snapshots: Map<Millis, CaptureFact>;
}

async function storedRecords(url: string, { catalog }: AnalysisParts['archive']): Promise<StoredRecords> {
  const byTime = async (uri: string): Promise<Map<Millis, CaptureFact>> => {
    const facts = new Map<Millis, CaptureFact>();
    for await (const fact of catalog.captures({ url: uri }))
      if (!facts.has(fact.at) && !isPrivate(fact)) facts.set(fact.at, fact);
    return facts;
  };
  return { layouts: await byTime(layoutUri(url)), snapshots: await byTime(snapshotUri(url)) };
}

/** Whether its layout was made by the current segmenter. A crawl does not record which one it used; the layout does. */
async function currentAt(
  { at, look }: StoredVersion,
  { again }: AnalysisWish,
  { layouts }: StoredRecords,
  { reader }: AnalysisParts['archive'],
): Promise<boolean> {
  if (!again || look?.layoutAt === undefined) return true;
  if (look.analyser !== undefined) return look.analyser === USUAL_SEGMENTER;
  const fact = layouts.get(at);
  // One that looked the same shares the layout of the earlier version.
  if (!fact) return true;
  try {
    return parseViXml(await textOf((await reader.read(fact)).payload)).segmenter === USUAL_SEGMENTER;
  } catch {
    // Damaged: a reason to remake it.
    return false;
  }
}

interface VersionTask {
  readonly url: string;
  readonly version: StoredVersion;
  readonly before: Before;
  readonly task: AnalysisTask;
}

async function analyseVersion(
  { url, version, before, task }: VersionTask,
  records: StoredRecords,
  { archive, eye, analyser, store }: AnalysisParts,
): Promise<{ readonly look: VersionLook; readonly told: AnalysedVersion }> {
  const { at } = version;
  const old = await storedSnapshot(version, records, archive);
  const shown =
    old === undefined
      ? await eye.look(url, at)
      : { packed: old, facts: version.look?.facts.filter(isLasting) ?? [] };
  const layout = before.layout && records.layouts.get(before.layout.at);
  const snapshot = before.layout && records.snapshots.get(before.layout.at);
  const last = layout && { layout, snapshot };
  const page: AnalysedPage =
    shown.packed === undefined
      ? { records: [], facts: [] }
      : await analyseStored(
          { url, at, packed: shown.packed, ...(last && { last }) },
          { analyser, ...archive },
        );
  const { layoutAt } = page;
  const partial = shown.packed !== undefined && whyCut(shown.packed) !== undefined;
  // What is archived already is not written again.
  const isStored = old !== undefined && records.snapshots.has(at);
  const written = page.records.filter(({ uri }) => !isStored || uri !== snapshotUri(url));
  const analysis: VersionAnalysis = {
    url,
    at,
    madeAt: madeNow(version, before),
    analyser: USUAL_SEGMENTER,
    ...(layoutAt !== undefined && { layoutAt }),
    ...(before.layout && { comparedAt: before.layout.at }),
    ...(layoutAt === at && (await isRecut(page, at, records, archive)) && { recut: true as const }),
    ...(written.some(({ uri }) => uri === snapshotUri(url)) && { snapshot: true as const }),
    facts: [...shown.facts, ...page.facts],
  };
  const captures = await store.add(analysis, written, page.change);
  note(captures, records);
  const { madeAt, comparedAt, recut = false, facts } = analysis;
  const look: VersionLook = {
    madeAt,
    analyser: USUAL_SEGMENTER,
    ...(layoutAt !== undefined && { layoutAt }),
    ...(comparedAt !== undefined && { comparedAt }),
    recut,
    facts,
  };
  return { look, told: { url, at, task, outcome: outcomeOf(page, at), partial, facts } };
}

/** Later than what it builds on, and than what it replaces: the clocks of machines differ. */
const madeNow = ({ look }: StoredVersion, { newest }: Before): Millis =>
  Math.max(systemClock.now(), newest ?? 0, look ? look.madeAt + 1 : 0);

const outcomeOf = ({ layoutAt, change }: AnalysedPage, at: Millis): AnalysedVersion['outcome'] =>
  layoutAt === undefined ? 'failed' : layoutAt !== at ? 'same' : change ? 'delta' : 'layout';

/** Facts of how a page was shown last; those of the analysis are found again each time. */
const isLasting = (fact: string): boolean => !/^no (?:layout|delta): /.test(fact);

/**
 * The snapshot stored when the version was captured or last looked at, if it can still be read; for a version that
 * looked the same as another, the snapshot of that other one.
 */
async function storedSnapshot(
  { at, look }: StoredVersion,
  { snapshots }: StoredRecords,
  { reader }: AnalysisParts['archive'],
): Promise<string | undefined> {
  const fact = snapshots.get(look?.layoutAt ?? at);
  if (!fact) return undefined;
  return reader.read(fact).then(
    ({ payload }) => textOf(payload),
    () => undefined,
  );
}

/** Whether a different layout was stored there before: what was compared with it must be compared again. */
async function isRecut(
  { records }: AnalysedPage,
  at: Millis,
  { layouts }: StoredRecords,
  { reader }: AnalysisParts['archive'],
): Promise<boolean> {
  const old = layouts.get(at);
  const now = records.find(({ uri }) => uri.startsWith('urn:layout:'))?.body.bytes;
  if (!old || !now) return false;
  try {
    const [was, is] = [await textOf((await reader.read(old)).payload), new TextDecoder().decode(now)].map(
      parseViXml,
    );
    return was?.root.id !== is?.root.id || was?.segmenter !== is?.segmenter;
  } catch {
    return true;
  }
}

function note(captures: readonly CaptureFact[], { layouts, snapshots }: StoredRecords): void {
  for (const fact of captures) {
    if (fact.url.startsWith(layoutUri(''))) layouts.set(fact.at, fact);
    if (fact.url.startsWith(snapshotUri(''))) snapshots.set(fact.at, fact);
  }
}
