/**
 * A page snapshot as stored: columns instead of nodes, one JSON string. The walk in the page writes it in this form;
 * it goes into the record unchanged, without being parsed on the way.
 */
import type { Box, PageSnapshot, SnapshotNode, SnapshotStyle } from './page-snapshot.ts';

/** A snapshot, or why there is none. */
export type SnapshotOutcome =
  | { readonly kind: 'taken' /** JSON for `unpackSnapshot`. */; readonly packed: string }
  /** A PDF, a picture, plain text, XML: `contentType` says what the browser took it for. */
  | { readonly kind: 'none'; readonly reason: 'not-html'; readonly contentType: string }
  /** No document was shown (204, a download), or one without any elements. */
  | { readonly kind: 'none'; readonly reason: 'nothing-shown' }
  /** The page's time was up, or the page broke the script that walks it: a fact says how. */
  | { readonly kind: 'none'; readonly reason: 'no-time' | 'unreadable' };

export type StyleRow = readonly [
  display: string,
  position: SnapshotStyle['position'],
  float: SnapshotStyle['float'],
  background: string,
  paints: 0 | 1,
  backgroundImage: 0 | 1,
  color: string,
  fontSize: number,
  fontWeight: number,
  fontFamily: string,
  /** One digit per side, as in `SnapshotStyle.borders`. */
  borders: string,
];

export interface PackedSnapshot {
  readonly packed: 1;
  readonly url: string;
  readonly title: string;
  readonly language: string;
  readonly viewport: readonly [number, number];
  readonly page: readonly [number, number];
  readonly styles: readonly StyleRow[];
  readonly tags: readonly string[];
  /** Per node: how far back its parent stands; for the root 1 + its index. */
  readonly up: readonly number[];
  /** Per node: index in `tags`; -1 for text. */
  readonly tag: readonly number[];
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly w: readonly number[];
  readonly h: readonly number[];
  /** Per element. */
  readonly style: readonly number[];
  /** Per element; 0 for none. */
  readonly attributes: readonly (Readonly<Record<string, string>> | 0)[];
  /** Per text. */
  readonly text: readonly string[];
  /** Why it ends before the page does; absent where all was seen. */
  readonly cut?: string;
  readonly facts: readonly string[];
}

/**
 * Why a packed snapshot ends before its page does; undefined where all was seen. Found without parsing megabytes: it
 * comes after all texts of the page, and within those a quotation mark is escaped.
 */
export function whyCut(packed: string): string | undefined {
  const at = packed.lastIndexOf('"cut":"');
  const value = at < 0 ? undefined : /"(?:[^"\\]|\\.)*"/.exec(packed.slice(at + '"cut":'.length));
  return value ? (JSON.parse(value[0]) as string) : undefined;
}

const NO_ATTRIBUTES: Readonly<Record<string, string>> = Object.freeze({});

export function unpackSnapshot(json: string): PageSnapshot {
  const packed = JSON.parse(json) as PackedSnapshot | null;
  if (packed?.packed !== 1) throw new Error('not a page snapshot of a form that is known');
  const { tags, up, tag, x, y, w, h, style, attributes, text } = packed;
  const nodes: SnapshotNode[] = [];
  let element = 0;
  let texts = 0;
  for (let i = 0; i < up.length; i++) {
    const parent = i - (up[i] as number);
    const box: Box = [x[i] as number, y[i] as number, w[i] as number, h[i] as number];
    const named = tag[i] as number;
    if (named < 0) {
      nodes.push({ kind: 'text', parent, box, text: text[texts++] as string });
      continue;
    }
    nodes.push({
      kind: 'element',
      parent,
      box,
      tag: tags[named] as string,
      style: style[element] as number,
      attributes: attributes[element] || NO_ATTRIBUTES,
    });
    element++;
  }
  return {
    format: 1,
    url: packed.url,
    title: packed.title,
    language: packed.language,
    viewport: { width: packed.viewport[0], height: packed.viewport[1] },
    page: { width: packed.page[0], height: packed.page[1] },
    styles: packed.styles.map(styleOf),
    nodes,
    ...cutOf(packed),
    facts: packed.facts,
  };
}

/** Snapshots made before the field existed say it among their facts. */
function cutOf({ cut, facts }: PackedSnapshot): Pick<PageSnapshot, 'cut'> {
  const why = cut ?? facts.find((fact) => /^(?:nodes|texts) past the limit of /u.test(fact));
  return why === undefined ? {} : { cut: why };
}

function styleOf(row: StyleRow): SnapshotStyle {
  const [display, position, float, background, paints, picture, color, fontSize, fontWeight, fontFamily] =
    row;
  const sides = row[10];
  return {
    display,
    position,
    float,
    background,
    paints: paints === 1,
    backgroundImage: picture === 1,
    color,
    fontSize,
    fontWeight,
    fontFamily,
    borders: [sides[0] === '1', sides[1] === '1', sides[2] === '1', sides[3] === '1'],
  };
}
