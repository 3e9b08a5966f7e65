import type { CaptureFact } from '../../model/capture.ts';
import { surt } from '../../model/surt.ts';
import type { Millis } from '../../model/time.ts';
import type { AskedChoice, VersionChoice } from '../../model/version-choice.ts';
import type { CaptureNeighbours, Catalog } from '../../ports/catalog.ts';
import { type Chances, likelier, versionChances } from '../../science/browsing/version-chances.ts';
import { storedLooks } from '../capture-history.ts';
import { compareCaptures } from '../compare-captures.ts';
import { formatTimestamp } from '../replay-url.ts';
import { urlVariants } from '../url-variants.ts';
import { datedEvidence, type EvidenceSources } from './dated-evidence.ts';
import { expectationOf } from './page-expectation.ts';
import { type CameFrom, teaserEvidence } from './teaser.ts';

export interface ChoiceRequest {
  readonly url: string;
  readonly at: Millis;
  readonly asked: AskedChoice;
  /** The page whose link was followed. */
  readonly from?: CameFrom;
}

/** A capture that answers, and the chance that it shows what was there. */
export interface OfferedVersion {
  readonly choice: Exclude<VersionChoice, 'capture'>;
  readonly at: Millis;
  readonly timestamp: string;
  readonly status: number;
  readonly chance: number;
}

export interface AnsweringVersion {
  /** As it is archived. */
  readonly url: string;
  /** The moment that was asked for. */
  readonly day: Millis;
  readonly choice: VersionChoice;
  readonly at: Millis;
  readonly timestamp: string;
  readonly status: number;
  /** Chance that this version was there at that moment. */
  readonly confidence: number;
  /** Chance that none of the captures around it was. */
  readonly neither: number;
  /** In a sentence. */
  readonly why: string;
  /** Whether the captures around the moment show a reader the same; absent where one of them is missing. */
  readonly areEqual?: boolean;
  readonly basis: 'pattern' | 'prior';
  readonly evidence: readonly string[];
  readonly alternatives: readonly OfferedVersion[];
  /** Of `capture`: the site capture, and whether this page had to be taken from elsewhere. */
  readonly capture?: {
    readonly crawl: number;
    readonly key: string;
    readonly startedAt: Millis;
    readonly finishedAt?: Millis;
    readonly isElsewhere: boolean;
  };
}

export interface ChoosingArchive extends EvidenceSources {
  readonly catalog: Catalog;
}

/** Undefined where nothing of the URL is archived. */
export async function chooseVersion(
  archive: ChoosingArchive,
  request: ChoiceRequest,
): Promise<AnsweringVersion | undefined> {
  const { catalog } = archive;
  const around = await neighboursOf(catalog, request.url, request.at);
  if (!around) return undefined;
  if (request.asked.choice === 'capture') return inCapture(archive, request, around, request.asked.crawl);
  return chosen(archive, request, around, request.asked.choice);
}

async function neighboursOf(
  catalog: Catalog,
  url: string,
  at: Millis,
): Promise<CaptureNeighbours | undefined> {
  const vain = new Set<string>();
  for (const variant of urlVariants(url)) {
    // Where nothing is found, nothing is of the spellings with the same SURT key.
    const key = surt(variant);
    if (vain.has(key)) continue;
    const around = await catalog.neighbours(variant, at);
    if (around.before ?? around.after) return around;
    vain.add(key);
  }
  return undefined;
}

async function chosen(
  archive: ChoosingArchive,
  { at, from }: ChoiceRequest,
  { before, after }: CaptureNeighbours,
  choice: Exclude<VersionChoice, 'capture'>,
): Promise<AnsweringVersion> {
  const { catalog } = archive;
  const { url } = (before ?? after) as CaptureFact;
  const { expected, basis } = await expectationOf(catalog, url);
  const both = before && after ? { before, after } : undefined;
  const isExact = before?.at === at;
  const areEqual = both !== undefined && (await showTheSame(catalog, both));
  const isOpen = both !== undefined && !areEqual && !isExact;
  const dated = isOpen ? await datedEvidence(archive, { ...both, at }) : [];
  const teaser = isOpen && from ? await teaserEvidence(archive, from, both) : undefined;
  const chances: Chances = isExact
    ? { before: 1, after: 0, neither: 0 }
    : versionChances({
        at: at / 1000,
        ...(before && { before: before.at / 1000 }),
        ...(after && { after: after.at / 1000 }),
        areEqual,
        expected,
        evidence: dated.flatMap(({ dates }) => dates),
        ...(teaser && { likelihood: teaser.likelihood }),
      });
  const side = sideOf(choice, { before, after, at }, chances);
  const offer = (of: Exclude<VersionChoice, 'capture'>): OfferedVersion[] => {
    const where = sideOf(of, { before, after, at }, chances);
    const fact = where === 'before' ? before : after;
    if (!fact || (of !== where && of !== 'closest' && of !== 'likely')) return [];
    return [{ choice: of, ...shown(fact), chance: chances[where] }];
  };
  const fact = (side === 'before' ? before : after) as CaptureFact;
  const evidence = [...dated, ...(teaser ? [teaser] : [])].map(({ words }) => words);
  return {
    url,
    day: at,
    choice,
    ...shown(fact),
    confidence: chances[side],
    neither: chances.neither,
    why: reason(choice, {
      side,
      areEqual,
      isExact,
      both: both !== undefined,
      basis,
      evidence: evidence.length,
    }),
    ...(both && { areEqual }),
    basis,
    evidence,
    alternatives: (['likely', 'before', 'after', 'closest'] as const).flatMap(offer),
  };
}

