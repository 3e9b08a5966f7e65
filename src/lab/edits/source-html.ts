/**
 * An HTML text as written, with the positions of its tags: a change affects only its own place. Each element gets a
 * number, its mark, in an attribute that snapshots keep and that changes no box, so that an element is recognised in
 * what a browser shows of the edited page, wherever it is.
 */
import { Parser } from 'htmlparser2';

/** Offsets into the text; `end` is exclusive. */
export interface SourceSpan {
  readonly start: number;
  readonly end: number;
}

export interface SourceElement extends SourceSpan {
  readonly mark: number;
  readonly tag: string;
  /** Mark of the surrounding element; -1 for none. */
  readonly parent: number;
  /** Offsets after the tag's name, and after the start tag. */
  readonly nameEnd: number;
  readonly openEnd: number;
  /** Whether there is an explicit end tag. */
  readonly closed: boolean;
  readonly attributes: Readonly<Record<string, string>>;
  /** Its direct texts. */
  readonly texts: readonly SourceSpan[];
}

export interface SourceHtml {
  readonly text: string;
  /** Indexed by mark, in document order. */
  readonly elements: readonly SourceElement[];
}

/** A span with its replacement. */
export interface Splice extends SourceSpan {
  readonly text: string;
}

/** The attribute that holds the mark. */
export const MARK = 'data-block';

/** Elements with no visible elements inside, or shown as one picture. */
const OPAQUE = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head', 'title', 'textarea']);

interface Draft {
  readonly element: { -readonly [K in keyof SourceElement]: SourceElement[K] };
  readonly texts: SourceSpan[];
}

export function readSource(text: string): SourceHtml {
  const elements: SourceElement[] = [];
  const open: (Draft | undefined)[] = [];
  let opaque = 0;
  const names: string[] = [];
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        names.push(tag);
        if (OPAQUE.has(tag)) opaque++;
        const start = parser.startIndex;
        const openEnd = parser.endIndex + 1;
        // An implied tag does not appear in the text.
        const written = text.slice(start + 1, start + 1 + tag.length).toLowerCase() === tag;
        if (opaque > 0 || !written) {
          open.push(undefined);
          return;
        }
        const parent = open.findLast((one) => one !== undefined)?.element.mark ?? -1;
        const texts: SourceSpan[] = [];
        const nameEnd = start + 1 + tag.length;
        const mark = elements.length;
        const element = {
          mark,
          tag,
          parent,
          start,
          nameEnd,
          openEnd,
          end: openEnd,
          closed: false,
          attributes,
          texts,
        };
        elements.push(element);
        open.push({ element, texts });
      },
      ontext() {
        const span = { start: parser.startIndex, end: parser.endIndex + 1 };
        const texts = open.at(-1)?.texts;
        const last = texts?.at(-1);
        if (last && last.end === span.start) texts?.splice(-1, 1, { start: last.start, end: span.end });
        else texts?.push(span);
      },
      onclosetag(tag, implied) {
        names.pop();
        const draft = open.pop();
        if (OPAQUE.has(tag)) opaque--;
        if (!draft) return;
        draft.element.closed = !implied;
        draft.element.end = implied
          ? Math.max(draft.element.openEnd, parser.startIndex)
          : parser.endIndex + 1;
      },
    },
    { decodeEntities: false, lowerCaseTags: true, lowerCaseAttributeNames: true },
  );
  parser.end(text);
  return { text, elements };
}

const markSplice = (element: SourceElement, mark: number): Splice => ({
  start: element.nameEnd,
  end: element.nameEnd,
  text: ` ${MARK}="${mark}"`,
});

export const inside = (source: SourceHtml, { start, end }: SourceSpan): SourceElement[] =>
  source.elements.filter((one) => one.start >= start && one.end <= end);

/** A span with its marks, and with its own splices; `renumber` gives copies new marks. */
export function written(
  source: SourceHtml,
  span: SourceSpan,
  splices: readonly Splice[] = [],
  renumber: (mark: number) => number = (mark) => mark,
): string {
  const inSpan = source.elements.filter(({ nameEnd }) => nameEnd > span.start && nameEnd <= span.end);
  const covered = (at: number): boolean => splices.some(({ start, end }) => at > start && at < end);
  const all = [
    ...inSpan.filter(({ nameEnd }) => !covered(nameEnd)).map((one) => markSplice(one, renumber(one.mark))),
    ...splices,
  ].sort((a, b) => a.start - b.start || a.end - b.end);
  let out = '';
  let at = span.start;
  for (const { start, end, text } of all) {
    out += source.text.slice(at, start) + text;
    at = Math.max(at, end);
  }
  return out + source.text.slice(at, span.end);
}

export const whole = (source: SourceHtml, splices: readonly Splice[] = []): string =>
  written(source, { start: 0, end: source.text.length }, splices);

/** Spans of the attribute values in the start tag. */
export function attributeSpans(
  { text }: SourceHtml,
  { nameEnd, openEnd }: SourceElement,
): { readonly name: string; readonly value: string; readonly span: SourceSpan }[] {
  const found: { name: string; value: string; span: SourceSpan }[] = [];
  const tag = text.slice(nameEnd, openEnd);
  for (const match of tag.matchAll(/[\s"'/]([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gu)) {
    const value = match[2] ?? match[3] ?? match[4] ?? '';
    const quoted = match[4] === undefined ? 1 : 0;
    const end = nameEnd + match.index + match[0].length - quoted;
    found.push({ name: (match[1] as string).toLowerCase(), value, span: { start: end - value.length, end } });
  }
  return found;
}
