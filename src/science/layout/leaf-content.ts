import type { ImageElement, LinkElement, Segment, TextElement } from '../../model/layout.ts';
import type { PageSnapshot, SnapshotElement } from '../../model/page-snapshot.ts';
import { contentId } from './content-hash.ts';
import { breaksLine, controlText, isPicture, labelOf, linkAddress, pictureSource } from './element-kinds.ts';
import { tellingSource } from './picture-sources.ts';
import { leafOfNode } from './segment-leaves.ts';
import { normalise, sentence } from './sentence.ts';

/**
 * Reads links, images and texts of every leaf segment in one pass over the snapshot, in document order.
 *
 * Nothing here looks at the position of a node, except for pictures too thin to be seen and for breaks that the
 * snapshot left out (where boxes have no size, `br` elements serve): the same content read from the raw HTML, without a
 * browser, must give the same ids.
 */

export interface LeafContent {
  readonly segment: Segment;
  readonly links: readonly LinkElement[];
  readonly images: readonly ImageElement[];
  readonly texts: readonly TextElement[];
  /** The snapshot node each element was read from, in the order of the lists above; for a text, its first node. */
  readonly nodes: {
    readonly links: readonly number[];
    readonly images: readonly number[];
    readonly texts: readonly number[];
  };
}

export type AddressedKind = 'link' | 'image' | 'frame';

export interface ContentOptions {
  /** SHA-256 of a picture, if the capture holds it. */
  readonly imageDigest?: ((source: string) => string | undefined) | undefined;
  /** Called once per link, image and frame; `node` is its index in the snapshot. */
  readonly isAdvertisement?: ((url: string, kind: AddressedKind, node: number) => boolean) | undefined;
}

/** In pixels. Thinner pictures are rules, spacers and counters, which nobody reads; their addresses often change. */
const VISIBLE_PICTURE = 3;

/** Pixels by which the boxes of two lines may overlap. */
const LINES_OVERLAP = 3;

interface LinkDraft {
  readonly node: number;
  readonly address: string;
  readonly pieces: string[];
  /** Alternative texts of the pictures inside. */
  labels: string;
  pictures: number;
  advertisement: boolean;
}

interface ImageDraft {
  readonly node: number;
  readonly name: string;
  /** The source shown; the one that identifies the picture may be another. */
  readonly source: string | undefined;
  readonly candidates: readonly string[];
  readonly kind: AddressedKind;
  readonly link: LinkDraft | undefined;
  /** Description of an inline drawing's nodes. */
  drawing: string;
  advertisement: boolean;
}

interface TextDraft {
  readonly node: number;
  readonly pieces: string[];
}

interface LeafDraft {
  readonly segment: Segment;
  readonly links: LinkDraft[];
  readonly images: ImageDraft[];
  readonly texts: TextDraft[];
  /** The run being read, and the line-breaking element it is in. */
  run: TextDraft | undefined;
  container: number;
}

