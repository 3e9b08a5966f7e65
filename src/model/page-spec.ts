import type { Device } from './device.ts';

/**
 * What can be done with a page before it is looked at, names as Browsertrix users know them. Only scrolling is done unless others are
 * asked for: they cost time, and clicks change pages.
 */
export const BEHAVIORS = [
  'autoscroll',
  'autoplay',
  'autofetch',
  'autoclick',
  'loadMore',
  'siteSpecific',
] as const;
export type BehaviorName = (typeof BEHAVIORS)[number];

/** A behaviour of one's own: its text is kept with the crawl, as a fact of what was done with its pages. */
export interface OwnBehavior {
  /** Of the file. */
  readonly name: string;
  readonly script: string;
}

/** `view`: the first screen, and a thumbnail of it; `fullPage`: from top to bottom. */
export const SCREENSHOTS = ['view', 'fullPage'] as const;
export type ScreenshotName = (typeof SCREENSHOTS)[number];

/** How a crawl looks at pages in the browser. */
export interface PageSpec {
  readonly behaviors: readonly (BehaviorName | OwnBehavior)[];
  /** Milliseconds for each of them. */
  readonly behaviorTimeout: number;
  /** Milliseconds to wait once the page has come to rest. */
  readonly postLoadDelay: number;
  readonly screenshots: readonly ScreenshotName[];
  /** A window of 1280 × 1024 pixels unless given. */
  readonly device?: Device;
  /** Of Accept-Language and of the browser, e.g. `fr-CH`; English unless given. */
  readonly language?: string;
}

/** `fr-CH` is asked for, and then `fr`: as browsers do. */
export const acceptedLanguages = (language: string): readonly string[] => [
  ...new Set([language, language.split('-', 1)[0] ?? language]),
];

/** Of a direct request: the document must not be in another language than what the browser loads with it. */
export function languageHeaders(
  page: Pick<PageSpec, 'language'> | undefined,
): Readonly<Record<string, string>> {
  if (page?.language === undefined) return {};
  const [first = '', second] = acceptedLanguages(page.language);
  return { 'accept-language': second === undefined ? first : `${first},${second};q=0.9` };
}

/** How a behaviour ended, as a fact of the page. */
export const behaviorFact = (name: string, end: string): string => `behaviour ${name} ${end}`;

/** Behaviours that facts of a page tell of, by name: those of one's own among them. */
export const behaviorsTold = (facts: readonly string[]): readonly string[] => [
  ...new Set(
    facts.flatMap((fact) => /^behaviour (.+?) (?:ended|failed|was stopped)\b/u.exec(fact)?.[1] ?? []),
  ),
];
