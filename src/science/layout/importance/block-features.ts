import type { Segment } from '../../../model/layout.ts';
import type { PageSnapshot } from '../../../model/page-snapshot.ts';
import { leafOfNode } from '../segment-leaves.ts';
import { BLOCK_ROLES, landmarks, NAME_HINTS } from './landmarks.ts';
import { mainContent } from './main-content.ts';

/**
 * Features of a block: Song, Liu, Wen, Ma, "Learning Block Importance Models for Web Pages" (WWW 2004) §4, spatial and
 * content features, each relative to the page; and our own: link density, fonts, landmarks, names, whether it is inside
 * the main content.
 *
 * | paper                          | here |
 * | BlockCenterX, BlockCenterY     | centre, centreTop, centreBottom (window-relative, §4.1) |
 * | BlockRectWidth, BlockRectHeight | width, height, heightInWindow |
 * | ImgNum, ImgSize                | images, imageArea |
 * | LinkNum, LinkTextLength        | links, linkText |
 * | InnerTextLength                | text |
 * | InteractionNum, InteractionSize | controls, controlArea |
 * | FormNum, FormSize              | forms, formArea |
 *
 * Departure: the paper's window-relative Y is a single number, linear near the top, flat in the middle and linear near
 * the bottom; a linear model does better with the two ends apart. One pass over the snapshot for all blocks.
 */
const SPATIAL = [
  'centre',
  'offCentre',
  'centreTop',
  'centreBottom',
  'y',
  'width',
  'height',
  'heightInWindow',
  'area',
];
const CONTENT = [
  'images',
  'imageArea',
  'links',
  'linkText',
  'text',
  'controls',
  'controlArea',
  'forms',
  'formArea',
];
const OURS = [
  'linkDensity',
  'imageCover',
  'logText',
  'logLinks',
  'textDensity',
  'sentences',
  'fontLargest',
  'fontMean',
  'bold',
  'headings',
  'items',
  'inMain',
  'copyright',
];

export const FEATURE_NAMES: readonly string[] = [
  ...SPATIAL,
  ...CONTENT,
  ...OURS,
  ...BLOCK_ROLES.map((role) => `role:${role}`),
  ...NAME_HINTS.map(([hint]) => `own:${hint}`),
  ...NAME_HINTS.map(([hint]) => `around:${hint}`),
];

const CONTROLS = new Set(['input', 'select', 'textarea', 'button']);
const PICTURES = new Set(['img', 'svg', 'video', 'canvas', 'object', 'embed', 'iframe']);
const HEADINGS = /^h[1-6]$/;
const COPYRIGHT = /©|\(c\)|copyright|all rights reserved/iu;

class Sums {
  images = 0;
  imageArea = 0;
  links = 0;
  linkText = 0;
  text = 0;
  controls = 0;
  controlArea = 0;
  forms = 0;
  formArea = 0;
  sentences = 0;
  fontLargest = 0;
  fontSum = 0;
  bold = 0;
  headings = 0;
  items = 0;
  inMain = 0;
  copyright = 0;
}

/** One row per block, in the order of FEATURE_NAMES; finite numbers for any page. */
export function blockFeatures(snapshot: PageSnapshot, leaves: readonly Segment[]): number[][] {
  const owner = leafOfNode(snapshot, leaves);
  const { inside } = mainContent(snapshot);
  const page = new Sums();
  const blocks = leaves.map(() => new Sums());
  const inLink = new Uint8Array(snapshot.nodes.length);
  snapshot.nodes.forEach((node, i) => {
    if (node.parent >= 0 && inLink[node.parent] === 1) inLink[i] = 1;
    if (node.kind === 'element' && node.tag === 'a') inLink[i] = 1;
    const block = blocks[owner[i] as number];
    addNode(page, snapshot, i, inLink[i] === 1, inside[i] === 1);
    if (block) addNode(block, snapshot, i, inLink[i] === 1, inside[i] === 1);
  });
  const roles = landmarks(snapshot);
  return leaves.map((leaf, i) => {
    const sums = blocks[i] as Sums;
    const first = leaf.nodes[0] ?? 0;
    const role = roles[first];
    const own = nameHints(snapshot, leaf.nodes, 0);
    const around = nameHints(snapshot, leaf.nodes.slice(0, 1), SURROUNDINGS);
    const row = [
      ...spatial(snapshot, leaf),
      ...content(sums, page),
      ...ours(sums, page, leaf),
      ...BLOCK_ROLES.map((name) => (name === role ? 1 : 0)),
      ...own,
      ...around,
    ];
    return row.map((value) => (Number.isFinite(value) ? value : 0));
  });
}