const shown = ({ at, status }: CaptureFact) => ({ at, timestamp: formatTimestamp(at), status });

async function showTheSame(
  catalog: Catalog,
  { before, after }: { readonly before: CaptureFact; readonly after: CaptureFact },
): Promise<boolean> {
  const { kind } = compareCaptures(before, after, await storedLooks(catalog, after.url));
  return kind === 'same-bytes' || kind === 'same-to-reader';
}

/** The side that a choice takes; where there is a capture on one side alone, that one. */
function sideOf(
  choice: Exclude<VersionChoice, 'capture'>,
  { before, after, at }: { before: CaptureFact | undefined; after: CaptureFact | undefined; at: Millis },
  chances: Chances,
): 'before' | 'after' {
  if (!before || !after) return before ? 'before' : 'after';
  if (choice === 'before' || choice === 'after') return choice;
  if (choice === 'closest') return at - before.at <= after.at - at ? 'before' : 'after';
  return likelier(chances);
}

function reason(
  choice: VersionChoice,
  of: { side: string; areEqual: boolean; isExact: boolean; both: boolean; basis: string; evidence: number },
): string {
  if (of.isExact && of.side === 'before') return 'it was captured at that very moment';
  if (!of.both) return `there is no capture ${of.side === 'before' ? 'after' : 'before'} that moment`;
  if (of.areEqual) return 'the captures before and after show the same';
  if (choice === 'before') return 'the last capture before was asked for';
  if (choice === 'after') return 'the first capture after was asked for';
  if (choice === 'closest') return 'the closest capture was asked for';
  const by =
    of.basis === 'pattern'
      ? "by the page's own pattern"
      : 'by distance: nothing is learnt yet of when it changes';
  const more = of.evidence > 0 ? ', and by what dates the change' : '';
  return `the page changed between the two captures, more likely ${of.side === 'before' ? 'after' : 'before'} that moment ${by}${more}`;
}

/**
 * The version of one site capture; of a page that it does not hold, what is most likely at its time, and marked. Its chances are those of
 * the moment that was asked for, which may be days from the capture.
 */
async function inCapture(
  archive: ChoosingArchive,
  request: ChoiceRequest,
  around: CaptureNeighbours,
  crawlId: number,
): Promise<AnsweringVersion | undefined> {
  const { catalog } = archive;
  const crawl = (await catalog.crawls()).find(({ id }) => id === crawlId);
  if (!crawl) return undefined;
  const capture = {
    crawl: crawl.id,
    key: crawl.key,
    startedAt: crawl.startedAt,
    ...(crawl.finishedAt !== undefined && { finishedAt: crawl.finishedAt }),
  };
  for (const variant of urlVariants(request.url)) {
    const visits = await catalog.visits({ crawlId, url: variant, limit: 100 });
    const visit = visits.findLast(({ outcome }) => outcome === 'captured' || outcome === 'unchanged');
    const then = visit && (await neighboursOf(catalog, variant, visit.at));
    if (!visit || !then) continue;
    const own = await chosen(archive, { ...request, at: visit.at }, then, 'closest');
    return {
      ...(await atMoment(archive, request, around, own)),
      why: `it was captured in crawl ${crawl.id}`,
      capture: { ...capture, isElsewhere: false },
    };
  }
  const at = Math.min(Math.max(request.at, crawl.startedAt), crawl.finishedAt ?? request.at);
  const then = await neighboursOf(catalog, request.url, at);
  if (!then) return undefined;
  const other = await chosen(archive, { ...request, at }, then, 'likely');
  return {
    ...(await atMoment(archive, request, around, other)),
    why: `crawl ${crawl.id} does not hold it; taken from elsewhere: ${other.why}`,
    capture: { ...capture, isElsewhere: true },
  };
}

/** A version that is shown whatever the moment: with the chance that it was there at that moment. */
async function atMoment(
  archive: ChoosingArchive,
  request: ChoiceRequest,
  around: CaptureNeighbours,
  { url, at, timestamp, status }: AnsweringVersion,
): Promise<AnsweringVersion> {
  const moment = await chosen(archive, request, around, 'likely');
  // Seen on neither side of the moment: something else was there since, or had not gone yet.
  const confidence = moment.alternatives.find((one) => one.at === at)?.chance ?? 0;
  return { ...moment, url, at, timestamp, status, choice: 'capture', confidence };
}
