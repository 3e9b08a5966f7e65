/**
 * Writing and reading the project's own XML (Vi-XML, Vi-Delta): elements, attributes and text. Lossless for every
 * string, even with characters that XML cannot hold.
 *
 * The parser is strict and small: it takes well-formed XML without a DOCTYPE (so there are no entities to expand and
 * nothing to fetch), skips comments and processing instructions, and reports line and column of what it refuses. No npm
 * parser is used because science imports nothing and a page's text must come back exactly.
 */

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

export class XmlError extends Error {
  readonly line: number;
  readonly column: number;
  constructor(problem: string, line: number, column: number) {
    super(`line ${line}, column ${column}: ${problem}`);
    this.name = 'XmlError';
    this.line = line;
    this.column = column;
  }
}

/**
 * XML 1.0 forbids most control characters, U+FFFE, U+FFFF and lone surrogates, even as references. They are written
 * `\u{1b}`; a backslash before `u{` is written `\u{5c}`, so nothing is ambiguous.
 */
const UNSAYABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters XML cannot hold
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\\(?=u\{)/g;
const ESCAPED = /\\u\{([0-9a-f]{1,4})\}/g;

const escapeUnsayable = (text: string): string =>
  text.replace(UNSAYABLE, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);

/** Undoes the escapes that `xmlText` and `xmlAttribute` wrote for characters that XML cannot hold. */
export const restore = (text: string): string =>
  text.includes('\\u{')
    ? text.replace(ESCAPED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A parser would turn these into spaces (attributes) or line feeds.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

export const xmlText = (text: string): string =>
  escapeUnsayable(text).replace(/[&<>\r]/g, (character) => REFERENCES[character] as string);

export const xmlAttribute = (text: string): string =>
  escapeUnsayable(text).replace(/[&<>"\t\n\r]/g, (character) => REFERENCES[character] as string);

/** ` name="value"` for each attribute that has a value. */
export function xmlAttributes(attributes: Readonly<Record<string, string | number | undefined>>): string {
  let out = '';
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) out += ` ${name}="${xmlAttribute(String(value))}"`;
  }
  return out;
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const NAME = /[A-Za-z_:\u00c0-\u{10ffff}][\w:.\-\u00b7-\u{10ffff}]*/uy;
const SPACE = /[ \t\r\n]*/y;
/** Name, equals sign, and a value in either kind of quotes. */
const ATTRIBUTE = /[ \t\r\n]+([A-Za-z_:][\w:.-]*)[ \t\r\n]*=[ \t\r\n]*(?:"([^"<]*)"|'([^'<]*)')/y;

interface OpenElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (XmlElement | string)[];
  readonly start: number;
}

/** Parses one document; white space between elements is kept as text where it stands. */
export function parseXml(source: string): XmlElement {
  const fail = (problem: string, at: number): never => {
    const before = source.slice(0, at);
    throw new XmlError(problem, before.split('\n').length, at - before.lastIndexOf('\n'));
  };

  const decode = (raw: string, at: number, attribute: boolean): string => {
    let text = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw;
    if (attribute && /[\t\n]/.test(text)) text = text.replace(/[\t\n]/g, ' ');
    if (text.includes('&')) {
      text = text.replace(/&([^;&]{0,10};?)/g, (whole, name: string) => {
        const code = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}));$/.exec(name);
        if (code) {
          const point = code[1] ? Number.parseInt(code[1], 16) : Number(code[2]);
          if (isXmlCharacter(point)) return String.fromCodePoint(point);
        }
        return NAMED[name.slice(0, -1)] ?? fail(`'${whole}' is no reference XML knows`, at);
      });
    }
    return restore(text);
  };

  const stack: OpenElement[] = [];
  let root: XmlElement | undefined;
  let at = source.startsWith('\ufeff') ? 1 : 0;

  const addText = (raw: string, start: number, verbatim: boolean): void => {
    const parent = stack.at(-1);
    if (!parent) {
      if (raw.trim() !== '') fail('there is text outside the root element', start);
      return;
    }
    const text = verbatim ? restore(raw.replace(/\r\n?/g, '\n')) : decode(raw, start, false);
    const last = parent.children.length - 1;
    const previous = parent.children[last];
    if (typeof previous === 'string') parent.children[last] = previous + text;
    else if (text !== '') parent.children.push(text);
  };

  const skipTo = (end: string, from: number, what: string): number => {
    const found = source.indexOf(end, from);
    return found < 0 ? fail(`${what} does not end`, from) : found;
  };

  const close = (element: XmlElement, start: number): void => {
    const parent = stack.at(-1);
    if (parent) parent.children.push(element);
    else if (root) fail(`a second root element '${element.name}'`, start);
    else root = element;
  };

  const openTag = (start: number): void => {
    NAME.lastIndex = start + 1;
    const name = NAME.exec(source)?.[0] ?? fail("'<' without a name after it", start);
    at = NAME.lastIndex;
    const attributes: Record<string, string> = Object.create(null);
    for (;;) {
      ATTRIBUTE.lastIndex = at;
      const match = ATTRIBUTE.exec(source);
      if (!match) break;
      const key = match[1] as string;
      if (key in attributes) fail(`attribute '${key}' twice in '${name}'`, at);
      attributes[key] = decode(match[2] ?? match[3] ?? '', at, true);
      at = ATTRIBUTE.lastIndex;
    }
    SPACE.lastIndex = at;
    SPACE.exec(source);
    at = SPACE.lastIndex;
    if (source.startsWith('/>', at)) {
      at += 2;
      close({ name, attributes, children: [] }, start);
    } else if (source[at] === '>') {
      at += 1;
      stack.push({ name, attributes, children: [], start });
    } else fail(`'${name}' has something that is no attribute`, at);
  };

  const closeTag = (start: number): void => {
    const end = skipTo('>', start, 'a closing tag');
    const name = source.slice(start + 2, end).trimEnd();
    const open = stack.pop();
    if (open?.name !== name) {
      fail(`'</${name}>' closes ${open ? `'<${open.name}>'` : 'nothing'}`, start);
      return;
    }
    at = end + 1;
    close({ name, attributes: open.attributes, children: open.children }, open.start);
  };

  while (at < source.length) {
    const next = source.indexOf('<', at);
    const end = next < 0 ? source.length : next;
    if (end > at) addText(source.slice(at, end), at, false);
    at = end;
    if (next < 0) break;
    if (source.startsWith('</', next)) closeTag(next);
    else if (source.startsWith('<!--', next)) at = skipTo('-->', next + 4, 'a comment') + 3;
    else if (source.startsWith('<![CDATA[', next)) {
      at = skipTo(']]>', next, 'a CDATA section') + 3;
      addText(source.slice(next + 9, at - 3), next, true);
    } else if (source.startsWith('<?', next)) at = skipTo('?>', next, 'a processing instruction') + 2;
    else if (source.startsWith('<!', next)) fail('declarations (DOCTYPE) are not read', next);
    else openTag(next);
  }
  const open = stack.at(-1);
  if (open) return fail(`'<${open.name}>' is never closed`, open.start);
  return root ?? fail('there is no element', source.length);
}

