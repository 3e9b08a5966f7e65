import { parseSelector } from './css-selector.ts';

/** Which elements of a page are links, and where each says what it links to. */
export interface LinkSelector {
  readonly css: string;
  /** The property as the browser resolves it (`href`: absolute), or the attribute as written. */
  readonly take: 'property' | 'attribute';
  readonly name: string;
}

const WRITTEN = /^(?<css>.+?)(?:\s*->\s*(?<at>@?)(?<name>[a-z][\w:-]*))?$/is;

/**
 * Browsertrix syntax: `a.story->href`, `[data-url]->@data-url`; without an arrow, `->href` is meant. Throws RangeError, naming
 * what is accepted, for anything that is no selector.
 */
export function parseLinkSelector(text: string): LinkSelector {
  const { css, at, name } = WRITTEN.exec(text.trim())?.groups ?? {};
  if (css === undefined || css.includes('->'))
    throw new RangeError(
      `'${text}' is no link selector; write a CSS selector and what to take of it, such as 'a.story->href' or '[data-url]->@data-url'`,
    );
  parseSelector(css);
  return { css, take: at === '@' ? 'attribute' : 'property', name: name ?? 'href' };
}
