import { words } from '../words.ts';
import { readTokens } from './html-tokens.ts';

const UNREAD = words('script style template noscript');
/** Elements inside a line of text: they do not split a word. */
const INLINE = words(
  'a abbr b bdi bdo big cite code em font i ins kbd mark q s small span strong sub sup u var wbr',
);

/** The running text of a page, from its bytes alone: everything between tags, title included, without scripts and styles. */
export function plainText(html: string): string {
  const parts: string[] = [];
  let unread = 0;
  readTokens(html, {
    doctype: () => {},
    comment: () => {},
    doubt: () => {},
    start(name, _attributes, selfClosing) {
      if (name === 'template' && !selfClosing) unread++;
      if (!INLINE.has(name)) parts.push('\n');
    },
    end(name) {
      if (name === 'template' && unread > 0) unread--;
      if (!INLINE.has(name)) parts.push('\n');
    },
    text: (text) => {
      if (unread === 0) parts.push(text);
    },
    content: (name, text) => {
      if (!UNREAD.has(name)) parts.push(text);
    },
  });
  return parts
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim();
}
