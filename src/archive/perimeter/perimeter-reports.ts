import { crawlUrl } from '../../capture/scope/normalise.ts';
import type { Decision } from '../../model/decision.ts';
import type { PerimeterStanding, Suspect } from '../../model/perimeter.ts';
import type { PerimeterUrl } from '../../ports/catalog.ts';
import { ownRelevance } from '../../science/perimeter/evidence.ts';
import { type KnownPage, type PerimeterSize, perimeterSize } from '../../science/perimeter/perimeter-size.ts';
import { featuresOf, statedCoefficients } from '../../science/perimeter/verdict.ts';
import { webAddress } from '../given/web-address.ts';
import { type ArchiveLocation, type OpenArchive, openForReading } from '../open/open-archive.ts';
import { systemClock } from '../system-clock.ts';
import { UserError } from '../user-error.ts';
import { addressFacts } from './address-facts.ts';
import { knownPerimeter, type WantedPerimeter } from './known-perimeter.ts';
import { GEOLOCATION } from './perimeter-countries.ts';

export interface ExplainedUrl {
  readonly url: string;
  readonly perimeter: string;
  readonly threshold: number;
  /** A page that was read; a suspect; or a URL that no page of the perimeter names: judged by its address. */
  readonly known: 'read' | 'suspect' | 'unknown';
  readonly prior: number;
  /** As the archive stands now. */
  readonly standing: PerimeterStanding;
  /** As it was when it was last judged in a crawl. */
  readonly judged?: Suspect;
  /** That match it, the latest first. */
  readonly decisions: readonly Decision[];
  /** Where a country is among the evidence. */
  readonly attribution?: string;
}

export function explainUrl(
  location: ArchiveLocation,
  given: string,
  wanted: WantedPerimeter,
): Promise<ExplainedUrl> {
  const address = webAddress(given);
  const parsed = address && crawlUrl(address.url);
  if (!parsed?.ok)
    throw new UserError(`'${given}' is no address of a page; write e.g. https://example.org/about`);
  const { url } = parsed;
  return reading(location, async (archive) => {
    const now = systemClock.now();
    const { spec, state, decisions } = await knownPerimeter(archive, wanted, now);
    let row: PerimeterUrl | undefined;
    for await (const one of archive.catalog.perimeterUrls({ perimeter: spec.name, url })) row = one;
    const facts = addressFacts(url) ?? { url, host: '', domain: '' };
    const standing = state.standing(facts, now);
    const { isRead, ...judged } = row ?? { isRead: false };
    return {
      url,
      perimeter: spec.name,
      threshold: spec.threshold,
      known: row ? (isRead ? 'read' : 'suspect') : 'unknown',
      prior: spec.prior,
      standing,
      ...(row && { judged: judged as Suspect }),
      decisions: decisions.on(url, now).all,
      ...attributed(standing),
    };
  });
}

export interface SuspectList {
  readonly perimeter: string;
  readonly threshold: number;
  /** Of all that were not read. */
  readonly total: number;
  /** The highest chances first. */
  readonly suspects: readonly Suspect[];
  readonly attribution?: string;
}

export function listSuspects(
  location: ArchiveLocation,
  wanted: WantedPerimeter,
  limit: number,
): Promise<SuspectList> {
  return reading(location, async (archive) => {
    const now = systemClock.now();
    const { spec, state } = await knownPerimeter(archive, wanted, now);
    const all = state.unread(now).sort((a, b) => b.chance - a.chance || (a.url < b.url ? -1 : 1));
    const suspects = all.slice(0, limit);
    const told = suspects.find(({ evidence }) => evidence.some(({ criterion }) => criterion === 'country'));
    const { name: perimeter, threshold } = spec;
    return { perimeter, threshold, total: all.length, suspects, ...(told && attributed(told)) };
  });
}

export interface SizeReport extends PerimeterSize {
  readonly perimeter: string;
  /** URLs that the archive knows of: pages read, and not read. */
  readonly known: { readonly read: number; readonly unread: number };
  /** Of them, those that people have decided on: they count as the truth. */
  readonly decided: number;
  readonly confidence: number;
}

const CONFIDENCE = 0.95;
/** Pages times rounds of the bootstrap: some ten seconds. */
const WORK = 2_000_000;

/** `random`: uniform in [0, 1). */
export function sizeOfPerimeter(
  location: ArchiveLocation,
  wanted: WantedPerimeter,
  random: () => number,
): Promise<SizeReport> {
  return reading(location, async (archive) => {
    const now = systemClock.now();
    const { spec, state, decisions } = await knownPerimeter(archive, wanted, now);
    const pages: KnownPage[] = [];
    let [read, decided] = [0, 0];
    for await (const { url, isRead } of archive.catalog.perimeterUrls({ perimeter: spec.name })) {
      const facts = addressFacts(url) ?? { url, host: '', domain: '' };
      const { own, links } = state.standing(facts, now);
      const means = links.map(({ mean }) => mean);
      const { verdict } = decisions.on(url, now);
      if (isRead) read++;
      if (verdict) decided++;
      pages.push({
        site: facts.domain,
        // By its address alone, and so for all: what the words of links said of a page that was read is not kept.
        asSuspect: featuresOf(ownRelevance(state.addressEvidence(facts)), means),
        ...(isRead && { asRead: featuresOf(own, means) }),
        ...(verdict && { inside: verdict.act.kind === 'in' }),
      });
    }
    const start = statedCoefficients(state.definition);
    const rounds = Math.max(40, Math.min(200, Math.floor(WORK / Math.max(1, pages.length))));
    const size = perimeterSize(pages, {
      read: start,
      suspects: start,
      random,
      rounds,
      confidence: CONFIDENCE,
    });
    const unread = pages.length - read;
    return { perimeter: spec.name, ...size, known: { read, unread }, decided, confidence: CONFIDENCE };
  });
}

async function reading<T>(location: ArchiveLocation, use: (archive: OpenArchive) => Promise<T>): Promise<T> {
  const archive = await openForReading(location);
  try {
    return await use(archive);
  } finally {
    await archive.close();
  }
}

const attributed = ({ evidence }: Pick<PerimeterStanding, 'evidence'>) =>
  evidence.some(({ criterion }) => criterion === 'country') ? { attribution: GEOLOCATION } : {};
