/**
 * Tags and texts of an HTML document, by the rules of the HTML tokeniser (WHATWG §13.2.5) as a browser with
 * scripts applies them. Hand-written like `tags.ts`, which reads start tags only; linear time even on garbage.
 */
import { words } from '../words.ts';
import { decodeAttribute, decodeText } from './entities.ts';

interface TokenHandler {
  doctype(text: string): void;
  /** @param name in lower case */
  start(name: string, attributes: Record<string, string>, selfClosing: boolean): void;
  /** Whether what follows a start tag is markup even in a title or style, as it is in drawings. */
  holdsMarkup?(): boolean;
  end(name: string): void;
  /** Text between tags, decoded. */
  text(text: string): void;
  /** Content of an element that cannot contain markup. */
  content(name: string, text: string): void;
  comment(): void;
  doubt(what: string): void;
}

/** Elements whose content is text up to the end tag; in the second group, with character references. */
const RAW = words('script style xmp iframe noembed noframes noscript');
const ESCAPABLE = words('title textarea');

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13 && code !== 11);
const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122;

export function readTokens(html: string, handler: TokenHandler): void {
  const { length } = html;
  let at = 0;
  /** Names of end tags that were not found: no later search will find them either. */
  const missing = new Set<string>();

  while (at < length) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    const code = html.charCodeAt(open + 1);
    const isMarkup = isLetter(code) || code === 33 || code === 63 || code === 47;
    if (!isMarkup || (code === 47 && open + 2 >= length)) {
      const next = html.indexOf('<', open + 1);
      text(at, next < 0 ? length : next, html);
      at = next < 0 ? length : next;
      continue;
    }
    if (open > at) text(at, open, html);
    if (isLetter(code)) at = startTag(open + 1);
    else if (code === 47) at = endTag(open + 2);
    else at = declaration(open);
  }
  if (at < length) text(at, length, html);

  function text(from: number, to: number, source: string): void {
    handler.text(decodeText(source.slice(from, to)));
  }

  function declaration(start: number): number {
    if (html.startsWith('<!--', start)) {
      handler.comment();
      if (html.charCodeAt(start + 4) === 62) return start + 5;
      if (html.startsWith('->', start + 4)) return start + 6;
      const plain = html.indexOf('-->', start + 4);
      const odd = plain < 0 ? html.indexOf('--!>', start + 4) : html.slice(start, plain).indexOf('--!>');
      if (odd >= 0) handler.doubt('a comment closed by --!>');
      return plain < 0 ? length : plain + 3;
    }
    const end = html.indexOf('>', start + 2);
    const stop = end < 0 ? length : end;
    if (/^<!doctype/i.test(html.slice(start, start + 9))) handler.doctype(html.slice(start + 9, stop));
    else {
      if (html.startsWith('<![CDATA[', start)) handler.doubt('CDATA');
      handler.comment();
    }
    return stop + 1;
  }

  function endTag(start: number): number {
    if (!isLetter(html.charCodeAt(start))) {
      const end = html.indexOf('>', start);
      // `</>` is dropped, anything else is a comment.
      handler.comment();
      return end < 0 ? length : end + 1;
    }
    let i = start;
    while (i < length && !endsName(html.charCodeAt(i))) i++;
    const name = html.slice(start, i).toLowerCase();
    const { at: end } = attributesFrom(i, undefined);
    if (end <= length) handler.end(name);
    return end;
  }

  function startTag(start: number): number {
    let i = start;
    while (i < length && !endsName(html.charCodeAt(i))) i++;
    const name = html.slice(start, i).toLowerCase();
    const attributes: Record<string, string> = {};
    const { at: end, selfClosing } = attributesFrom(i, attributes);
    // A tag that never ends is dropped.
    if (end > length) return end;
    handler.start(name, attributes, selfClosing);
    if ((RAW.has(name) || ESCAPABLE.has(name)) && !handler.holdsMarkup?.()) return content(name, end);
    if (name === 'plaintext') {
      handler.content(name, html.slice(end));
      return length;
    }
    return end;
  }

  /** The position after `>`; past the end of the text if there is none. */
  function attributesFrom(from: number, attributes: Record<string, string> | undefined) {
    let i = from;
    for (;;) {
      let code = html.charCodeAt(i);
      while (i < length && (code === 47 || isSpace(code))) code = html.charCodeAt(++i);
      if (i >= length) return { at: length + 1, selfClosing: false };
      if (code === 62) return { at: i + 1, selfClosing: html.charCodeAt(i - 1) === 47 };
      const nameStart = i++;
      while (i < length && !endsName(html.charCodeAt(i)) && html.charCodeAt(i) !== 61) i++;
      const nameEnd = i;
      while (i < length && isSpace(html.charCodeAt(i))) i++;
      let value = '';
      if (html.charCodeAt(i) === 61) {
        i++;
        while (i < length && isSpace(html.charCodeAt(i))) i++;
        const quote = html.charCodeAt(i);
        if (quote === 34 || quote === 39) {
          const close = html.indexOf(quote === 34 ? '"' : "'", i + 1);
          if (close < 0) return { at: length + 1, selfClosing: false };
          value = html.slice(i + 1, close);
          i = close + 1;
        } else {
          const valueStart = i;
          while (i < length && html.charCodeAt(i) !== 62 && !isSpace(html.charCodeAt(i))) i++;
          value = html.slice(valueStart, i);
          // `<a href=x/>`: the slash belongs to the value.
          if (html.charCodeAt(i) === 62 && attributes) {
            keep(attributes, html.slice(nameStart, nameEnd), value);
            return { at: i + 1, selfClosing: false };
          }
        }
      }
      if (attributes) keep(attributes, html.slice(nameStart, nameEnd), value);
    }
  }

  function content(name: string, from: number): number {
    let end = missing.has(name) ? -1 : closing(name, from);
    if (end < 0) {
      missing.add(name);
      end = length;
    } else if (
      name === 'script' &&
      html.slice(from, end).includes('<!--') &&
      opensScript(html.slice(from, end))
    )
      handler.doubt('a script in a commented script');
    const raw = html.slice(from, end);
    handler.content(name, ESCAPABLE.has(name) ? decodeText(raw) : raw);
    return end;
  }

  function closing(name: string, from: number): number {
    for (let i = html.indexOf('</', from); i >= 0; i = html.indexOf('</', i + 2)) {
      const after = i + 2 + name.length;
      if (after < length && !endsName(html.charCodeAt(after))) continue;
      if (html.slice(i + 2, after).toLowerCase() === name) return i;
    }
    return -1;
  }
}

const opensScript = (text: string): boolean => /<script[\s/>]/i.test(text);

const endsName = (code: number): boolean => code === 62 || code === 47 || isSpace(code);

/** Of two attributes with the same name, the first counts. */
function keep(attributes: Record<string, string>, written: string, value: string): void {
  const name = /[A-Z]/.test(written) ? written.toLowerCase() : written;
  if (name === '__proto__' || Object.hasOwn(attributes, name)) return;
  attributes[name] = decodeAttribute(value);
}

export const isBlank = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) if (!isSpace(text.charCodeAt(i))) return false;
  return true;
};