const isXmlCharacter = (point: number): boolean =>
  point === 9 ||
  point === 10 ||
  point === 13 ||
  (point >= 0x20 && point < 0xd800) ||
  (point >= 0xe000 && point <= 0xfffd) ||
  (point >= 0x10000 && point <= 0x10ffff);

export const elementsIn = ({ children }: XmlElement): XmlElement[] =>
  children.filter((child): child is XmlElement => typeof child !== 'string');

/** Readers of required attributes. `where` is the block or section, for the error that `problemOf` makes of a problem. */
export function attributeReader(problemOf: (problem: string, where: string) => Error) {
  const text = (element: XmlElement, name: string, where: string): string => {
    const value = element.attributes[name];
    if (value === undefined) throw problemOf(`'${element.name}' has no '${name}'`, where);
    return value;
  };
  const numbers = (element: XmlElement, name: string, count: number, where: string): number[] => {
    const value = text(element, name, where);
    const parsed = value.trim().split(/\s+/u).map(Number);
    if (value.trim() === '' || parsed.length !== count || !parsed.every(Number.isFinite)) {
      const wanted = `${count} number${count > 1 ? 's' : ''}`;
      throw problemOf(`'${name}' is '${value}' instead of ${wanted}`, where);
    }
    return parsed;
  };
  return { text, numbers };
}