export function readLeaves(
  snapshot: PageSnapshot,
  leaves: readonly Segment[],
  options: ContentOptions = {},
): LeafContent[] {
  const { nodes } = snapshot;
  const owner = leafOfNode(snapshot, leaves);
  const drafts = leaves.map(
    (segment): LeafDraft => ({
      segment,
      links: [],
      images: [],
      texts: [],
      run: undefined,
      container: -1,
    }),
  );
  const linkOf = new Int32Array(nodes.length).fill(-1);
  const containerOf = new Int32Array(nodes.length).fill(-1);
  /** The picture a node is inside; its content is not page content. */
  const pictureOf = new Int32Array(nodes.length).fill(-1);
  const filled = new Uint8Array(nodes.length);
  for (const node of nodes) if (node.parent >= 0) filled[node.parent] = 1;
  const linkDrafts = new Map<number, LinkDraft>();
  const pictures = new Map<number, ImageDraft>();
  /** How many pictures on the page show each source. */
  const shownFrom = new Map<string, number>();

  const linkIn = (leaf: number, link: number): LinkDraft | undefined => {
    if (link < 0) return undefined;
    const key = link * drafts.length + leaf;
    let draft = linkDrafts.get(key);
    if (!draft) {
      const address = absolute(linkAddress(nodes[link] as SnapshotElement) ?? '', snapshot.url);
      draft = {
        node: link,
        address,
        pieces: [],
        labels: '',
        pictures: 0,
        advertisement: options.isAdvertisement?.(address, 'link', link) ?? false,
      };
      linkDrafts.set(key, draft);
      drafts[leaf]?.links.push(draft);
    }
    return draft;
  };

  const addText = (leaf: number, i: number, text: string): void => {
    const draft = drafts[leaf] as LeafDraft;
    const container = containerOf[i] as number;
    const link = linkIn(leaf, linkOf[i] as number);
    if (link) {
      link.pieces.push(text);
      return;
    }
    if (!draft.run || draft.container !== container || startsLine(snapshot, i)) {
      draft.run = { node: i, pieces: [] };
      draft.texts.push(draft.run);
      draft.container = container;
    }
    draft.run.pieces.push(text);
  };

  const addPicture = (leaf: number, i: number, element: SnapshotElement, kind: AddressedKind): void => {
    const link = linkIn(leaf, linkOf[i] as number);
    const given = pictureSource(element);
    const source = given ? absolute(given, snapshot.url) : undefined;
    const name = normalise(labelOf(element));
    if (source === undefined && kind === 'frame') return;
    if (source === undefined && element.tag === 'img' && name === '') return;
    const image: ImageDraft = {
      node: i,
      name,
      source,
      candidates: element.attributes.candidates?.split(' ') ?? [],
      kind,
      link,
      drawing: '',
      advertisement: source !== undefined && (options.isAdvertisement?.(source, kind, i) ?? false),
    };
    if (source !== undefined) shownFrom.set(source, (shownFrom.get(source) ?? 0) + 1);
    pictures.set(i, image);
    drafts[leaf]?.images.push(image);
    if (link) {
      link.labels += ` ${name}`;
      link.pictures++;
      if (image.advertisement) link.advertisement = true;
    }
  };

  nodes.forEach((node, i) => {
    const { parent } = node;
    const leaf = owner[i] as number;
    linkOf[i] = parent >= 0 ? (linkOf[parent] as number) : -1;
    containerOf[i] = parent >= 0 ? (containerOf[parent] as number) : -1;
    pictureOf[i] = parent >= 0 ? (pictureOf[parent] as number) : -1;
    const inside = pictureOf[i] as number;
    if (inside >= 0) {
      const picture = pictures.get(inside);
      if (picture && picture.source === undefined) picture.drawing += describe(node);
      return;
    }
    if (node.kind === 'text') {
      if (leaf >= 0) addText(leaf, i, node.text);
      return;
    }
    if (linkAddress(node) !== undefined) linkOf[i] = i;
    const display = snapshot.styles[node.style]?.display ?? 'inline';
    if (breaksLine(display, node.tag)) {
      containerOf[i] = i;
      // A block ends the run before it, also in the leaf around it.
      for (const l of [leaf, parent >= 0 ? (owner[parent] as number) : -1]) {
        if (l >= 0) (drafts[l] as LeafDraft).run = undefined;
      }
    }
    const frame = node.tag === 'iframe' || node.tag === 'frame';
    const picture = isPicture(node);
    if (picture) pictureOf[i] = i;
    if (leaf < 0) return;
    if (node.tag === 'br') {
      (drafts[leaf] as LeafDraft).run = undefined;
      return;
    }
    if (linkOf[i] === i) linkIn(leaf, i);
    // A frame whose document could be read is in the snapshot with its content.
    if ((picture || (frame && filled[i] === 0)) && visible(node)) {
      addPicture(leaf, i, node, frame ? 'frame' : 'image');
    }
    const shown = controlText(node);
    if (shown) addText(leaf, i, shown);
  });

  return drafts.map((draft) => finish(draft, snapshot, shownFrom, options));
}

