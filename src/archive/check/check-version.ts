import { textOf } from '../../model/body.ts';
import type { PageInfo } from '../../model/capture.ts';
import { pageInfoUri, snapshotUri } from '../../model/derived-uris.ts';
import { deviceOfSize } from '../../model/device.ts';
import type { MissingResource, PageCheck } from '../../model/page-check.ts';
import type { PageSnapshot } from '../../model/page-snapshot.ts';
import { BEHAVIORS, behaviorsTold } from '../../model/page-spec.ts';
import { unpackSnapshot, whyCut } from '../../model/snapshot-codec.ts';
import type { Millis } from '../../model/time.ts';
import type { AdRecogniser } from '../../ports/ad-recogniser.ts';
import type { PageAnalyser } from '../../ports/page-analyser.ts';
import type { Picture } from '../../ports/renderer.ts';
import { judgeReplay, lostTwice, type ReplayFindings } from '../../science/check/judge-replay.ts';
import { lookShift } from '../../science/check/look-shift.ts';
import type { LookedAt, LookManner, VersionEye } from '../analyse/look-at-version.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { systemClock } from '../system-clock.ts';
import { missingResources } from './missing-resources.ts';

export interface CheckParts {
  readonly archive: Pick<OpenArchive, 'catalog' | 'reader'>;
  readonly eye: Pick<VersionEye, 'look'>;
  readonly analyser: PageAnalyser;
  readonly ads: AdRecogniser;
}

/** A capture that was seen live, and the capture whose layout shows it: itself, or an earlier one that looked the same. */
export interface SeenVersion {
  readonly url: string;
  readonly at: Millis;
  readonly layoutAt: Millis;
}

/** Parts and resources listed by name; all of them are counted. */
const NAMED = 50;
const NOTHING = { missing: [], missingCount: 0, lost: [], lostCount: 0, neverHad: 0 } as const;

/** A verdict, and what replay showed. */
export interface CheckedVersion {
  readonly check: PageCheck;
  /** The first screen of a page that is not whole, so that the loss can be seen; small where the page is whole. */
  readonly picture?: Picture;
}

/** Shows a capture offline, out of the records alone, and compares it with what was seen live. */
export async function checkVersion(version: SeenVersion, parts: CheckParts): Promise<CheckedVersion> {
  let seen: LookedAt | undefined;
  const eye: Pick<VersionEye, 'look'> = {
    async look(...given) {
      seen = await parts.eye.look(...given);
      return seen;
    },
  };
  const check = await verdictOn(version, { ...parts, eye });
  const { firstScreen, thumbnail } = seen ?? {};
  const picture = check.verdict === 'whole' ? thumbnail : (firstScreen ?? thumbnail);
  return { check, ...(picture && { picture }) };
}

