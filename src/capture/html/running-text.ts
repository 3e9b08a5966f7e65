/**
 * The running text of a page, from its bytes alone: what is between tags, without scripts and styles, up to a length. Enough to
 * tell its language and topic; not what a reader sees (visible-text.ts, or a browser).
 *
 * Scanned by hand, and only as far as needed: a page of 20 KB takes 20 µs.
 */
import { decodeText } from './entities.ts';

/** Elements whose content nobody reads. */
const UNREAD: ReadonlyMap<string, RegExp> = new Map(
  ['script', 'style', 'noscript', 'template', 'svg', 'select', 'textarea', 'iframe'].map((name) => [
    name,
    new RegExp(`</${name}`, 'gi'),
  ]),
);

/** First letters of their names. */
const MAY_BE_UNREAD = [
  ...new Set([...UNREAD.keys()].map(([first = '']) => first + first.toUpperCase())),
].join('');

export function runningText(html: string, longest: number): string {
  const pieces: string[] = [];
  let size = 0;
  // From what precedes the body, the title alone is enough.
  const body = html.search(/<body\b/i);
  for (let at = Math.max(0, body); at < html.length && size < longest; ) {
    const tag = html.indexOf('<', at);
    const end = tag < 0 ? html.length : tag;
    if (end > at) {
      const piece = html.slice(at, Math.min(end, at + 4 * longest)).trim();
      if (piece !== '') {
        pieces.push(piece);
        size += piece.length + 1;
      }
    }
    if (tag < 0) break;
    at = afterTag(html, tag);
  }
  return decodeText(singleSpaced(pieces.join(' '))).slice(0, longest);
}

/** Separates words by single spaces. If they already are, this costs next to nothing: testing for single characters is cheap. */
function singleSpaced(text: string): string {
  return UNEVEN.some((space) => text.includes(space)) ? text.replace(/\s{2,}|[^\S ]/g, ' ') : text;
}

const UNEVEN = ['\n', '\t', '\r', '\u00a0', '  '];

/** The position after a tag or comment, and after the content of elements that nobody reads. */
function afterTag(html: string, tag: number): number {
  if (html.startsWith('<!--', tag)) return past(html, '-->', tag + 4);
  const close = past(html, '>', tag);
  // Most tags are of other elements: the first letter tells.
  if (!MAY_BE_UNREAD.includes(html[tag + 1] ?? ' ')) return close;
  const name = /^<([a-z]+)/i.exec(html.slice(tag, tag + 12))?.[1]?.toLowerCase();
  const end = name === undefined ? undefined : UNREAD.get(name);
  if (!end) return close;
  end.lastIndex = close;
  const found = end.exec(html);
  return found ? past(html, '>', found.index) : html.length;
}

function past(html: string, text: string, from: number): number {
  const found = html.indexOf(text, from);
  return found < 0 ? html.length : found + text.length;
}

/** `<html lang="fr-CA">` => `fr`. */
export function declaredLanguage(html: string): string | undefined {
  return /<html\b[^>]{0,500}?\slang\s*=\s*["']?([a-z]{2,3})\b/i.exec(html.slice(0, 2000))?.[1]?.toLowerCase();
}

/**
 * The words of the first link to an address, if the page writes the address exactly as here; otherwise undefined. A lookup, so
 * that links whose words nobody asks for cost nothing.
 */
export function linkWords(html: string, url: string): string | undefined {
  for (const written of [url, url.replaceAll('&', '&amp;')]) {
    const at = html.indexOf(written);
    const quote = at > 0 ? html[at - 1] : undefined;
    const after = html[at + written.length];
    if (at < 0 || (quote !== '"' && quote !== "'") || (after !== quote && after !== '#')) continue;
    const tag = html.lastIndexOf('<', at);
    if (!/^<a\s/i.test(html.slice(tag, tag + 3))) continue;
    const from = past(html, '>', at);
    const end = html.slice(from, from + LONGEST_LINK).search(/<\/a/i);
    if (end < 0) continue;
    return decodeText(html.slice(from, from + end).replace(/<[^>]*>/g, ' '))
      .replace(/\s+/g, ' ')
      .trim();
  }
  return undefined;
}

/** Characters of a link's content, including tags. */
const LONGEST_LINK = 2000;
