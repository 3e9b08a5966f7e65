import type { Device } from './device.ts';

/**
 * What can be done with a page before it is looked at; the names are familiar to Browsertrix users. Only scrolling is done unless
 * others are asked for: they take time, and clicks change pages.
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

/** A user's own behaviour: its text is kept with the crawl, as a fact of what was done with its pages. */
export interface OwnBehavior {
  /** Name of the file. */
  readonly name: string;
  readonly script: string;
}

/** `view`: the first screen, and a thumbnail of it; `fullPage`: from top to bottom. */
export const SCREENSHOTS = ['view', 'fullPage'] as const;
export type ScreenshotName = (typeof SCREENSHOTS)[number];

/** How a crawl looks at pages in the browser. */
export interface PageSpec {
  readonly behaviors: readonly (BehaviorName | OwnBehavior)[];
  /** Milliseconds for each behaviour. */
  readonly behaviorTimeout: number;
  /** Milliseconds to wait once the page has come to rest. */
  readonly postLoadDelay: number;
  readonly screenshots: readonly ScreenshotName[];
  /** A window of 1280 × 1024 pixels unless given. */
  readonly device?: Device;
  /** For Accept-Language and the browser, e.g. `fr-CH`; English unless given. */
  readonly language?: string;
}

/** `fr-CH` is asked for, then `fr`, as browsers do. */
export const acceptedLanguages = (language: string): readonly string[] => [
  ...new Set([language, language.split('-', 1)[0] ?? language]),
];

/** For direct requests: the document must not be in another language than what the browser loads with it. */
export function languageHeaders(
  page: Pick<PageSpec, 'language'> | undefined,
): Readonly<Record<string, string>> {
  if (page?.language === undefined) return {};
  const [first = '', second] = acceptedLanguages(page.language);
  return { 'accept-language': second === undefined ? first : `${first},${second};q=0.9` };
}

/** How a behaviour ended, as a fact of the page. */
export const behaviorFact = (name: string, end: string): string => `behaviour ${name} ${end}`;

/** Behaviours that the facts of a page report, by name, users' own included. */
export const behaviorsTold = (facts: readonly string[]): readonly string[] => [
  ...new Set(
    facts.flatMap((fact) => /^behaviour (.+?) (?:ended|failed|was stopped)\b/u.exec(fact)?.[1] ?? []),
  ),
];
