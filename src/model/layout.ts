import type { Box } from './page-snapshot.ts';

/** A link a reader can see: its text and where it leads. */
export interface LinkElement {
  /** Hash of name and address. */
  readonly id: string;
  readonly name: string;
  /** Absolute URL. */
  readonly address: string;
  readonly advertisement?: true;
}

export interface ImageElement {
  /** Hash of name and digest, or of name and source where there is no digest. */
  readonly id: string;
  /** Alternative text. */
  readonly name: string;
  /** Absolute URL; `data:` URLs are replaced by `data:<hash>`. */
  readonly source: string;
  /** Other addresses it may be shown from (srcset, lazy attributes): a few, separated by spaces. */
  readonly candidates?: string;
  /** sha256 of the picture where the capture holds it. */
  readonly digest?: string;
  readonly advertisement?: true;
}

/** The text of one paragraph-like run, without that of its links; whitespace normalised. */
export interface TextElement {
  readonly id: string;
  readonly text: string;
}

/** A region of the page that a reader sees as one thing. A leaf holds elements; any other holds blocks. */
export interface Block {
  /** Its place: the root is `B1`, its second child `B1.2`. */
  readonly ref: string;
  /** Hash of its content and of its children's ids (Merkle): equal ids mean equal content. */
  readonly id: string;
  readonly box: Box;
  /** Degree of coherence, 1 (loose) to 11 (one thing). */
  readonly doc: number;
  /** Type sizes of its links, then of its texts, see type-sizes.ts; absent where they were not read. */
  readonly typeSizes?: string;
  /** Share of the page's importance; leaves sum to 1, an inner block has the sum of its leaves. */
  readonly importance: number;
  /** In document order. */
  readonly links: readonly LinkElement[];
  readonly images: readonly ImageElement[];
  readonly texts: readonly TextElement[];
  readonly blocks: readonly Block[];
}

/** A page as a reader sees it: a tree of blocks (Vi-XML is its written form). */
export interface Layout {
  readonly url: string;
  readonly title: string;
  /** Which version of the page: the time of its capture (ISO 8601), or a file's name. */
  readonly version: string;
  readonly viewport: { readonly width: number; readonly height: number };
  /** Which segmenter made it, and its version: layouts of different segmenters are not compared. */
  readonly segmenter: string;
  /** Why it shows only part of the page (its snapshot ended at a limit); absent where it shows all. */
  readonly partial?: string;
  /** Id of the root block of the last version's layout, along which this one was cut; absent for a first version. */
  readonly previous?: string;
  /** How the page was cut, so that the next version is cut the same way; only its segmenter can read it. */
  readonly memory?: string;
  readonly root: Block;
}

/** What a segmenter returns: regions of a snapshot, before their content is read. */
export interface Segment {
  readonly box: Box;
  readonly doc: number;
  /** Indices of the snapshot nodes whose subtrees make it up, in document order. */
  readonly nodes: readonly number[];
  /** Empty for a leaf. The children divide all rendered content of their parent among them, each node going to one child. */
  readonly segments: readonly Segment[];
}
