import type { Block, ImageElement, Layout, LinkElement, TextElement } from '../src/model/layout.ts';

/** Small layouts for tests: ids are what they stand for, so that a failing test can be read. */
export const link = (name: string, address = `https://a.example/${name}`): LinkElement => ({
  id: `link ${name} ${address}`,
  name,
  address,
});

export const image = (
  name: string,
  source = `https://a.example/${name}.png`,
  digest?: string,
): ImageElement => ({
  id: `image ${name} ${digest ?? source}`,
  name,
  source,
  ...(digest === undefined ? {} : { digest }),
});

export const text = (words: string): TextElement => ({ id: `text ${words}`, text: words });

export const advertisement = <T extends LinkElement | ImageElement>(element: T): T => ({
  ...element,
  advertisement: true,
});

export interface LeafSketch {
  readonly importance?: number;
  readonly links?: readonly LinkElement[];
  readonly images?: readonly ImageElement[];
  readonly texts?: readonly TextElement[];
}

/** Leaves under one root, stacked. Shares of importance that are not given are equal shares of the rest. */
export function layout(leaves: readonly LeafSketch[], version = 'v1'): Layout {
  const given = leaves.reduce((sum, leaf) => sum + (leaf.importance ?? 0), 0);
  const open = leaves.filter((leaf) => leaf.importance === undefined).length;
  const blocks = leaves.map(({ importance, links = [], images = [], texts = [] }, i): Block => {
    const ids = [...links, ...images, ...texts].map((element) => element.id);
    return {
      ref: `B1.${i + 1}`,
      id: `leaf ${ids.join('|')}`,
      box: [0, i * 100, 1000, 100],
      doc: 8,
      importance: importance ?? (1 - given) / open,
      links,
      images,
      texts,
      blocks: [],
    };
  });
  const root: Block = {
    ref: 'B1',
    id: `blocks ${blocks.map((block) => block.id).join('|')}`,
    box: [0, 0, 1000, leaves.length * 100],
    doc: 1,
    importance: 1,
    links: [],
    images: [],
    texts: [],
    blocks,
  };
  const viewport = { width: 1280, height: 1024 };
  return { url: 'https://a.example/', title: 'A', version, viewport, segmenter: 'test', root };
}
