import type { Block, Layout } from '../../model/layout.ts';
import { xmlAttribute, xmlText } from './xml.ts';

/** Draws a layout over its page: leaf blocks coloured by importance, with their refs. */
export interface LayoutDrawing {
  /** Address of a screenshot of the whole page, as wide as the page: a file name or a `data:` URL. */
  readonly screenshot?: string | undefined;
}

/** Pixels between the frames of nested blocks, so that each is visible; applied at most `DEEPEST` times. */
const INSET = 2;
const DEEPEST_INSET = 8;

/** Five colours of Cividis, from dark blue (low) to yellow (high): colour-blind readers can tell them apart too. */
const COLOURS = ['#00204d', '#414d6b', '#7c7b78', '#bcae6c', '#ffea46'] as const;

export function layoutSvg(layout: Layout, { screenshot }: LayoutDrawing = {}): string {
  const leaves: { block: Block; depth: number }[] = [];
  const inner: { block: Block; depth: number }[] = [];
  const stack = [{ block: layout.root, depth: 0 }];
  for (let item = stack.pop(); item; item = stack.pop()) {
    (item.block.blocks.length === 0 ? leaves : inner).push(item);
    for (let i = item.block.blocks.length - 1; i >= 0; i--) {
      stack.push({ block: item.block.blocks[i] as Block, depth: item.depth + 1 });
    }
  }
  const [, , rootWidth, rootHeight] = layout.root.box;
  let [width, height, most] = [Math.max(1, rootWidth), Math.max(1, rootHeight), 0];
  for (const { block } of leaves) {
    width = Math.max(width, block.box[0] + block.box[2]);
    height = Math.max(height, block.box[1] + block.box[3]);
    most = Math.max(most, block.importance);
  }
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${xmlText(`Layout of ${layout.title || layout.url}`)}</title>`,
    screenshot === undefined
      ? `<rect width="${width}" height="${height}" fill="#fff"/>`
      : `<image href="${xmlAttribute(screenshot)}" width="${width}"/>`,
  ];
  for (const { block, depth } of inner) out.push(frame(block, depth));
  for (const { block, depth } of leaves) out.push(leaf(block, depth, most > 0 ? block.importance / most : 0));
  out.push('</svg>');
  return out.join('\n');
}

function rectangle({ box: [x, y, width, height] }: Block, depth: number): string {
  const inset = Math.min(depth, DEEPEST_INSET) * INSET;
  const [w, h] = [Math.max(1, width - 2 * inset), Math.max(1, height - 2 * inset)];
  return `x="${x + inset}" y="${y + inset}" width="${w}" height="${h}"`;
}

const frame = (block: Block, depth: number): string =>
  `<rect ${rectangle(block, depth)} fill="none" stroke="#555" stroke-dasharray="6 4"/>`;

function leaf(block: Block, depth: number, strength: number): string {
  const colour = COLOURS[Math.min(COLOURS.length - 1, Math.floor(strength * COLOURS.length))];
  const [x, y, width] = block.box;
  const percent = `${(block.importance * 100).toFixed(1)} %`;
  const said = `${block.ref} · ${percent}`;
  const labelled = width >= 40;
  const label = labelled
    ? `<rect x="${x + 2}" y="${y + 2}" width="${said.length * 7 + 8}" height="17" fill="#fff" fill-opacity="0.85"/><text x="${x + 6}" y="${y + 15}" font-family="sans-serif" font-size="12" fill="#111">${xmlText(said)}</text>`
    : '';
  return `<g><title>${xmlText(`${said}, ${block.links.length} links, ${block.images.length} images, ${block.texts.length} texts`)}</title><rect ${rectangle(block, depth)} fill="${colour}" fill-opacity="0.35" stroke="${colour}" stroke-width="2"/>${label}</g>`;
}
