import type { Millis } from './time.ts';

/** Weights by outcome, in log-odds; `other` is for known outcomes that are not named. */
export type OutcomeWeights = Readonly<Record<string, number>>;

export interface TopicWords {
  readonly name: string;
  readonly words: readonly string[];
  readonly weight: number;
}

/** A perimeter as declared in a configuration file: what a crawl keeps of it in its spec. */
export interface PerimeterSpec {
  readonly name: string;
  readonly prior: number;
  readonly languages: OutcomeWeights;
  readonly domains: OutcomeWeights;
  readonly countries: OutcomeWeights;
  readonly owners: OutcomeWeights;
  /** Absolute path of the list of domain holders. */
  readonly ownersFile?: string;
  /** Absolute path of a list of addresses and their countries. */
  readonly addressesFile?: string;
  readonly topics: readonly TopicWords[];
  readonly commercial: number;
  readonly connectivity: readonly number[];
  readonly threshold: number;
  /** Which importance crawls maintain: absent in specs of earlier versions, meaning `web`. */
  readonly importance?: ImportanceOf;
  readonly in: readonly DeclaredDecision[];
  readonly out: readonly DeclaredDecision[];
}

/** Importance among all pages that the archive knows, or within the perimeter, where pages are paid by their chance to belong. */
export const IMPORTANCE_OF = ['web', 'perimeter'] as const;
export type ImportanceOf = (typeof IMPORTANCE_OF)[number];

/** A decision declared in a configuration file. */
export interface DeclaredDecision {
  readonly target: string;
  readonly by: string;
  readonly why: string;
}

export const CRITERIA = ['language', 'domain', 'country', 'owner', 'topic', 'commercial'] as const;
export type Criterion = (typeof CRITERIA)[number];

/** What was found of a page, for or against its belonging to a perimeter. */
export interface Evidence {
  readonly criterion: Criterion;
  /** `fr`, `.ca`, `FR`, the name of a topic, `sells`; `other` for an outcome that is known but not named. */
  readonly outcome: string;
  /** What was found: the language itself where the outcome is `other`. */
  readonly found: string;
  /** In [0, 1]. */
  readonly strength: number;
  /** Log-odds at strength 1. */
  readonly weight: number;
  /** For a country: from a list of the user's own, not from the database that asks for credit. */
  readonly isOwn?: true;
}

/** How a URL stands to a perimeter, as last judged: a fact of the page, or of a URL that was not read. */
export interface PerimeterStanding {
  readonly perimeter: string;
  readonly inside: boolean;
  /** That it belongs, in [0, 1]. */
  readonly chance: number;
  /** What its own criteria say, in log-odds, which is also what it hands on along its links. */
  readonly own: number;
  readonly evidence: readonly Evidence[];
  /** By number of clicks: mean relevance of the pages that lead here, as far as they were read, and its weight. */
  readonly links: readonly { readonly mean: number; readonly weight: number }[];
  /** A person's decision in words, where there is one. */
  readonly decided?: string;
  /** Consecutive pages on the way to it that do not belong. */
  readonly hops: number;
}

/** A known URL that was not read when it was judged, but by its address and the links to it. */
export interface Suspect extends PerimeterStanding {
  readonly url: string;
  readonly at: Millis;
}

/**
 * A standing as a record gives it; undefined where it is not one. Records may come from anywhere, and control characters in them
 * would reach a terminal.
 */
export function readStanding(value: unknown): PerimeterStanding | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const one = value as Readonly<Record<keyof PerimeterStanding, unknown>>;
  const isWhole =
    isPlainText(one.perimeter) &&
    typeof one.inside === 'boolean' &&
    [one.chance, one.own, one.hops].every(Number.isFinite) &&
    Array.isArray(one.evidence) &&
    one.evidence.every(isEvidence) &&
    Array.isArray(one.links) &&
    one.links.every(isLinkPart) &&
    (one.decided === undefined || isPlainText(one.decided));
  return isWhole ? (value as PerimeterStanding) : undefined;
}

/** The same for a suspect. */
export function readSuspect(value: unknown): Suspect | undefined {
  const standing = readStanding(value) as Partial<Suspect> | undefined;
  const isWhole = isPlainText(standing?.url) && URL.canParse(standing.url) && Number.isFinite(standing.at);
  return isWhole ? (standing as Suspect) : undefined;
}

const isPlainText = (value: unknown): value is string => typeof value === 'string' && !/\p{Cc}/u.test(value);

function isEvidence(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { criterion, outcome, found, strength, weight } = value as Readonly<Record<string, unknown>>;
  return (
    CRITERIA.some((known) => known === criterion) &&
    [outcome, found].every(isPlainText) &&
    [strength, weight].every(Number.isFinite)
  );
}

function isLinkPart(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { mean, weight } = value as Readonly<Record<string, unknown>>;
  return [mean, weight].every(Number.isFinite);
}
