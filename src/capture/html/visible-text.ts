import { words } from '../words.ts';
import { readTokens } from './html-tokens.ts';

/** Attributes whose effect a reader sees; the rest are tokens, ids, measurements and the like. */
const SEEN = words(
  'href src srcset poster data-src data-srcset alt title placeholder label class style hidden open width height ' +
    'colspan rowspan start type lang dir',
);
/** `value` is visible in these only; in a hidden field it holds tokens. */
const VALUED = words('input button option li meter progress textarea');
/** `link` elements whose target is not visible. */
const UNSEEN_RELS = /^(?!.*\b(stylesheet|icon)\b)/i;
/** White space other than a single plain space. */
const WIDE_SPACE = /\s\s|[^\S ]/;
const UNSEEN = words('script meta base template noscript');

/**
 * Everything a reader may see of a page, from its bytes alone: two pages with equal texts show the same, unless a
 * script changes them. The reverse does not hold: styles may hide text, and an advertisement is visible. Scripts,
 * comments, `meta`, hidden fields, nonces and `data-` attributes do not count; runs of white space become one space.
 */
export function visibleText(html: string): string {
  const parts: string[] = [];
  readTokens(html, {
    doctype: () => {},
    comment: () => {},
    doubt: () => {},
    end: (name) => {
      if (!UNSEEN.has(name)) parts.push(`</${name}>`);
    },
    start(name, attributes) {
      if (UNSEEN.has(name)) return;
      const type = attributes['type']?.toLowerCase();
      if (name === 'input' && type === 'hidden') return;
      if (name === 'link' && UNSEEN_RELS.test(attributes['rel'] ?? '')) return;
      const seen = Object.keys(attributes)
        .filter((key) => SEEN.has(key) || (key === 'value' && VALUED.has(name)))
        .sort()
        .map((key) => `${key}=${attributes[key]}`);
      parts.push(`<${name} ${seen.join(' ')}>`);
    },
    text: (text) => {
      // Most texts have nothing to fold, and a replacement copies them whole.
      const plain = WIDE_SPACE.test(text) ? text.replace(/\s+/g, ' ') : text;
      if (plain !== ' ' && plain !== '') parts.push(plain);
    },
    content: (name, text) => {
      if (!UNSEEN.has(name)) parts.push(text);
    },
  });
  return parts.join('\n');
}
