import { crawlUrl } from '../../capture/scope/normalise.ts';
import type { Decision } from '../../model/decision.ts';
import type { PerimeterStanding, Suspect } from '../../model/perimeter.ts';
import type { PerimeterUrl } from '../../ports/catalog.ts';
import { webAddress } from '../given/web-address.ts';
import { type ArchiveLocation, type OpenArchive, openForReading } from '../open/open-archive.ts';
import { systemClock } from '../system-clock.ts';
import { UserError } from '../user-error.ts';
import { addressFacts } from './address-facts.ts';
import { judgedPerimeter, type WantedPerimeter } from './known-perimeter.ts';
import { GEOLOCATION, isCredited } from './perimeter-countries.ts';

export interface ExplainedUrl {
  readonly url: string;
  readonly perimeter: string;
  readonly threshold: number;
  /** A page that was read; a suspect; or a URL that no page of the perimeter links to, judged by its address. */
  readonly known: 'read' | 'suspect' | 'unknown';
  readonly prior: number;
  /** By the current state of the archive. */
  readonly standing: PerimeterStanding;
  /** As last judged in a crawl. */
  readonly judged?: Suspect;
  /** Those that match it, latest first. */
  readonly decisions: readonly Decision[];
  /** What could not be determined, in sentences. */
  readonly notes: readonly string[];
  /** Present where a country from the shipped database is among the evidence. */
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
    const { spec, state, decisions, notes } = await judgedPerimeter(archive, wanted, now);
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
      notes,
      ...attributed(standing),
    };
  });
}

export interface SuspectList {
  readonly perimeter: string;
  readonly threshold: number;
  /** Of everything that was not read. */
  readonly total: number;
  /** Highest chances first. */
  readonly suspects: readonly Suspect[];
  readonly notes: readonly string[];
  readonly attribution?: string;
}

export function listSuspects(
  location: ArchiveLocation,
  wanted: WantedPerimeter,
  limit: number,
): Promise<SuspectList> {
  return reading(location, async (archive) => {
    const now = systemClock.now();
    const { spec, state, notes } = await judgedPerimeter(archive, wanted, now);
    const all = state.unread(now).sort((a, b) => b.chance - a.chance || (a.url < b.url ? -1 : 1));
    const suspects = all.slice(0, limit);
    const told = suspects.find(({ evidence }) => isCredited(evidence));
    const { name: perimeter, threshold } = spec;
    return { perimeter, threshold, total: all.length, suspects, notes, ...(told && attributed(told)) };
  });
}

export async function reading<T>(
  location: ArchiveLocation,
  use: (archive: OpenArchive) => Promise<T>,
): Promise<T> {
  const archive = await openForReading(location);
  try {
    return await use(archive);
  } finally {
    await archive.close();
  }
}

const attributed = ({ evidence }: Pick<PerimeterStanding, 'evidence'>) =>
  isCredited(evidence) ? { attribution: GEOLOCATION } : {};
