import type { ImageElement, Layout, LinkElement, TextElement } from '../../model/layout.ts';
import { contentId } from '../../science/layout/content-hash.ts';
import type { Random } from '../newspaper/random.ts';
import { type DraftBlock, finishLayout } from './draft-layout.ts';

/** Layouts that resemble news pages, drawn from a seed: of any size, with the pitfalls of real ones. */
export interface LayoutSize {
  readonly leaves: number;
  /** Means per leaf. */
  readonly links: number;
  readonly images: number;
  readonly texts: number;
}

/** Roughly the content of a page with 150 KB of HTML. */
export const NEWS_PAGE: LayoutSize = { leaves: 60, links: 7, images: 1.5, texts: 4 };

const SYLLABLES = 'ba ce di fo gu la me ni po ru sa te vi wo zu kra sti plo mer tan'.split(' ');

export const word = (random: Random): string => {
  let drawn = '';
  for (let i = 2 + random.int(3); i > 0; i--) drawn += random.pick(SYLLABLES);
  return drawn;
};

export const phrase = (random: Random, words: number): string =>
  Array.from({ length: words }, () => word(random)).join(' ');

/** Names that many links of one page share. */
export const COMMON_NAMES = ['Read more', 'Comments', 'Share'];

export function drawLink(random: Random, name?: string): LinkElement {
  return link(
    name ?? phrase(random, 1 + random.int(6)),
    `https://site.example/${word(random)}/${random.int(1e9)}.html`,
    random.chance(0.05),
  );
}

export const link = (name: string, address: string, advertisement = false): LinkElement => ({
  id: contentId('link', name, address),
  name,
  address,
  ...(advertisement ? { advertisement } : {}),
});

export function drawImage(random: Random): ImageElement {
  const source = `https://img.example/${random.int(1e9)}.jpg?v=${random.int(1e6)}`;
  const digest = random.chance(0.6) ? digestOf(random) : undefined;
  return image(random.chance(0.3) ? '' : phrase(random, 2), source, digest, random.chance(0.1));
}

export const digestOf = (random: Random): string => contentId('picture bytes', String(random.int(2 ** 31)));

export const image = (
  name: string,
  source: string,
  digest: string | undefined,
  advertisement = false,
): ImageElement => ({
  id: digest === undefined ? contentId('image', name, source) : contentId('picture', name, digest),
  name,
  source,
  ...(digest === undefined ? {} : { digest }),
  ...(advertisement ? { advertisement } : {}),
});

export const text = (words: string): TextElement => ({ id: contentId('text', words), text: words });

export const drawText = (random: Random): TextElement =>
  text(phrase(random, random.chance(0.2) ? 2 + random.int(3) : 8 + random.int(40)));

const SPACER = image('', 'https://img.example/spacer.gif', undefined);

export function drawLeaf(random: Random, size: LayoutSize): DraftBlock {
  const links = Array.from({ length: random.poisson(size.links) }, () =>
    drawLink(random, random.chance(0.15) ? random.pick(COMMON_NAMES) : undefined),
  );
  const images = Array.from({ length: random.poisson(size.images) }, () =>
    random.chance(0.1) ? SPACER : drawImage(random),
  );
  const texts = Array.from({ length: 1 + random.poisson(size.texts - 1) }, () => drawText(random));
  const height = 20 * links.length + 120 * images.length + 40 * texts.length;
  return { box: [0, 0, 0, height], doc: 5 + random.int(6), importance: 0, links, images, texts, blocks: [] };
}

export function makeLayout(random: Random, size: LayoutSize = NEWS_PAGE): Layout {
  const sections: DraftBlock[] = [];
  let y = 0;
  for (let left = size.leaves; left > 0; ) {
    const columns = Math.min(left, 1 + random.int(8));
    const blocks = Array.from({ length: columns }, () => drawLeaf(random, size));
    const width = Math.floor(1280 / columns);
    blocks.forEach((block, i) => {
      block.box = [i * width, y, width, block.box[3]];
      block.importance = block.box[2] * block.box[3] * (0.2 + random.next());
    });
    y += Math.max(...blocks.map((block) => block.box[3]));
    sections.push({
      box: [0, 0, 0, 0],
      doc: 3,
      importance: 0,
      links: [],
      images: [],
      texts: [],
      blocks,
    });
    left -= columns;
  }
  const head = {
    url: 'https://site.example/',
    title: phrase(random, 4),
    version: '2022-01-28T06:00:00Z',
    viewport: { width: 1280, height: 1024 },
    segmenter: 'drawn',
  };
  const root: DraftBlock = { ...(sections[0] as DraftBlock), doc: 1, blocks: sections };
  return finishLayout(head, root).layout;
}
