import { words } from '../words.ts';
import { readTokens } from './html-tokens.ts';

/** Elements whose tags do not separate the words on either side. */
const INLINE = words(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s samp small span strike strong ' +
    'sub sup time tt u var wbr',
);
/** Elements whose content is not text of the page. */
const UNREAD = words('script style template noscript title iframe noembed noframes xmp');

/** The text of HTML, from its bytes alone: everything between its tags. Styles may hide text, and scripts may add some. */
export function pageText(html: string): string {
  const parts: string[] = [];
  const unread: string[] = [];
  const part = (name: string): void => {
    if (!INLINE.has(name)) parts.push(' ');
  };
  readTokens(html, {
    doctype: () => {},
    comment: () => {},
    doubt: () => {},
    start(name) {
      part(name);
      if (name === 'template') unread.push(name);
    },
    end(name) {
      part(name);
      if (name === 'template') unread.pop();
    },
    text: (text) => {
      if (unread.length === 0) parts.push(text);
    },
    content: (name, text) => {
      if (!UNREAD.has(name)) parts.push(text);
    },
  });
  return parts.join('');
}
