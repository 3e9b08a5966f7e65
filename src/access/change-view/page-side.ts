import type { Block, Layout } from '../../model/layout.ts';
import type { PageSnapshot } from '../../model/page-snapshot.ts';
import type { PlaceWords } from '../../science/layout/place-words.ts';
import { escaped, html, SafeHtml } from '../safe-html.ts';
import { snapshotPage } from '../snapshot-page.ts';
import type { BlockMark } from './block-marks.ts';

/** One version of a page, as the change view gets it. */
export interface ViewedPage {
  readonly layout: Layout;
  readonly snapshot?: PageSnapshot;
  /** `data:` URLs of the pictures of the snapshot, by their sources, as far as they are at hand. */
  readonly pictures?: ReadonlyMap<string, string>;
  readonly picture?: { readonly contentType: string; readonly bytes: Uint8Array };
}

/** The picture of one version, or its blocks drawn from their texts, with the changed blocks marked on it. */
export function pageSide(
  page: ViewedPage,
  marks: readonly BlockMark[],
  side: 'old' | 'new',
  placeOf: PlaceWords,
): SafeHtml {
  const [width, height] = sizeOf(page);
  const place = ([x, y, w, h]: Block['box']): string =>
    [
      `left:${percent(x / width)}`,
      `top:${percent(y / height)}`,
      `width:${percent(w / width)}`,
      `height:${percent(h / height)}`,
    ].join(';');
  const under = page.picture
    ? html`<img alt="the page as it was shown" src="${pictureUrl(page.picture)}">`
    : page.snapshot
      ? drawnSnapshot(page.snapshot, page.pictures)
      : html`<div class="drawn" style="aspect-ratio:${width}/${height}">${leavesOf(page.layout.root).map(
          (leaf) => html`<div class="leaf" style="${place(leaf.box)}">${leafText(leaf)}</div>`,
        )}</div>`;
  return html`<div class="page">${under}${marks.map(
    ({ ref, box, op, operations, weight }) =>
      html`<div class="mark ${op}" data-block="${side}:${ref}" style="${place(box)}" title="${placeOf(ref)}: ${String(operations)} change${operations === 1 ? '' : 's'}, weight ${weight.toFixed(3)}"><span>${placeOf(ref)}</span></div>`,
  )}</div>`;
}

/** A stored snapshot in its own pixels, scaled to the room there is. It loads nothing: pictures that are not given show as their names. */
function drawnSnapshot(snapshot: PageSnapshot, pictures: ViewedPage['pictures']): SafeHtml {
  const { width, height } = snapshot.page;
  const given = new Map([...(pictures ?? [])].map(([source, data]) => [escaped(source), escaped(data)]));
  const inside = snapshotPage(snapshot).replaceAll(/ (src|href)="([^"]*)"/gu, (_, name, target: string) => {
    const data = name === 'src' ? given.get(target) : undefined;
    return data === undefined ? '' : ` src="${data}"`;
  });
  const size = `width="${Math.max(1, width)}" height="${Math.max(1, height)}"`;
  return new SafeHtml(
    `<svg class="shown" viewBox="0 0 ${Math.max(1, width)} ${Math.max(1, height)}"><foreignObject ${size}>${inside}</foreignObject></svg>`,
  );
}

/** How a side came about, where it is no picture of the page: what a reader may miss on it. */
export function sideNote({ layout, snapshot, picture, pictures }: ViewedPage): string | undefined {
  if (picture) return undefined;
  if (!snapshot) return 'Drawn from its blocks: neither a picture nor a snapshot of the page is at hand.';
  const drawn = 'Drawn from the stored snapshot, without the style of its finer parts';
  const all = leavesOf(layout.root).reduce((sum, { images }) => sum + images.length, 0);
  if (all === 0) return `${drawn}.`;
  const shown = pictures?.size ?? 0;
  return shown === 0
    ? `${drawn}; its pictures are not in the archive, or too large, and show as their names.`
    : `${drawn}; pictures that are not in the archive, or too large, show as their names.`;
}

/** Pixels of the page that are shown: a picture may end before the page does. */
function sizeOf({ layout, snapshot, picture }: ViewedPage): readonly [number, number] {
  const [x, y, w, h] = layout.root.box;
  const page = snapshot?.page ?? { width: x + w, height: y + h };
  const width = Math.max(1, page.width, layout.viewport.width);
  const shown = picture && pngSize(picture.bytes);
  return [width, Math.max(1, shown ? (shown.height * width) / shown.width : page.height)];
}

/** From the first chunk, which every PNG begins with. */
function pngSize(bytes: Uint8Array): { width: number; height: number } | undefined {
  if (bytes.length < 24 || bytes[1] !== 0x50 || bytes[2] !== 0x4e || bytes[3] !== 0x47) return undefined;
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { width: header.getUint32(16), height: header.getUint32(20) };
}

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;

function pictureUrl({ contentType, bytes }: NonNullable<ViewedPage['picture']>): string {
  let binary = '';
  const chunk = 0x8000;
  for (let at = 0; at < bytes.length; at += chunk)
    binary += String.fromCharCode(...bytes.subarray(at, at + chunk));
  return `data:${contentType};base64,${btoa(binary)}`;
}

function leavesOf(root: Block): Block[] {
  const leaves: Block[] = [];
  const stack = [root];
  for (let block = stack.pop(); block; block = stack.pop()) {
    if (block.blocks.length === 0) leaves.push(block);
    stack.push(...[...block.blocks].reverse());
  }
  return leaves;
}

/** Characters that a drawn block shows. */
const SHOWN = 300;

function leafText({ texts, links }: Block): string {
  const all = [...texts.map(({ text }) => text), ...links.map(({ name }) => name)].join(' · ');
  return all.length > SHOWN ? `${all.slice(0, SHOWN)}…` : all;
}
