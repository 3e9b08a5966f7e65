import { words } from '../words.ts';
import { readTokens } from './html-tokens.ts';

/** Attributes that a reader sees the effect of; what is left out are tokens, ids, measurements and the like. */
const SEEN = words(
  'href src srcset poster data-src data-srcset alt title placeholder label class style hidden open width height ' +
    'colspan rowspan start type lang dir',
);
/** `value` is seen in these only; that of a hidden field holds tokens. */
const VALUED = words('input button option li meter progress textarea');
/** `link` elements whose target is not visible. */
const UNSEEN_RELS = /^(?!.*\b(stylesheet|icon)\b)/i;
/** White space that is not one plain space. */
const WIDE_SPACE = /\s\s|[^\S ]/;
const UNSEEN = words('script meta base template noscript');

/**
 * All of a page that a reader may see, as its bytes tell it: two pages with equal texts show the same, as far as no
 * script changes them. The other way round nothing follows: text may be hidden by styles, and an advertisement is
 * seen. Scripts, comments, `meta`, hidden fields, nonces and `data-` attributes do not count; runs of white space are
 * one space.
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
      // Most texts have nothing to fold, and a replacement copies all of them.
      const plain = WIDE_SPACE.test(text) ? text.replace(/\s+/g, ' ') : text;
      if (plain !== ' ' && plain !== '') parts.push(plain);
    },
    content: (name, text) => {
      if (!UNSEEN.has(name)) parts.push(text);
    },
  });
  return parts.join('\n');
}
