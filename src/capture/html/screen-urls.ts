/**
 * What a style sheet names for some screens only: `url(…)` inside `@media` and `@container`, and the choices of
 * `image-set(…)`. A browser requests only those that match its own screen.
 */
import { rawCssUrls } from './css-urls.ts';

/** Comments and strings are matched so that anything inside them that looks like a rule is skipped. */
const TOKEN = /\/\*|"|'|@media\b|@container\b|image-set\(/gi;

/** As written, in order, each once. */
export function screenUrls(css: string): string[] {
  const found = new Set<string>();
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(css); match; match = TOKEN.exec(css)) {
    const [token] = match;
    const after = TOKEN.lastIndex;
    if (token === '/*' || token === '"' || token === "'") {
      TOKEN.lastIndex = endOfPassage(css, after, token);
      continue;
    }
    const isSet = token.startsWith('i');
    const start = isSet ? after : css.indexOf('{', after) + 1;
    if (start === 0) break;
    const end = endOfBlock(css, start, isSet ? ['(', ')'] : ['{', '}']);
    const block = css.slice(start, end);
    for (const url of isSet ? choices(block) : rawCssUrls(block)) found.add(url);
    if (!isSet) for (const url of setsIn(block)) found.add(url);
    TOKEN.lastIndex = end;
  }
  return [...found];
}

/** Sets inside a media block: the search for tokens has already passed them. */
function setsIn(block: string): string[] {
  const found: string[] = [];
  const opening = /image-set\(/gi;
  for (let match = opening.exec(block); match; match = opening.exec(block)) {
    const end = endOfBlock(block, opening.lastIndex, ['(', ')']);
    found.push(...choices(block.slice(opening.lastIndex, end)));
    // Past the end, even of an unclosed one: malformed input stays linear.
    opening.lastIndex = end;
  }
  return found;
}

/** `"a.png" 1x, url(b.png) 2x type("image/png")`: a string is an address, unless it names a type. */
function choices(set: string): string[] {
  const plain = set.replace(/type\(\s*(?:"[^"]*"|'[^']*')\s*\)/gi, '');
  const strings = [...plain.replace(/url\([^)]*\)/gi, '').matchAll(/"([^"]*)"|'([^']*)'/g)];
  return [...rawCssUrls(plain), ...strings.map(([, double, single]) => double ?? single ?? '')].filter(
    (url) => url !== '',
  );
}

/** The end of the block that began before `start`; the end of the text if it is never closed. */
function endOfBlock(css: string, start: number, [open, close]: readonly [string, string]): number {
  const mark = new RegExp(`\\/\\*|"|'|\\${open}|\\${close}`, 'g');
  mark.lastIndex = start;
  let depth = 1;
  for (let match = mark.exec(css); match; match = mark.exec(css)) {
    const [token] = match;
    if (token === open) depth++;
    else if (token === close) {
      if (--depth === 0) return match.index;
    } else mark.lastIndex = endOfPassage(css, mark.lastIndex, token);
  }
  return css.length;
}

/** The position after a comment or a string. */
function endOfPassage(css: string, from: number, opening: string): number {
  if (opening === '/*') {
    const end = css.indexOf('*/', from);
    return end < 0 ? css.length : end + 2;
  }
  for (let at = from; at < css.length; at++) {
    if (css[at] === '\\') at++;
    // An unclosed string ends with its line, as in browsers.
    else if (css[at] === opening || css[at] === '\n') return at + 1;
  }
  return css.length;
}
