import type {
  Box,
  PageSnapshot,
  SnapshotElement,
  SnapshotNode,
  SnapshotStyle,
} from '../model/page-snapshot.ts';
import { escaped } from './safe-html.ts';

/**
 * A stored snapshot as a page without scripts: every box where the browser had it, with its colours, words, links and
 * pictures. Blocks are placed by their boxes; what stands in a line flows inside a box of its own, so that words break
 * where they broke. What a snapshot does not hold (gradients, rounded corners, canvas, video) is not drawn.
 */

/** Elements past this are left out: a browser takes seconds for more. */
const MOST_NODES = 50_000;
/** Heights in font sizes: of a line's letters, and from line to line where several are told by their box alone. */
const LETTERS = 1.17;
const USUAL_LINE = 1.4;
/** Pixels that a line may be wider than it was, before it breaks. */
const SLACK = 2;

type Placed = { readonly node: SnapshotNode; readonly children: Placed[] };

export function snapshotPage(snapshot: PageSnapshot): string {
  const root = treeOf(snapshot.nodes.slice(0, MOST_NODES));
  if (root?.node.kind !== 'element') return '';
  const { width, height } = snapshot.page;
  const background = snapshot.styles[root.node.style]?.background ?? '#fff';
  const inside = contents(root, [0, 0], snapshot.styles);
  return `<div class="snapshot" style="position:relative;overflow:hidden;width:${px(width)};height:${px(height)};background:${colour(background)}">${inside}</div>`;
}

function treeOf(nodes: readonly SnapshotNode[]): Placed | undefined {
  const placed: Placed[] = [];
  for (const node of nodes) {
    const one = { node, children: [] };
    placed.push(one);
    placed[node.parent]?.children.push(one);
  }
  return placed[0];
}

const isInline = ({ node }: Placed, styles: readonly SnapshotStyle[]): boolean =>
  node.kind === 'text' || (styles[node.style]?.display === 'inline' && !REPLACED.has(node.tag));
const REPLACED = new Set([
  'img',
  'svg',
  'video',
  'canvas',
  'iframe',
  'object',
  'embed',
  'input',
  'select',
  'textarea',
]);

/** What is inside an element whose corner is at `from`: blocks by their boxes, lines in boxes of their own. */
function contents(parent: Placed, from: readonly [number, number], styles: readonly SnapshotStyle[]): string {
  let out = '';
  let line: Placed[] = [];
  const endLine = (): void => {
    if (line.length > 0) out += lineBox(line, from, styles, parent.node as SnapshotElement);
    line = [];
  };
  for (const child of parent.children) {
    if (isInline(child, styles) && !holdsBlock(child, styles)) {
      line.push(child);
      continue;
    }
    endLine();
    if (child.node.kind === 'element') out += block(child, child.node, from, styles);
  }
  endLine();
  return out;
}

const holdsBlock = (one: Placed, styles: readonly SnapshotStyle[]): boolean =>
  one.children.some((child) => !isInline(child, styles) || holdsBlock(child, styles));

function block(
  one: Placed,
  element: SnapshotElement,
  from: readonly [number, number],
  styles: readonly SnapshotStyle[],
): string {
  const style = styles[element.style];
  const [x, y] = element.box;
  const looks = `${at(element.box, from)}${style ? paint(style) : ''}`;
  if (element.tag === 'img') {
    const { src = '', alt = '' } = element.attributes;
    const source = /^https?:/iu.test(src) ? ` src="${escaped(src)}"` : '';
    return `<img style="${looks}" alt="${escaped(alt)}"${source}>`;
  }
  return `${opening(element, looks)}${contents(one, [x, y], styles)}${closing(element)}`;
}