/**
 * Whether a `br` that the snapshot left out precedes a text: two adjacent texts in one element had something between
 * them, namely a break where the second begins below the first (else a comment, such as frameworks write).
 */
export function startsLine(snapshot: PageSnapshot, i: number): boolean {
  const text = snapshot.nodes[i];
  const before = snapshot.nodes[i - 1];
  if (text?.kind !== 'text' || before?.kind !== 'text' || before.parent !== text.parent) return false;
  return before.box[3] > 0 && text.box[1] >= before.box[1] + before.box[3] - LINES_OVERLAP;
}

const visible = (node: SnapshotElement): boolean =>
  node.box[2] >= VISIBLE_PICTURE && node.box[3] >= VISIBLE_PICTURE;

function describe(node: PageSnapshot['nodes'][number]): string {
  if (node.kind === 'text') return ` ${JSON.stringify(node.text)}`;
  return ` <${node.tag} ${JSON.stringify(Object.entries(node.attributes).sort(([a], [b]) => (a < b ? -1 : 1)))}>`;
}

/** `data:` URLs can be megabytes, so they are named by their hash; a URL that cannot be parsed stays as it is. */
function absolute(url: string, base: string): string {
  const trimmed = url.trim();
  if (/^data:/iu.test(trimmed)) return `data:${contentId('data', trimmed)}`;
  if (/^[a-z][a-z0-9+.-]*:/iu.test(trimmed)) return trimmed;
  return URL.canParse(trimmed, base) ? new URL(trimmed, base).href : trimmed;
}

function finish(
  draft: LeafDraft,
  snapshot: PageSnapshot,
  shownFrom: ReadonlyMap<string, number>,
  options: ContentOptions,
): LeafContent {
  const links: LinkElement[] = [];
  const images: ImageElement[] = [];
  const texts: TextElement[] = [];
  const nodes = { links: [] as number[], images: [] as number[], texts: [] as number[] };
  for (const link of draft.links) {
    const element = snapshot.nodes[link.node] as SnapshotElement;
    const name = sentence(link.pieces) || normalise(labelOf(element)) || normalise(link.labels);
    // An empty link is visible only where it is painted as a box (a picture from the style sheet).
    if (name === '' && link.pictures === 0 && !visible(element)) continue;
    const id = contentId('link', name, link.address);
    links.push({ id, name, address: link.address, ...(link.advertisement ? { advertisement: true } : {}) });
    nodes.links.push(link.node);
  }
  for (const image of draft.images) {
    const { tag } = snapshot.nodes[image.node] as SnapshotElement;
    const shown = image.source ?? `${tag}:${contentId(tag, image.drawing)}`;
    const { source, candidates } = tellingSource({ source: shown, candidates: image.candidates }, shownFrom);
    // For a placeholder, the capture holds the placeholder's bytes.
    const digest = options.imageDigest?.(source);
    const advertisement = image.advertisement || image.link?.advertisement === true;
    images.push({
      id:
        digest === undefined
          ? contentId('image', image.name, source)
          : contentId('picture', image.name, digest),
      name: image.name,
      source,
      ...(candidates.length > 0 ? { candidates: candidates.join(' ') } : {}),
      ...(digest === undefined ? {} : { digest }),
      ...(advertisement ? { advertisement } : {}),
    });
    nodes.images.push(image.node);
  }
  for (const run of draft.texts) {
    const text = sentence(run.pieces);
    if (text === '') continue;
    texts.push({ id: contentId('text', text), text });
    nodes.texts.push(run.node);
  }
  return { segment: draft.segment, links, images, texts, nodes };
}
