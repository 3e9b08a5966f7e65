/**
 * Estimates where the nodes of a new version would be: longer texts take more lines, additions and removals take or
 * free their room, and everything below moves. Good enough to see whether the cut into blocks holds.
 */
import type { Box } from '../../../model/page-snapshot.ts';
import { breaksLine } from '../element-kinds.ts';
import { childrenOf } from './align.ts';
import type { Draft } from './match.ts';
import type { PageTemplate } from './page-template.ts';
import type { SketchNode } from './sketch.ts';

/** Line height, in font sizes. */
const LINE = 1.15;
const LEADING = 1.35;
/** In pixels, where nothing is known. */
const FONT_SIZE = 16;
/** Pixels by which rows may overlap. */
const OVERLAP = 2;

export function reflow(
  template: PageTemplate,
  drafts: readonly Draft[],
  sketch: readonly SketchNode[],
): Box[] {
  const { nodes, styles } = template;
  const children = childrenOf(drafts);
  /** How much taller and wider than its model, and how much further down within its parent. */
  const taller = new Float64Array(drafts.length);
  const widths = new Float64Array(drafts.length);
  const lower = new Float64Array(drafts.length);
  const boxOf = (i: number): Box => nodes.box[(drafts[i] as Draft).like] as Box;
  const isBlock = (i: number): boolean => {
    const { like } = drafts[i] as Draft;
    const style = styles[nodes.style[like] as number];
    return style !== undefined && breaksLine(style.display, nodes.tag[like] as string);
  };
  const fontSize = (like: number): number => {
    const style = styles[nodes.style[nodes.parent[like] as number] as number];
    return style?.fontSize || FONT_SIZE;
  };
  /** Width of the nearest line-breaking element around it. */
  const room = new Float64Array(drafts.length);
  drafts.forEach((draft, i) => {
    room[i] = draft.parent < 0 || isBlock(i) ? boxOf(i)[2] : (room[draft.parent] as number);
  });

  const text = (i: number): void => {
    const { like, sketch: n } = drafts[i] as Draft;
    const [, , width, height] = nodes.box[like] as Box;
    const before = nodes.length[like] as number;
    const now = sketch[n]?.text.length ?? before;
    widths[i] = width;
    if (now === before || before === 0) return;
    const size = fontSize(like);
    const lines = Math.max(1, Math.round((height - LINE * size) / (LEADING * size)) + 1);
    if (lines > 1) {
      const leading = (height - LINE * size) / (lines - 1);
      taller[i] = (Math.max(1, Math.ceil((lines * now) / before - 0.5)) - lines) * leading;
      return;
    }
    const wanted = (width / before) * now;
    const available = Math.max(room[i] as number, width);
    widths[i] = Math.min(wanted, available);
    taller[i] = (Math.ceil(wanted / available) - 1) * LEADING * size;
  };

  /** 1 for changed nodes and all around them: elsewhere nothing moves relative to its parent. */
  const dirty = new Uint8Array(drafts.length);
  drafts.forEach(({ like, sketch: n, kind }, i) => {
    if (kind !== 'kept' || (nodes.tag[like] === '' && sketch[n]?.text.length !== nodes.length[like]))
      dirty[i] = 1;
  });
  for (let i = drafts.length - 1; i > 0; i--) {
    if (dirty[i] === 1) dirty[(drafts[i] as Draft).parent] = 1;
  }

  const stackChildren = (i: number): void => {
    const own = children[i] as number[];
    let moved = 0;
    let row: { bottom: number; moved: number }[] = [];
    let oldBottom = Number.NEGATIVE_INFINITY;
    let newBottom = Number.NEGATIVE_INFINITY;
    let rowBottom = boxOf(i)[1];
    for (const child of own) {
      const [, top, , height] = boxOf(child);
      const { kind } = drafts[child] as Draft;
      const isNew = kind === 'new' && (drafts[i] as Draft).kind !== 'new';
      const above = row.filter((entry) => entry.bottom <= (isNew ? Number.NEGATIVE_INFINITY : top + OVERLAP));
      if (above.length > 0) {
        moved = above.reduce((most, entry) => Math.max(most, entry.moved), Number.NEGATIVE_INFINITY);
        row = row.filter((entry) => !above.includes(entry));
      }
      if (kind === 'gone') {
        oldBottom = Math.max(oldBottom, top + height);
        row.push({ bottom: top + height, moved: moved - (isBlock(child) ? height : 0) });
      } else if (isNew) {
        lower[child] = rowBottom - top;
        const step = isBlock(child) ? height + (taller[child] as number) : 0;
        for (const entry of row) entry.moved += step;
        moved += step;
        rowBottom += step;
        newBottom = Math.max(newBottom, rowBottom);
      } else {
        lower[child] = moved;
        const bottom = top + height + moved + (taller[child] as number);
        oldBottom = Math.max(oldBottom, top + height);
        newBottom = Math.max(newBottom, bottom);
        rowBottom = bottom;
        row.push({ bottom: top + height, moved: moved + (taller[child] as number) });
      }
    }
    const [, top, , height] = boxOf(i);
    // It has a fixed height, or was empty.
    if (!Number.isFinite(oldBottom) || top + height < oldBottom - OVERLAP) return;
    taller[i] = Math.max(newBottom - oldBottom, -height);
  };

  for (let i = drafts.length - 1; i >= 0; i--) {
    const { like } = drafts[i] as Draft;
    if (nodes.tag[like] === '') text(i);
    else {
      widths[i] = boxOf(i)[2];
      if (dirty[i] === 1 && (children[i] as number[]).length > 0) stackChildren(i);
    }
  }
  return drafts.map(({ parent }, i) => {
    if (parent >= 0) lower[i] = (lower[i] as number) + (lower[parent] as number);
    const [x, y, , height] = boxOf(i);
    return [x, y + (lower[i] as number), widths[i] as number, Math.max(0, height + (taller[i] as number))];
  });
}