/** Texts and inline elements that follow each other, in the box that they filled together. */
function lineBox(
  line: readonly Placed[],
  from: readonly [number, number],
  styles: readonly SnapshotStyle[],
  parent: SnapshotElement,
): string {
  const boxes = line.map(({ node }) => node.box);
  const left = Math.min(...boxes.map(([x]) => x));
  const top = Math.min(...boxes.map(([, y]) => y));
  const right = Math.max(...boxes.map(([x, , width]) => x + width));
  const bottom = Math.max(...boxes.map(([, y, , height]) => y + height));
  const style = styles[parent.style];
  const size = style?.fontSize ?? 16;
  const height = bottom - top;
  const more = Math.max(0, Math.round((height - LETTERS * size) / (USUAL_LINE * size)));
  const lineHeight = more === 0 ? height : (height - LETTERS * size) / more;
  const box: Box = [
    left,
    top - (lineHeight - Math.min(height, LETTERS * size)) / 2,
    right - left + SLACK,
    height,
  ];
  const breaks = more === 0 ? 'white-space:nowrap;' : '';
  const text = joined(line, styles);
  return `<div style="${at(box, from)}${breaks}line-height:${px(lineHeight)};${style ? font(style) : ''}">${text}</div>`;
}

/** Texts are stored without the blanks at their ends: one is put where there was room for it. */
function joined(line: readonly Placed[], styles: readonly SnapshotStyle[]): string {
  let out = '';
  for (const [index, one] of line.entries()) {
    const before = line[index - 1]?.node.box;
    const [x, y] = one.node.box;
    // Where the one before ended in its last line is known only if that is its first.
    const isBeside = before !== undefined && Math.abs(before[1] - y) < 2;
    const closes = one.node.kind === 'text' && /^[.,;:!?)\]]/u.test(one.node.text);
    if (before && (isBeside ? x - before[0] - before[2] > 1 : !closes)) out += ' ';
    out += inline(one, styles);
  }
  return out;
}

function inline({ node, children }: Placed, styles: readonly SnapshotStyle[]): string {
  if (node.kind === 'text') return escaped(node.text);
  if (node.tag === 'br') return '<br>';
  const style = styles[node.style];
  const looks = style ? `${font(style)}${style.paints ? `background:${colour(style.background)};` : ''}` : '';
  const inside = joined(children, styles);
  const { href } = node.attributes;
  return href !== undefined && isLink(href)
    ? `<a href="${escaped(href)}" style="${looks}">${inside}</a>`
    : `<span style="${looks}">${inside}</span>`;
}

function opening({ tag, attributes }: SnapshotElement, looks: string): string {
  return tag === 'a' && isLink(attributes.href ?? '')
    ? `<a href="${escaped(attributes.href ?? '')}" style="${looks}">`
    : `<div style="${looks}">`;
}

const closing = ({ tag, attributes }: SnapshotElement): string =>
  tag === 'a' && isLink(attributes.href ?? '') ? '</a>' : '</div>';

const isLink = (href: string): boolean => /^https?:/iu.test(href);

const at = ([x, y, width, height]: Box, [left, top]: readonly [number, number]): string =>
  `position:absolute;left:${px(x - left)};top:${px(y - top)};width:${px(width)};height:${px(height)};`;

function paint(style: SnapshotStyle): string {
  const sides = ['top', 'right', 'bottom', 'left'].filter((_, side) => style.borders[side]);
  const borders = sides.map(
    (side) => `border-${side}:1px solid color-mix(in srgb,${colour(style.color)} 30%,transparent);`,
  );
  return `${style.paints ? `background:${colour(style.background)};` : ''}${borders.join('')}box-sizing:border-box;`;
}

const font = ({ color, fontSize, fontWeight, fontFamily }: SnapshotStyle): string =>
  `color:${colour(color)};font-size:${px(fontSize)};font-weight:${Math.round(fontWeight)};font-family:${escaped(fontFamily.replace(/[^\w\s,'"-]/gu, ''))};`;

/** Records of other tools may hold anything: only what can be a number or a colour reaches the page. */
const px = (value: number): string => `${Number.isFinite(value) ? Math.round(value * 100) / 100 : 0}px`;
const colour = (value: string): string => (/^#[0-9a-f]{3,8}$/iu.test(value) ? value : 'transparent');
