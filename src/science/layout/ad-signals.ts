import type { Box, PageSnapshot } from '../../model/page-snapshot.ts';
import { sellingLinks } from './ad-targets.ts';
import { adUnits } from './ad-units.ts';
import { linkAddress } from './element-kinds.ts';
import type { AddressedKind } from './leaf-content.ts';
import { navigationNodes } from './navigation-nodes.ts';
import { classesOf, type ElementTest, simpleSelector } from './simple-selector.ts';

/**
 * Which elements of a page are advertisements, or offers of its own publisher: by filter lists (asked through a port, as
 * functions here), by labels and names that say so (`ad-units.ts`), by where links lead (`ad-targets.ts`), by size and
 * by frame. Menus are left alone. Measured on judged blocks: docs/judged-advertisements.md. Paper: Ben Saad, Gançarski,
 * "Archiving the web using page changes patterns" (2012) §7.2 looks for the term "advertisement" in addresses and asks
 * for something better.
 */

/** Fixed sizes of display advertisements (IAB, 2003 to 2017), CSS pixels. Not 88×31, the size of badges. */
const IAB_SIZES: readonly (readonly [width: number, height: number])[] = [
  [728, 90],
  [300, 250],
  [160, 600],
  [120, 600],
  [300, 600],
  [336, 280],
  [468, 60],
  [234, 60],
  [120, 240],
  [125, 125],
  [180, 150],
  [240, 400],
  [250, 250],
  [970, 90],
  [970, 250],
  [300, 1050],
  [320, 50],
  [320, 100],
];

/** Allowance for pixels that borders add or scaling removes. */
const TOLERANCE = 2;

export function hasAdSize([, , width, height]: Box): boolean {
  return IAB_SIZES.some(([w, h]) => Math.abs(width - w) <= TOLERANCE && Math.abs(height - h) <= TOLERANCE);
}

/** What the filter lists say, bound to the page. */
export interface AdLists {
  byUrl(url: string, kind: AddressedKind): boolean;
  /** Selectors that the lists hide on a page using these classes, IDs and link addresses. */
  hidden(seen: { classes: string[]; ids: string[]; hrefs: string[] }): readonly string[];
}

export type AdJudge = (url: string, kind: AddressedKind, node: number) => boolean;

/** Judges links, images and frames of one snapshot; for `LayoutOptions.isAdvertisement`. */
export function adJudge(snapshot: PageSnapshot, lists?: AdLists): AdJudge {
  const inside = hiddenNodes(snapshot, lists);
  const navigation = navigationNodes(snapshot);
  const foreign = foreignTo(snapshot.url);
  const units = adUnits(snapshot, { navigation, foreign });
  const sells = sellingLinks(snapshot);
  return (url, kind, node) => {
    if (inside[node] === 1 || units[node] === 1) return true;
    // A menu may link to the shop, even through a click counter: it is still a menu.
    if (navigation[node] === 1) return false;
    const box = snapshot.nodes[node]?.box;
    if (kind === 'image' && isCounter(box)) return false;
    if (lists?.byUrl(url, kind)) return true;
    const link = linkAround(snapshot, node);
    if (link >= 0 && sells(link)) return true;
    // An advertisement's size, and not the site's own: a frame from elsewhere, a picture that links away.
    if (kind === 'frame') return box !== undefined && hasAdSize(box) && foreign(url);
    if (kind !== 'image' || link < 0 || !foreign(addressAt(snapshot, link))) return false;
    return (box !== undefined && hasAdSize(box)) || hasAdFileName(url);
  };
}

/** Width and height, in pixels, of a picture that only counts visits. */
const COUNTER_SIZE = 2;

const isCounter = (box: Box | undefined): boolean =>
  box !== undefined && box[2] > 0 && box[2] <= COUNTER_SIZE && box[3] > 0 && box[3] <= COUNTER_SIZE;

/** `skyscraper_160x600.gif`, `anzeige-300x250.jpg`: the name gives the size where the picture itself is missing. */
function hasAdFileName(url: string): boolean {
  const path = url.split(/[?#]/u, 1)[0] ?? '';
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [, width, height] = /(?:^|[^\d])(\d{2,4})x(\d{2,4})(?:[^\d]|$)/u.exec(name) ?? [];
  return width !== undefined && hasAdSize([0, 0, Number(width), Number(height)]);
}

/** 1 for each node that the lists hide, or that is inside one. Iterative: parents come before children. */
export function hiddenNodes(snapshot: PageSnapshot, lists?: AdLists): Uint8Array {
  const inside = new Uint8Array(snapshot.nodes.length);
  if (!lists) return inside;
  const index = indexTests(lists.hidden(seenNames(snapshot)));
  snapshot.nodes.forEach((node, i) => {
    if (node.parent > 0 && inside[node.parent] === 1) inside[i] = 1;
    // Never the body itself: lists hide a whole page only where it has been hijacked.
    else if (i > 0 && node.kind === 'element') inside[i] = index(node) ? 1 : 0;
  });
  return inside;
}

/** Lists have thousands of selectors that apply everywhere; those that name a class or ID are looked up by it. */
function indexTests(selectors: readonly string[]): ElementTest {
  const byName = new Map<string, ElementTest[]>();
  const others: ElementTest[] = [];
  for (const selector of selectors) {
    const test = simpleSelector(selector);
    if (!test) continue;
    const name = selector.includes(',') ? undefined : /^[a-z]*([#.][\w-]+)/iu.exec(selector)?.[1];
    if (name === undefined) others.push(test);
    else byName.set(name, [...(byName.get(name) ?? []), test]);
  }
  return (element) => {
    const names = classesOf(element.attributes.class).map((name) => `.${name}`);
    if (element.attributes.id) names.push(`#${element.attributes.id}`);
    return (
      names.some((name) => byName.get(name)?.some((test) => test(element))) ||
      others.some((test) => test(element))
    );
  };
}

function seenNames(snapshot: PageSnapshot): { classes: string[]; ids: string[]; hrefs: string[] } {
  const classes = new Set<string>();
  const ids = new Set<string>();
  const hrefs = new Set<string>();
  for (const node of snapshot.nodes) {
    if (node.kind !== 'element') continue;
    for (const name of classesOf(node.attributes.class)) classes.add(name);
    if (node.attributes.id) ids.add(node.attributes.id);
    if (node.attributes.href) hrefs.add(node.attributes.href);
  }
  return { classes: [...classes], ids: [...ids], hrefs: [...hrefs] };
}

/** The link a node is, or is inside; -1 for none. */
function linkAround({ nodes }: PageSnapshot, node: number): number {
  for (let i = node; i >= 0; ) {
    const element = nodes[i];
    if (!element) return -1;
    if (element.kind === 'element' && linkAddress(element) !== undefined) return i;
    i = element.parent;
  }
  return -1;
}

function addressAt({ nodes }: PageSnapshot, link: number): string | undefined {
  const element = nodes[link];
  return element?.kind === 'element' ? linkAddress(element) : undefined;
}

/**
 * Whether a URL is on another site, by the last two labels of its host: good enough for a signal (public suffixes are
 * not known here).
 */
function foreignTo(pageUrl: string): (url: string | undefined) => boolean {
  const own = siteOf(pageUrl);
  return (url) => {
    const site = url === undefined ? undefined : siteOf(url);
    return site !== undefined && site !== own;
  };
}

function siteOf(url: string): string | undefined {
  return /^https?:\/\/(?:[^/?#@]*@)?([^/?#:]+)/iu
    .exec(url)?.[1]
    ?.toLowerCase()
    .split('.')
    .slice(-2)
    .join('.');
}
