/**
 * A page as lines of text, in order, for a person who judges a change by reading: headings begin with `#`, links with
 * `>`, alternative texts of pictures with `!`. No style is applied except `hidden` and `display: none` on the element
 * itself, and nothing here uses layouts or deltas: the judged material must not depend on what it is used to measure.
 */
import { Parser } from 'htmlparser2';

const UNREAD = new Set(['script', 'style', 'noscript', 'template', 'head', 'svg', 'object', 'select']);
const INLINE = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q s samp small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));

export function readableLines(html: string): string[] {
  const lines: string[] = [];
  let line = '';
  let mark = '';
  const unread: string[] = [];
  const flush = (): void => {
    const text = line.replace(/\s+/gu, ' ').trim();
    if (/[\p{L}\p{N}]/u.test(text)) lines.push(mark + text);
    line = '';
    mark = '';
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      if (unread.length > 0) {
        if (!VOID.has(name)) unread.push(name);
        return;
      }
      const isHidden = 'hidden' in attributes || /display:\s*none/iu.test(attributes.style ?? '');
      if ((UNREAD.has(name) || isHidden) && !VOID.has(name)) {
        unread.push(name);
        return;
      }
      if (!INLINE.has(name)) flush();
      if (/^h[1-6]$/u.test(name)) mark = '# ';
      else if (name === 'a' && line.trim() === '' && mark === '') mark = '> ';
      if (name === 'img' && attributes.alt) lines.push(`! ${attributes.alt.replace(/\s+/gu, ' ').trim()}`);
    },
    ontext(text) {
      if (unread.length === 0) line += text;
    },
    onclosetag(name) {
      if (unread.length > 0) {
        if (!VOID.has(name)) unread.pop();
        return;
      }
      if (!INLINE.has(name)) flush();
    },
  });
  parser.end(html);
  flush();
  return lines;
}
