import type { Block, Layout } from '../../model/layout.ts';

/**
 * Where on a page a block stands, as a reader would say it: "lead story", "navigation", "right sidebar", "main column, third
 * screen". Told from boxes, order and what the blocks hold: a layout keeps neither tags nor roles.
 *
 *   main column   the stretch across the page that holds most of its text
 *   sidebar       narrow, and beside that
 *   navigation    many short links and hardly any text
 *   lead story    the first block of the main column that says something and is none of the above
 */
export type PlaceWords = (ref: string) => string;

/** Pixels across the page that are told apart when the main column is looked for. */
const BIN = 16;
/** Of the text beside each other on a page: less than this share of the most is outside the main column. */
const MAIN_SHARE = 0.35;
/** Of the width of the page: a sidebar is narrower. */
const SIDEBAR_WIDTH = 0.4;
/** Links from which on a block may be navigation, characters of a usual one at most, and text beside them. */
const NAVIGATION = { links: 4, characters: 24, textShare: 0.35 } as const;
/** Characters that a story has at least. */
const STORY = 30;
/** Screens: from its top a header reaches, and from the bottom a footer. A lead story begins above the other. */
const HEADER_SCREENS = 0.2;
const FOOTER_SCREENS = 0.8;
const LEAD_SCREENS = 2;

const ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
];

export function placeWords(layout: Layout): PlaceWords {
  const leaves: Block[] = [];
  const blocks = new Map<string, Block>();
  const stack = [layout.root];
  for (let block = stack.pop(); block; block = stack.pop()) {
    blocks.set(block.ref, block);
    if (block.blocks.length === 0) leaves.push(block);
    // One by one: a page may have more blocks than a call takes arguments.
    for (let i = block.blocks.length - 1; i >= 0; i--) stack.push(block.blocks[i] as Block);
  }
  const page = pageOf(layout, leaves);
  const lead = leaves.find((leaf) => isLead(leaf, page))?.ref;
  return (ref) => {
    const block = blocks.get(ref);
    if (!block) return 'the page';
    if (block === layout.root) return 'the whole page';
    // What holds the lead story, and little else, is it too.
    if (lead !== undefined && (ref === lead || (lead.startsWith(`${ref}.`) && !isTall(block, page))))
      return 'lead story';
    return words(block, page);
  };
}

interface Page {
  readonly width: number;
  readonly height: number;
  readonly screen: number;
  /** Left and right edge of the main column. */
  readonly main: readonly [number, number];
  /** What stands in it, from top to bottom of each. */
  readonly column: readonly (readonly [number, number])[];
  /** The last block that says anything. */
  readonly last: string;
}

function pageOf({ root, viewport }: Layout, leaves: readonly Block[]): Page {
  const width = Math.max(1, viewport.width, root.box[0] + root.box[2]);
  const height = Math.max(1, root.box[1] + root.box[3]);
  const text = new Float64Array(Math.ceil(width / BIN));
  for (const leaf of leaves) {
    if (isNavigation(leaf)) continue;
    const [x, , w] = leaf.box;
    const [from, to] = [Math.max(0, Math.floor(x / BIN)), Math.min(text.length, Math.ceil((x + w) / BIN))];
    const share = charactersOf(leaf) / Math.max(1, to - from);
    for (let bin = from; bin < to; bin++) text[bin] = (text[bin] ?? 0) + share;
  }
  const most = text.indexOf(Math.max(...text));
  const least = (text[most] ?? 0) * MAIN_SHARE;
  let [left, right] = [most, most];
  while (left > 0 && (text[left - 1] ?? 0) >= least) left--;
  while (right < text.length - 1 && (text[right + 1] ?? 0) >= least) right++;
  const main = [left * BIN, (right + 1) * BIN] as const;
  const isInside = ({ box: [x, , w] }: Block): boolean => x + w / 2 >= main[0] && x + w / 2 <= main[1];
  const said = leaves.filter((leaf) => charactersOf(leaf) > 0);
  return {
    width,
    height,
    screen: Math.max(1, viewport.height),
    main,
    column: said.filter(isInside).map(({ box: [, y, , h] }) => [y, y + h]),
    last: said.at(-1)?.ref ?? '',
  };
}

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0);
const linkCharacters = ({ links }: Block): number => lengthOf(links.map(({ name }) => name));
const textCharacters = ({ texts }: Block): number => lengthOf(texts.map(({ text }) => text));
const charactersOf = (block: Block): number => linkCharacters(block) + textCharacters(block);

function isNavigation(block: Block): boolean {
  const { links } = block;
  if (links.length < NAVIGATION.links) return false;
  const characters = linkCharacters(block);
  return (
    characters / links.length <= NAVIGATION.characters &&
    textCharacters(block) <= NAVIGATION.textShare * (characters + textCharacters(block))
  );
}

const isTall = ({ box: [, , , h] }: Block, { screen }: Page): boolean => h > 1.5 * screen;

/** A short line at the margin is none: something of the main column stands beside a sidebar. */
function sidebarOf(
  { box: [x, y, w, h] }: Block,
  { main, width, column }: Page,
): 'left' | 'right' | undefined {
  const centre = x + w / 2;
  if (w > SIDEBAR_WIDTH * width || (centre >= main[0] && centre <= main[1])) return undefined;
  const beside = column.reduce(
    (sum, [top, bottom]) => sum + Math.max(0, Math.min(bottom, y + h) - Math.max(top, y)),
    0,
  );
  if (beside <= h / 2) return undefined;
  return centre < main[0] ? 'left' : 'right';
}

const isHeader = ({ box: [, y, w, h] }: Block, { screen, width }: Page): boolean =>
  y + h <= HEADER_SCREENS * screen && w >= width / 2;

/** Of a page that is longer than it: on a single screen everything stands at the bottom. */
function isFooter(block: Block, { height, screen, last }: Page): boolean {
  const fromBottom = (height - block.box[1]) / screen;
  if (height <= 2 * FOOTER_SCREENS * screen || fromBottom > FOOTER_SCREENS) return false;
  return fromBottom <= HEADER_SCREENS || block.ref === last || isNavigation(block);
}

function isLead(leaf: Block, page: Page): boolean {
  if (charactersOf(leaf) < STORY || leaf.box[1] > LEAD_SCREENS * page.screen) return false;
  if (isNavigation(leaf) || isHeader(leaf, page) || isFooter(leaf, page)) return false;
  return sidebarOf(leaf, page) === undefined;
}

function words(block: Block, page: Page): string {
  const { box } = block;
  if (box[3] >= 0.8 * page.height && box[2] >= 0.8 * page.width) return 'the whole page';
  if (isFooter(block, page)) return 'footer';
  if (isNavigation(block) && (box[1] < 2 * page.screen || sidebarOf(block, page))) return 'navigation';
  if (isHeader(block, page)) return 'page header';
  const side = sidebarOf(block, page);
  const where = side ? `${side} sidebar` : 'main column';
  return `${where}, ${screenOf(box[1], page)}`;
}

function screenOf(y: number, { screen }: Page): string {
  const number = Math.max(0, Math.floor(y / screen));
  const ordinal = ORDINALS[number];
  return ordinal === undefined ? `screen ${number + 1}` : `${ordinal} screen`;
}
