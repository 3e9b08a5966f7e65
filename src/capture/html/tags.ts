/**
 * Start tags of an HTML text, with their attributes, and the raw content of title and style: no tree, no end tags, no text.
 *
 * Scanned by hand for a measured reason, given in `links.ts`. The rules are those of the HTML tokeniser wherever they decide
 * what is a tag: quotes, comments, raw text elements. A search that failed is not repeated, so that malformed input stays
 * linear.
 */
export interface TagHandler {
  /** @param name in lower case */
  open(name: string): void;
  /** @param name in lower case @param value with character references not yet decoded */
  attribute(name: string, value: string): void;
  /** The tag is complete. */
  close(): void;
  /** Content of title or style. */
  content(name: 'title' | 'style', text: string): void;
}

/**
 * Elements whose content is text up to the end tag. `noscript` is not one of them: without scripts it is ordinary markup.
 */
const RAW_TEXT = new Set(['script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes']);

/** Which attributes are worth reading, by first letter and length: most are `class`, `id` and the like. */
export type AttributeFilter = Uint8Array;

export function attributeFilter(names: Iterable<string>): AttributeFilter {
  const filter = new Uint8Array(128 * 32);
  for (const name of names) filter[name.charCodeAt(0) * 32 + name.length] = 1;
  return filter;
}

function passes(filter: AttributeFilter, first: number, length: number): boolean {
  const letter = first >= 65 && first <= 90 ? first | 32 : first;
  return letter < 128 && length < 32 && filter[letter * 32 + length] === 1;
}

const SPACE = new Uint8Array(128);
for (const code of [9, 10, 12, 13, 32]) SPACE[code] = 1;
/** Characters that end tag and attribute names: white space, `/`, `>`, and for attributes `=`. */
const TAG_END = SPACE.slice();
TAG_END[47] = 1;
TAG_END[62] = 1;
const NAME_END = TAG_END.slice();
NAME_END[61] = 1;

export function scanTags(html: string, filter: AttributeFilter, handler: TagHandler): void {
  const length = html.length;
  /** Elements and quotes whose end was not found: no later search will find it either. */
  const unclosed = new Set<string>();
  let at = html.indexOf('<');
  while (at >= 0 && at + 1 < length) {
    const code = html.charCodeAt(at + 1);
    const letter = code | 32;
    if (letter >= 97 && letter <= 122) at = startTag(at + 1);
    else if (code === 33) at = declaration(at);
    else if (code === 47 || code === 63) at = html.indexOf('>', at + 2);
    else at++;
    if (at < 0) return;
    at = html.indexOf('<', at);
  }

  /** `<!-- … -->`, `<!doctype …>`, `<![CDATA[ … ]]>`; -1 at the end of the text. */
  function declaration(start: number): number {
    if (html.startsWith('<!--', start)) {
      // `<!-->` and `<!--->` are whole comments.
      if (html.charCodeAt(start + 4) === 62) return start + 5;
      if (html.startsWith('->', start + 4)) return start + 6;
      const end = html.indexOf('-->', start + 4);
      return end < 0 ? -1 : end + 3;
    }
    return html.indexOf('>', start + 2);
  }

  /** Returns the position after the tag and its raw content; -1 at the end of the text. */
  function startTag(start: number): number {
    let i = start + 1;
    let code = html.charCodeAt(i);
    while (i < length && (code > 127 || TAG_END[code] !== 1)) code = html.charCodeAt(++i);
    const name = lower(html.slice(start, i));
    handler.open(name);
    for (;;) {
      while (i < length && (code === 47 || (code < 128 && SPACE[code] === 1))) code = html.charCodeAt(++i);
      if (i >= length) return -1;
      if (code === 62) break;
      const nameStart = i;
      // A name may begin with '=', by the tokeniser's rules.
      code = html.charCodeAt(++i);
      while (i < length && (code > 127 || NAME_END[code] !== 1)) code = html.charCodeAt(++i);
      const nameEnd = i;
      while (i < length && code < 128 && SPACE[code] === 1) code = html.charCodeAt(++i);
      if (code !== 61) continue;
      do code = html.charCodeAt(++i);
      while (i < length && code < 128 && SPACE[code] === 1);
      let valueStart = i;
      let valueEnd: number;
      if (code === 34 || code === 39) {
        valueStart++;
        valueEnd = closingQuote(code === 34 ? '"' : "'", valueStart);
        if (valueEnd < 0) {
          // Never closed. Browsers drop the rest of the page; the links further on are worth more.
          valueEnd = html.indexOf('>', valueStart);
          if (valueEnd < 0) return -1;
          i = valueEnd;
        } else i = valueEnd + 1;
      } else {
        while (i < length && code !== 62 && (code > 127 || SPACE[code] !== 1)) code = html.charCodeAt(++i);
        valueEnd = i;
      }
      code = html.charCodeAt(i);
      if (valueEnd > valueStart && passes(filter, html.charCodeAt(nameStart), nameEnd - nameStart)) {
        handler.attribute(lower(html.slice(nameStart, nameEnd)), html.slice(valueStart, valueEnd));
      }
    }
    handler.close();
    if (name === 'plaintext') return -1;
    return RAW_TEXT.has(name) ? rawText(name, i + 1) : i + 1;
  }

  function closingQuote(quote: string, from: number): number {
    if (unclosed.has(quote)) return -1;
    const end = html.indexOf(quote, from);
    if (end < 0) unclosed.add(quote);
    return end;
  }

  function rawText(name: string, from: number): number {
    const end = unclosed.has(name) ? -1 : endTag(name, from);
    if (end < 0) {
      unclosed.add(name);
      // An unclosed script swallows the rest, as in browsers; an unclosed title or frame must not.
      return name === 'script' || name === 'style' ? -1 : from;
    }
    if (name === 'title' || name === 'style') handler.content(name, html.slice(from, end));
    return end;
  }

  function endTag(name: string, from: number): number {
    for (let i = html.indexOf('</', from); i >= 0; i = html.indexOf('</', i + 2)) {
      const after = i + 2 + name.length;
      const code = html.charCodeAt(after);
      if (
        (after >= length || (code < 128 && TAG_END[code] === 1)) &&
        lower(html.slice(i + 2, after)) === name
      )
        return i;
    }
    return -1;
  }
}

/** `toLowerCase` copies even lower-case text, and nearly all names are lower-case. */
function lower(text: string): string {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if ((code >= 65 && code <= 90) || code > 127) return text.toLowerCase();
  }
  return text;
}
