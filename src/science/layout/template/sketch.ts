/**
 * What can show of an HTML tree, with what decides how it looks: the raw side of a template. Leaves out what never
 * shows whatever the style sheets say; what they hide is known only by comparison with a snapshot.
 */
import type { HtmlElement, HtmlTree } from '../../../model/html-tree.ts';
import { hash } from './url-names.ts';

export interface SketchNode {
  /** Index in `nodes`; -1 for the body. */
  readonly parent: number;
  end: number;
  /** '' for a text. */
  readonly tag: string;
  /** Elements with equal keys in equal places are styled alike. */
  key: string;
  /** White space collapsed. */
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Index in the HTML tree. */
  readonly source: number;
  /** Whether a `br` stands between this node and the sibling before it. */
  readonly afterBreak: boolean;
}

export interface Sketch {
  readonly title: string;
  /** `href` of the first base element. */
  readonly base: string | undefined;
  /** Hash of the style sheets and of everything else that decides how the page looks. */
  readonly styles: string;
  /** Each script's code, or its file name, by hash. */
  readonly scripts: ReadonlyMap<string, string>;
  readonly nodes: readonly SketchNode[];
}

export interface Surroundings {
  readonly styles: string;
  /** Each script verbatim, and without its data: see `scriptShape`. */
  readonly scripts: readonly (readonly [text: string, shape: string])[];
}

export const surroundingsOf = ({ styles, scripts }: Sketch): Surroundings => ({
  styles,
  scripts: [...scripts].map(([text, code]) => [text, hash(scriptShape(code))]),
});

/** Whether the same scripts run, apart from their data. */
export function sameScripts(known: Surroundings['scripts'], { scripts }: Sketch): boolean {
  const shapes = new Map(known);
  const now = new Set<string>();
  for (const [text, code] of scripts) now.add(shapes.get(text) ?? hash(scriptShape(code)));
  const before = new Set(shapes.values());
  return now.size === before.size && [...now].every((shape) => before.has(shape));
}

/** As in the snapshot's walk. */
const NEVER_SHOWN = new Set(
  'script style link meta head title base template source track param br wbr datalist noframes noscript'.split(
    ' ',
  ),
);
/** Nothing inside them is looked at. */
const ATOMIC = new Set(
  'input textarea select progress meter img canvas video audio embed hr iframe frame svg'.split(' '),
);

/** Attributes that say how an element looks, or what it is. */
const PRESENTATION = (
  'type role hidden open align valign width height size rows cols colspan rowspan border bgcolor color face dir ' +
  'checked disabled multiple start loading sizes media style'
).split(' ');

const NUMBERS = /\d{4,}/gu;

const collapse = (text: string): string => text.replace(/\s+/gu, ' ').trim();
const BLANK = /^[\s\u200b\ufeff]*$/u;

/** IDs and classes often number articles, so long numbers do not count. */
function keyOf({ tag, attributes }: HtmlElement): string {
  let key = tag;
  const { class: classes, id, alt, srcset, href, value } = attributes;
  if (classes) key += ` .${collapse(classes).replace(NUMBERS, '#')}`;
  if (id) key += ` #${id.replace(NUMBERS, '#')}`;
  for (const name of PRESENTATION) {
    const said = attributes[name];
    if (said !== undefined) key += ` ${name}=${name === 'style' ? styleKey(said) : said}`;
  }
  // A picture that does not load shows its alternative text instead.
  if (tag === 'img') key += alt ? ' alt' : alt === undefined ? '' : ' no-alt';
  if (srcset !== undefined) key += ` srcset=${descriptorsOf(srcset)}`;
  if (tag === 'a' && href !== undefined) key += ' href';
  if (tag === 'input' && value) key += ' value';
  return key;
}

/** A key without the ID, which may be unique to one element. */
export const looseKey = (key: string): string => key.replace(/ #\S*/u, '');

const styleKey = (style: string): string => style.replace(/url\([^)]*\)/giu, 'url()');

/** Widths and densities of a srcset, without its URLs. */
function descriptorsOf(srcset: string): string {
  return candidatesOf(srcset)
    .map(([, descriptor]) => descriptor)
    .join(',');
}

/** URL and descriptor of each candidate; commas inside URLs stay. */
export function candidatesOf(srcset: string): [url: string, descriptor: string][] {
  const found: [string, string][] = [];
  for (const [, url = '', descriptor = ''] of srcset.matchAll(
    /([^\s,]\S*[^\s,]|[^\s,])(?:\s+([^,]+))?\s*(?:,|$)/gu,
  )) {
    found.push([url, descriptor.trim()]);
  }
  return found;
}