async function verdictOn(version: SeenVersion, parts: CheckParts): Promise<PageCheck> {
  const { url, at } = version;
  const { analyser, eye, archive, ads } = parts;
  const head = { url, at, madeAt: systemClock.now() };
  const unseen = (why: string): PageCheck => ({ ...head, verdict: 'unseen', ...NOTHING, facts: [why] });
  const live = await derived(snapshotUri(url), version.layoutAt, archive);
  if (live === undefined) return unseen('its snapshot cannot be read: there is nothing to compare with');
  const info = (await pageInfo(url, at, archive)) ?? (await pageInfo(url, version.layoutAt, archive));
  const snapshot = unpacked(live);
  if (!snapshot) return unseen('its snapshot is damaged: there is nothing to compare with');
  const { manner, ownScripts } = mannerOf(snapshot, info);
  const shown = await eye.look(url, at, manner);
  const { missing, neverHad } = await missingResources(info, shown.missing, snapshot, {
    ...archive,
    ads,
    at,
  });
  const cut = whyCut(live);
  const facts = [
    ...shown.facts,
    ...(info ? [] : ['its page info cannot be read: only what replay asks for is known to be missing']),
    ...(ownScripts.length === 0
      ? []
      : [
          `${ownScripts.join(', ')} changed the live page and are not in the archive: layouts are not compared`,
        ]),
    ...(cut === undefined ? [] : [`only a part of it was seen live: ${cut}`]),
  ];
  const named = { missing: missing.slice(0, NAMED), missingCount: missing.length, neverHad };
  if (shown.packed === undefined)
    return { ...head, verdict: 'damaged', score: 0, ...named, lost: [], lostCount: 0, facts };
  try {
    let found = ownScripts.length > 0 ? SAME : await compared(head, live, shown.packed, analyser);
    let judged = judgeReplay({ ...found, missing });
    // Everything received live is there, and yet the page looks different: what rotates by itself shows something else
    // on a second look.
    const again =
      judged.verdict === 'damaged' && !missing.some(counts) ? await eye.look(url, at, manner) : undefined;
    if (again?.packed !== undefined) {
      found = lostTwice(found, await compared(head, live, again.packed, analyser));
      judged = judgeReplay({ ...found, missing });
    }
    return {
      ...head,
      verdict: judged.verdict,
      score: judged.score,
      shift: Math.round(found.shift * 1e4) / 1e4,
      ...named,
      missing: judged.missing.slice(0, NAMED),
      lost: judged.lost.slice(0, NAMED),
      lostCount: judged.lost.length,
      facts,
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      ...head,
      ...{ verdict: missing.some(counts) ? 'damaged' : 'unseen', ...named, lost: [], lostCount: 0 },
      facts: [...facts, `not compared: ${why}`],
    };
  }
}

const SAME = { operations: [], shift: 0 } as const;

/** The same window and the same behaviours, as far as the archive knows them. */
function mannerOf(
  { viewport }: PageSnapshot,
  info: PageInfo | undefined,
): { readonly manner: LookManner; readonly ownScripts: readonly string[] } {
  const told = behaviorsTold(info?.facts ?? []);
  const known = BEHAVIORS.filter((name) => told.includes(name));
  return {
    manner: { device: deviceOfSize(viewport), behaviors: ['autoscroll', ...known] },
    ownScripts: told.filter((name) => !(BEHAVIORS as readonly string[]).includes(name)),
  };
}

const counts = ({ advertisement }: MissingResource): boolean => !advertisement;

/** Compared from replay to live: what is new in this direction is what replay lost. */
async function compared(
  { url, at, madeAt }: Pick<PageCheck, 'url' | 'at' | 'madeAt'>,
  live: string,
  shown: string,
  analyser: PageAnalyser,
): Promise<Omit<ReplayFindings, 'missing'>> {
  const analysis = await analyser.analyse({
    url,
    version: new Date(at).toISOString(),
    packed: live,
    previous: { kind: 'snapshot', packed: shown, version: new Date(madeAt).toISOString() },
  });
  return {
    operations: analysis.kind === 'changed' ? analysis.change.operations : [],
    shift: lookShift(unpackSnapshot(live), unpackSnapshot(shown)),
  };
}

async function pageInfo(
  url: string,
  at: Millis,
  archive: CheckParts['archive'],
): Promise<PageInfo | undefined> {
  const text = await derived(pageInfoUri(url), at, archive);
  try {
    const info = JSON.parse(text ?? 'null') as Partial<PageInfo> | null;
    // Other tools write records of this name as well.
    const isOurs = typeof info?.url === 'string' && Array.isArray(info.facts) && isRecord(info.resources);
    return isOurs ? (info as PageInfo) : undefined;
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function unpacked(packed: string): PageSnapshot | undefined {
  try {
    return unpackSnapshot(packed);
  } catch {
    return undefined;
  }
}

/** The derived record of exactly this moment; a damaged one counts as absent, since `verify` reports it. */
async function derived(
  uri: string,
  at: Millis,
  { catalog, reader }: CheckParts['archive'],
): Promise<string | undefined> {
  const fact = await catalog.closest(uri, at);
  if (fact?.at !== at) return undefined;
  return reader.read(fact).then(
    ({ payload }) => textOf(payload),
    () => undefined,
  );
}
