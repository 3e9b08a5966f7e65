import type { Block, Layout } from '../../model/layout.ts';

/**
 * Where on a page a block is, in a reader's words: "lead story", "navigation", "right sidebar", "main column, third screen".
 * Derived from boxes, order and the content of blocks: a layout keeps neither tags nor roles.
 *
 *   main column   the stretch across the page that holds most of its text
 *   sidebar       narrow, and beside the main column
 *   navigation    many short links and hardly any text
 *   lead story    the first block of the main column that says something and is none of the above
 */
export type PlaceWords = (ref: string) => string;

/** Width in pixels of the bins in which the main column is sought. */
const BIN = 16;
/** Bins with less than this share of the fullest bin's text are outside the main column. */
const MAIN_SHARE = 0.35;
/** Most of the page's width that a sidebar may take. */
const SIDEBAR_WIDTH = 0.4;
/** For navigation: the fewest links, the most characters per link on average, and the largest share of other text. */
const NAVIGATION = { links: 4, characters: 24, textShare: 0.35 } as const;
/** Fewest characters in a story. */
const STORY = 30;
/**
 * In screens: how far a header reaches from the top, how far a footer from the bottom, and how far down a lead story
 * may begin.
 */
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
    // Pushed one by one: a page may have more blocks than a call takes arguments.
    for (let i = block.blocks.length - 1; i >= 0; i--) stack.push(block.blocks[i] as Block);
  }
  const page = pageOf(layout, leaves);
  const lead = leaves.find((leaf) => isLead(leaf, page))?.ref;
  return (ref) => {
    const block = blocks.get(ref);
    if (!block) return 'the page';
    if (block === layout.root) return 'the whole page';
    // A block that holds the lead story, and little else, counts as the lead story too.
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
  /** Top and bottom of each block in it. */
  readonly column: readonly (readonly [number, number])[];
  /** The last block that holds any text. */
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

/** A short line at the margin is no sidebar: a sidebar has some of the main column beside it. */
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

/** Only on a page that is longer than the footer area: on a single screen everything is near the bottom. */
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