export function sketchOf({ nodes: tree }: HtmlTree): Sketch {
  const nodes: SketchNode[] = [];
  const styles: string[] = [];
  const scripts = new Map<string, string>();
  let title: string | undefined;
  let base: string | undefined;
  const textIn = (at: number): string => {
    let text = '';
    for (let i = at + 1; i < (tree[at] as HtmlElement).end; i++) {
      const node = tree[i];
      if (node?.kind === 'text') text += node.text;
    }
    return text;
  };
  /** The sketch node of each tree node; -1 if it is left out. */
  const placeOf = new Int32Array(tree.length).fill(-1);
  const open: number[] = [];
  let broken = false;
  const leave = (until: number): void => {
    while (open.length > 0) {
      const top = nodes[open.at(-1) as number] as SketchNode;
      if ((tree[top.source] as HtmlElement).end > until) return;
      top.end = nodes.length;
      open.pop();
      broken = false;
    }
  };
  for (let i = 0; i < tree.length; i++) {
    const node = tree[i] as HtmlTree['nodes'][number];
    leave(i);
    const parent = node.parent < 0 ? -1 : (placeOf[node.parent] as number);
    if (node.kind === 'text') {
      if (parent < 0 || BLANK.test(node.text)) continue;
      addText(parent, collapse(node.text), i, broken);
      broken = false;
      continue;
    }
    const { tag, attributes } = node;
    if (tag === 'html') styles.push(keyOf(node));
    if (tag === 'style') styles.push(`${attributes.media ?? ''} ${textIn(i)}`);
    else if (tag === 'link' && /\bstylesheet\b/iu.test(attributes.rel ?? ''))
      styles.push(`${attributes.href} ${attributes.media ?? ''}`);
    else if (
      tag === 'meta' &&
      /viewport|content-security/iu.test(attributes.name ?? attributes['http-equiv'] ?? '')
    )
      styles.push(attributes.content ?? '');
    else if (tag === 'script' && runs(attributes.type)) {
      const code = attributes.src === undefined ? textIn(i) : scriptName(attributes.src);
      scripts.set(hash(code), code);
    } else if (tag === 'title')
      title ??= parentTag(tree, node.parent) === 'head' ? collapse(textIn(i)) : undefined;
    else if (tag === 'base') base ??= attributes.href;
    else if (tag === 'br') broken = true;
    // Which of its sources a picture shows depends on their attributes.
    else if (tag === 'source' && parent >= 0) (nodes[parent] as SketchNode).key += ` [${keyOf(node)}]`;
    const shows = tag === 'body' ? nodes.length === 0 : parent >= 0 && !NEVER_SHOWN.has(tag);
    if (!shows) {
      if (tag === 'template' || tag === 'noscript' || tag === 'datalist') i = node.end - 1;
      continue;
    }
    const at = nodes.length;
    placeOf[i] = at;
    nodes.push({
      parent: tag === 'body' ? -1 : parent,
      end: 0,
      tag,
      key: keyOf(node),
      text: '',
      attributes,
      source: i,
      afterBreak: broken,
    });
    broken = false;
    open.push(at);
    if (tag === 'svg') for (const word of wordsOf(tree, i)) addText(at, word, i, false);
    if (ATOMIC.has(tag)) {
      collectInside(i + 1, node.end);
      i = node.end - 1;
    }
  }
  leave(tree.length);
  return {
    title: title ?? '',
    base,
    styles: hash(styles.join('\n')),
    scripts,
    nodes,
  };

  function addText(parent: number, text: string, source: number, afterBreak: boolean): void {
    nodes.push({ parent, end: nodes.length + 1, tag: '', key: '', text, attributes: {}, source, afterBreak });
  }

  function collectInside(from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const node = tree[i];
      if (node?.kind === 'element' && node.tag === 'style') styles.push(textIn(i));
    }
  }
}

const parentTag = (tree: HtmlTree['nodes'], parent: number): string => {
  const node = tree[parent];
  return node?.kind === 'element' ? node.tag : '';
};

/** Only the words of a drawing. */
function wordsOf(tree: HtmlTree['nodes'], svg: number): string[] {
  const found: string[] = [];
  const { end } = tree[svg] as HtmlElement;
  let until = -1;
  for (let i = svg + 1; i < end; i++) {
    const node = tree[i] as HtmlTree['nodes'][number];
    if (node.kind === 'element') {
      if (node.tag === 'text') until = Math.max(until, node.end);
    } else if (i < until && !BLANK.test(node.text)) found.push(collapse(node.text));
  }
  return found;
}

const runs = (type: string | undefined): boolean =>
  type === undefined ||
  type === '' ||
  /^(?:module|(?:text|application)\/(?:java|ecma)script)\b/iu.test(type.trim());

/** A script without its data, which differs from visit to visit while the code does not. */
export function scriptShape(code: string): string {
  let shape = code
    .replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\b(?:\d[\w.]*|null|true|false)\b/gu, '_')
    .replace(/\s+/gu, '');
  for (let before = ''; before !== shape; ) {
    before = shape;
    // A list of data is data, whatever its length.
    shape = shape.replace(/_(?:[:,]_)+,?/gu, '_').replace(/\{_?\}|\[_?\]/gu, '_');
  }
  return shape;
}

/** Builds name their files by a hash of the content. */
const scriptName = (src: string): string => (src.split('?', 1)[0] as string).replace(/[0-9a-f]{16,}/giu, '#');
