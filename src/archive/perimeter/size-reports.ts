import type { Crawl } from '../../model/crawl.ts';
import type { Millis } from '../../model/time.ts';
import { ownRelevance } from '../../science/perimeter/evidence.ts';
import {
  type PerimeterSize,
  perimeterSize,
  type WeighedPage,
} from '../../science/perimeter/perimeter-size.ts';
import { featuresOf, statedCoefficients } from '../../science/perimeter/verdict.ts';
import { perimeterAsOf, type UrlThen } from '../../stages/restore-perimeter.ts';
import type { ArchiveLocation, OpenArchive } from '../open/open-archive.ts';
import { systemClock } from '../system-clock.ts';
import { addressFacts } from './address-facts.ts';
import { judgedPerimeter, type KnownPerimeter, settle, type WantedPerimeter } from './known-perimeter.ts';
import { reading } from './perimeter-reports.ts';

export interface KnownSize extends PerimeterSize {
  /** URLs that the archive knows: pages read, and not read. */
  readonly known: { readonly read: number; readonly unread: number };
  /** How many of them people have decided on: those count as the truth. */
  readonly decided: number;
}

export interface SizeReport extends KnownSize {
  readonly perimeter: string;
  readonly confidence: number;
  /** What could not be determined, in sentences. */
  readonly notes: readonly string[];
}

export interface SizeThen extends KnownSize {
  readonly at: Millis;
  /** The crawl that ended at this point; absent for the last point, which is now. */
  readonly crawl?: number;
}

export interface SizesReport {
  readonly perimeter: string;
  readonly confidence: number;
  /** Ends of older crawls that were left out. */
  readonly leftOut: number;
  /** Oldest first. */
  readonly points: readonly SizeThen[];
  readonly notes: readonly string[];
}

const CONFIDENCE = 0.95;
/** Pages times bootstrap rounds: about ten seconds. */
const WORK = 2_000_000;

/** `random`: uniform in [0, 1). */
export function sizeOfPerimeter(
  location: ArchiveLocation,
  wanted: WantedPerimeter,
  random: () => number,
): Promise<SizeReport> {
  return reading(location, async (archive) => {
    const now = systemClock.now();
    const known = await judgedPerimeter(archive, wanted, now);
    const size = sizeOf(known, await allUrls(archive, known), now, random);
    return { perimeter: known.spec.name, ...size, confidence: CONFIDENCE, notes: known.notes };
  });
}

/**
 * The size as it would have been estimated at the end of each of the last crawls that kept to the perimeter, and as it
 * is now. Computed from what is stored of pages, so nothing extra is kept, and a rebuilt catalog gives the same.
 *
 * @param points at most this many ends of crawls
 * @param random a fresh source for each point: the same archive gives the same intervals
 */
export function sizesOverTime(
  location: ArchiveLocation,
  wanted: WantedPerimeter,
  points: number,
  random: () => () => number,
): Promise<SizesReport> {
  return reading(location, async (archive) => {
    const now = systemClock.now();
    const known = await judgedPerimeter(archive, wanted, now);
    const { name } = known.spec;
    const ends = endsOf(await archive.catalog.crawls(), name);
    const then: SizeThen[] = [];
    for (const { at, crawl } of ends.slice(-points)) {
      const { state, urls } = await perimeterAsOf(
        known.state.definition,
        known.decisions,
        archive.catalog,
        at,
      );
      await settle(state, archive.catalog, now);
      then.push({ at, crawl, ...sizeOf({ ...known, state }, urls, now, random()) });
    }
    const today = { at: now, ...sizeOf(known, await allUrls(archive, known), now, random()) };
    return {
      perimeter: name,
      confidence: CONFIDENCE,
      leftOut: Math.max(0, ends.length - points),
      points: [...then, today],
      notes: known.notes,
    };
  });
}

/** A crawl that has not ended is covered by the point for now. */
const endsOf = (crawls: readonly Crawl[], perimeter: string): { at: Millis; crawl: number }[] =>
  crawls
    .flatMap(({ id, spec, finishedAt }) =>
      spec.perimeter?.name === perimeter && finishedAt !== undefined ? [{ at: finishedAt, crawl: id }] : [],
    )
    .sort((a, b) => a.at - b.at);

async function allUrls(
  { catalog }: Pick<OpenArchive, 'catalog'>,
  { spec }: Pick<KnownPerimeter, 'spec'>,
): Promise<readonly UrlThen[]> {
  const urls: UrlThen[] = [];
  for await (const { url, isRead } of catalog.perimeterUrls({ perimeter: spec.name }))
    urls.push({ url, isRead });
  return urls;
}

function sizeOf(
  { state, decisions }: Pick<KnownPerimeter, 'state' | 'decisions'>,
  urls: readonly UrlThen[],
  now: Millis,
  random: () => number,
): KnownSize {
  let [read, decided] = [0, 0];
  // Sites are drawn in the order in which they come, and a rebuilt catalog has a different order.
  const ordered = urls.toSorted((a, b) => (a.url < b.url ? -1 : 1));
  const pages = ordered.map(({ url, isRead }): WeighedPage => {
    const facts = addressFacts(url) ?? { url, host: '', domain: '' };
    const { own, links } = state.standing(facts, now);
    const means = links.map(({ mean }) => mean);
    const { verdict } = decisions.on(url, now);
    if (isRead) read++;
    if (verdict) decided++;
    return {
      site: facts.domain,
      // By its address alone, for all pages alike: what link words said of a page that was read is not kept.
      asSuspect: featuresOf(ownRelevance(state.addressEvidence(facts)), means),
      ...(isRead && { asRead: featuresOf(own, means) }),
      ...(verdict && { inside: verdict.act.kind === 'in' }),
    };
  });
  const start = statedCoefficients(state.definition);
  const rounds = Math.max(40, Math.min(200, Math.floor(WORK / Math.max(1, pages.length))));
  const size = perimeterSize(pages, {
    read: start,
    suspects: start,
    random,
    rounds,
    confidence: CONFIDENCE,
  });
  return { ...size, known: { read, unread: pages.length - read }, decided };
}