function addNode(sums: Sums, snapshot: PageSnapshot, i: number, linked: boolean, inMain: boolean): void {
  const node = snapshot.nodes[i] as PageSnapshot['nodes'][number];
  const area = Math.max(0, node.box[2]) * Math.max(0, node.box[3]);
  if (node.kind === 'element') {
    if (node.tag === 'a') sums.links++;
    else if (PICTURES.has(node.tag)) {
      sums.images++;
      sums.imageArea += area;
    } else if (CONTROLS.has(node.tag)) {
      sums.controls++;
      sums.controlArea += area;
    } else if (node.tag === 'form') {
      sums.forms++;
      sums.formArea += area;
    } else if (HEADINGS.test(node.tag)) sums.headings++;
    else if (node.tag === 'li' || node.tag === 'dd' || node.tag === 'tr') sums.items++;
    return;
  }
  const { length } = node.text;
  const parent = snapshot.nodes[node.parent];
  const style = parent?.kind === 'element' ? snapshot.styles[parent.style] : undefined;
  sums.text += length;
  if (linked) sums.linkText += length;
  else sums.sentences += node.text.split(/[.!?。！？]\s|[.!?。！？]$/u).length - 1;
  if (inMain) sums.inMain += length;
  if (COPYRIGHT.test(node.text)) sums.copyright = 1;
  if (!style) return;
  sums.fontLargest = Math.max(sums.fontLargest, style.fontSize);
  sums.fontSum += style.fontSize * length;
  if (style.fontWeight >= 600) sums.bold += length;
}

function spatial(snapshot: PageSnapshot, { box: [x, y, width, height] }: Segment): number[] {
  const page = { width: Math.max(1, snapshot.page.width), height: Math.max(1, snapshot.page.height) };
  const window = Math.max(1, snapshot.viewport.height);
  const centre = (x + width / 2) / page.width;
  const middle = y + height / 2;
  return [
    centre,
    Math.abs(centre - 0.5) * 2,
    Math.min(1, middle / (window / 2)),
    Math.min(1, (page.height - middle) / (window / 2)),
    middle / page.height,
    width / page.width,
    height / page.height,
    Math.min(3, height / window),
    Math.sqrt((Math.max(0, width) * Math.max(0, height)) / (page.width * page.height)),
  ];
}

const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

const content = (block: Sums, page: Sums): number[] => [
  share(block.images, page.images),
  share(block.imageArea, page.imageArea),
  share(block.links, page.links),
  share(block.linkText, page.linkText),
  share(block.text, page.text),
  share(block.controls, page.controls),
  share(block.controlArea, page.controlArea),
  share(block.forms, page.forms),
  share(block.formArea, page.formArea),
];

function ours(block: Sums, page: Sums, { box }: Segment): number[] {
  const area = Math.max(1, box[2] * box[3]);
  const meanFont = share(page.fontSum, page.text) || 1;
  return [
    share(block.linkText, block.text),
    Math.min(1, block.imageArea / area),
    Math.log1p(block.text),
    Math.log1p(block.links),
    // Characters per 1,000 square pixels: prose is near 10.
    Math.min(20, (block.text * 1000) / area),
    Math.log1p(block.sentences),
    Math.min(4, block.fontLargest / meanFont),
    Math.min(4, share(block.fontSum, block.text) / meanFont),
    share(block.bold, block.text),
    Math.log1p(block.headings),
    Math.log1p(block.items),
    share(block.inMain, block.text),
    block.copyright,
  ];
}

/** Number of ancestors whose names may tell what a block is. */
const SURROUNDINGS = 4;

/** For each hint, whether a name of these elements (0), or of their next ancestors, contains it. */
function nameHints(snapshot: PageSnapshot, nodes: readonly number[], ancestors: number): number[] {
  const names: string[] = [];
  for (const start of nodes.slice(0, 20)) {
    let i = ancestors > 0 ? (snapshot.nodes[start]?.parent ?? -1) : start;
    for (let steps = 0; i >= 0 && steps <= ancestors; steps++) {
      const node = snapshot.nodes[i];
      if (node?.kind === 'element') names.push(`${node.attributes.id ?? ''} ${node.attributes.class ?? ''}`);
      i = node?.parent ?? -1;
    }
  }
  const joined = names.join(' ').slice(0, 2000);
  return NAME_HINTS.map(([, words]) => (words.test(joined) ? 1 : 0));
}
