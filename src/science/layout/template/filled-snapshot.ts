/** Turns drafts into the snapshot that a browser would take of the new version, with estimated boxes. */
import type { HtmlTree } from '../../../model/html-tree.ts';
import type { Box, PageSnapshot, SnapshotNode } from '../../../model/page-snapshot.ts';
import { candidateSources } from '../picture-sources.ts';
import type { Draft } from './match.ts';
import type { PageTemplate } from './page-template.ts';
import type { Sketch, SketchNode } from './sketch.ts';
import { applyRule, type SourcesOf, sourcesIn } from './source-rules.ts';
import { type Resolve, resolver, shortened } from './url-names.ts';

/** Kept by the snapshot's walk, as far as layouts need them. */
const KEPT = ['id', 'class', 'role', 'aria-label', 'aria-hidden', 'alt', 'title', 'type', 'name', 'rel'];
const OWN_SOURCE = new Set(['img', 'video', 'audio']);
const BUTTONS = new Set(['submit', 'button', 'reset']);
/** Pixels by which texts of one line overlap: more than `startsLine` tolerates. */
const SAME_LINE = 4;

/** Nodes without boxes: `withBoxes` adds them, more than once. */
export interface FilledNodes {
  readonly nodes: readonly SnapshotNode[];
  readonly draftOf: readonly number[];
  /** Per node: 1 where a text begins a new line below the text before it, 0 where it does not, -1 for other nodes. */
  readonly line: Int8Array;
}

export const baseOf = (url: string, { base }: Sketch): string =>
  base !== undefined && URL.canParse(base, url) ? new URL(base, url).href : url;

/** The nodes, or why they cannot be determined. */
export function filledNodes(
  template: PageTemplate,
  drafts: readonly Draft[],
  tree: HtmlTree,
  sketch: Sketch,
): FilledNodes | string {
  const old = template.nodes;
  const resolve = resolver(baseOf(template.url, sketch));
  const sources = sourcesIn(tree);
  const nodes: SnapshotNode[] = [];
  const draftOf: number[] = [];
  const line: number[] = [];
  const placeOf = new Int32Array(drafts.length).fill(-1);
  for (let i = 0; i < drafts.length; i++) {
    const { like, sketch: n, parent: up, kind } = drafts[i] as Draft;
    if (kind === 'gone') continue;
    const parent = up < 0 ? -1 : (placeOf[up] as number);
    const box = old.box[like] as Box;
    const own = sketch.nodes[n];
    placeOf[i] = nodes.length;
    draftOf.push(i);
    if (old.tag[like] === '') {
      const before = nodes.at(-1);
      const follows = before?.kind === 'text' && before.parent === parent;
      const begins = follows ? lineBegins(i, draftOf.at(-2) as number) : -1;
      if (begins === undefined) return 'a line may end between two texts';
      line.push(begins);
      nodes.push({ kind: 'text', parent, box, text: own?.text ?? '' });
      continue;
    }
    line.push(-1);
    const rule = template.rules[old.rule[like] as number];
    const attributes = own ? attributesOf(own, rule, sources, resolve) : {};
    if (typeof attributes === 'string') return attributes;
    nodes.push({
      kind: 'element',
      parent,
      box,
      tag: old.tag[like] as string,
      style: old.style[like] as number,
      attributes,
    });
  }
  return { nodes, draftOf, line: Int8Array.from(line) };

  function lineBegins(i: number, j: number): number | undefined {
    const { like, sketch: n, kind } = drafts[i] as Draft;
    const before = drafts[j] as Draft;
    if (breaksBetween(before.sketch, n)) return 1;
    const same = kind === 'kept' && before.kind === 'kept' && sameLength(i) && sameLength(j);
    return same ? (old.wraps[like] as number) : undefined;
  }
  function breaksBetween(from: number, to: number): boolean {
    for (let i = from + 1; i <= to; i++) {
      const node = sketch.nodes[i] as SketchNode;
      if (node.parent === (sketch.nodes[to] as SketchNode).parent && node.afterBreak) return true;
    }
    return false;
  }
  function sameLength(i: number): boolean {
    const { like, sketch: n } = drafts[i] as Draft;
    return sketch.nodes[n]?.text.length === old.length[like];
  }
}

function attributesOf(
  { tag, attributes: raw, ...node }: SketchNode,
  rule: string | undefined,
  sources: SourcesOf,
  resolve: Resolve,
): Record<string, string> | string {
  const found: Record<string, string> = {};
  for (const name of KEPT) if (raw[name]) found[name] = shortened(raw[name]);
  if ((tag === 'a' || tag === 'area') && raw.href !== undefined) found.href = resolve(raw.href);
  if (OWN_SOURCE.has(tag)) {
    if (rule === undefined) return `the source of a ${tag} is not known`;
    const source = rule === '' ? undefined : applyRule(rule, { tag, attributes: raw, ...node }, sources);
    if (rule !== '' && !source) return `a ${tag} has no ${rule}`;
    if (source) found.src = resolve(source.trim());
    const others =
      tag === 'img'
        ? candidateSources([raw, ...sources({ tag, attributes: raw, ...node })], found.src, resolve)
        : '';
    if (others !== '') found.candidates = others;
  } else if (raw.src !== undefined) found.src = resolve(raw.src);
  if (tag === 'object' && raw.data !== undefined) found.src = resolve(raw.data);
  if (tag === 'input' && raw.value && BUTTONS.has((raw.type ?? '').toLowerCase()))
    found.value = shortened(raw.value);
  return found;
}

export function withBoxes(
  template: PageTemplate,
  { nodes, draftOf, line }: FilledNodes,
  boxes: readonly Box[] | undefined,
  title: string,
): PageSnapshot {
  const { url, viewport, page, styles } = template;
  const placed: SnapshotNode[] = nodes.slice();
  const boxOf = (i: number): Box => boxes?.[draftOf[i] as number] ?? (nodes[i] as SnapshotNode).box;
  for (let i = 0; i < placed.length; i++) {
    let box = boxOf(i);
    if (line[i] !== -1) box = onLine(box, (placed[i - 1] as SnapshotNode).box, line[i] === 1);
    if (boxes || line[i] !== -1) placed[i] = { ...(nodes[i] as SnapshotNode), box };
  }
  const grown = boxes ? boxOf(0)[3] - (nodes[0] as SnapshotNode).box[3] : 0;
  const height = Math.max(viewport.height, page.height + grown);
  return {
    format: 1,
    url,
    title,
    language: '',
    viewport,
    page: { ...page, height },
    styles,
    nodes: placed,
    facts: [],
  };
}

/** Moves a text so that its box shows whether it begins a line. */
function onLine([x, y, width, height]: Box, before: Box, begins: boolean): Box {
  const bottom = before[1] + before[3];
  return [x, begins ? Math.max(y, bottom) : Math.min(y, bottom - SAME_LINE), width, height];
}
