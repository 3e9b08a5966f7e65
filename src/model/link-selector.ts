import { parseSelector } from './css-selector.ts';

/** Which elements of a page are links, and where each says what it leads to. */
export interface LinkSelector {
  readonly css: string;
  /** Of the element as the browser has it (`href`: absolute), or as it is written. */
  readonly take: 'property' | 'attribute';
  readonly name: string;
}

const WRITTEN = /^(?<css>.+?)(?:\s*->\s*(?<at>@?)(?<name>[a-z][\w:-]*))?$/is;

/**
 * As Browsertrix writes it: `a.story->href`, `[data-url]->@data-url`; without an arrow, `->href` is meant. RangeError for what is
 * no selector, with what would be accepted.
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
