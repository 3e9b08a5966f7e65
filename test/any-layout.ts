import fc from 'fast-check';
import type { Block, ImageElement, Layout, LinkElement, TextElement } from '../src/model/layout.ts';
import { contentId } from '../src/science/layout/content-hash.ts';
import { innerId, leafId } from '../src/science/layout/layout-of.ts';

/**
 * Layouts for property tests: few different words, so that elements and whole blocks recur, move, and change in
 * all ways at once. Ids are real; labels that ids do not cover (advertisements, sources) vary freely.
 */
const WORDS = [
  'Read more',
  'News',
  'a',
  'b',
  'c',
  '',
  'weather today is fine and warm',
  '天気は晴れです',
  '\\u{5c}<&"\n',
];
const word = fc.constantFrom(...WORDS);
const ad = fc.constantFrom({}, {}, { advertisement: true as const });
const digests = fc.constantFrom(undefined, undefined, 'd1', 'd2');

const link: fc.Arbitrary<LinkElement> = fc
  .tuple(word, fc.constantFrom('/a', '/b', '/c', ''), ad)
  .map(([name, address, mark]) => ({ id: contentId('link', name, address), name, address, ...mark }));

const image: fc.Arbitrary<ImageElement> = fc
  .tuple(word, fc.constantFrom('/i.png', '/i.png?v=1', '/j.png'), digests, ad)
  .map(([name, source, digest, mark]) => ({
    id: digest ? contentId('picture', name, digest) : contentId('image', name, source),
    name,
    source,
    ...(digest ? { digest } : {}),
    ...mark,
  }));

const text: fc.Arbitrary<TextElement> = fc
  .array(fc.constantFrom('one', 'two', 'three', 'four', 'five'), { minLength: 1, maxLength: 6 })
  .map((words) => ({ id: contentId('text', words.join(' ')), text: words.join(' ') }));

interface Shape {
  readonly box: Block['box'];
  readonly doc: number;
  readonly weight: number;
  readonly type?: string | undefined;
  readonly links: readonly LinkElement[];
  readonly images: readonly ImageElement[];
  readonly texts: readonly TextElement[];
  readonly blocks: readonly Shape[];
}

const side = fc.constantFrom(-0, 0, 100, 250.5, 600);
const facts = {
  box: fc.tuple(side, side, side, side),
  doc: fc.integer({ min: 1, max: 11 }),
  weight: fc.integer({ min: 0, max: 5 }),
};
const leaf: fc.Arbitrary<Shape> = fc.record({
  ...facts,
  type: fc.constantFrom(undefined, '16*3', '32 16'),
  links: fc.array(link, { maxLength: 6 }),
  images: fc.array(image, { maxLength: 4 }),
  texts: fc.array(text, { maxLength: 4 }),
  blocks: fc.constant([]),
});
const nothing = fc.constant([]);
const inner = (of: fc.Arbitrary<Shape>): fc.Arbitrary<Shape> =>
  fc.record({
    ...facts,
    links: nothing,
    images: nothing,
    texts: nothing,
    blocks: fc.array(of, { minLength: 1, maxLength: 4 }),
  });
const shape: fc.Arbitrary<Shape> = inner(fc.oneof(leaf, leaf, inner(fc.oneof(leaf, inner(leaf)))));

const leafWeight = (one: Shape): number =>
  one.blocks.length === 0 ? one.weight : one.blocks.reduce((sum, child) => sum + leafWeight(child), 0);
const leafCount = (one: Shape): number =>
  one.blocks.length === 0 ? 1 : one.blocks.reduce((sum, child) => sum + leafCount(child), 0);

function layoutOf(root: Shape, version: string): Layout {
  const total = leafWeight(root);
  const build = (one: Shape, ref: string): Block => {
    const blocks = one.blocks.map((child, i) => build(child, `${ref}.${i + 1}`));
    const { box, doc, type, links, images, texts } = one;
    const isLeaf = blocks.length === 0;
    const own = total > 0 ? one.weight / total : 1 / leafCount(root);
    return {
      ref,
      id: isLeaf ? leafId(links, images, texts) : innerId(blocks),
      box,
      doc,
      ...(type !== undefined && { typeSizes: type }),
      importance: isLeaf ? own : blocks.reduce((sum, block) => sum + block.importance, 0),
      links,
      images,
      texts,
      blocks,
    };
  };
  const viewport = { width: 1280, height: 1024 };
  return {
    url: 'https://a.example/',
    title: `"${version}"`,
    version,
    viewport,
    segmenter: 's',
    ...(root.blocks.length % 2 === 1 && { partial: 'nodes past the limit "5"' }),
    root: build(root, 'B1'),
  };
}

/** Two versions: unrelated ones, and ones that share most of their blocks. */
export const anyPair: fc.Arbitrary<[Layout, Layout]> = fc
  .tuple(shape, shape, fc.array(fc.nat(), { maxLength: 4 }))
  .map(([old, other, picks]): [Layout, Layout] => {
    if (picks.length === 0) return [layoutOf(old, 'v1'), layoutOf(other, 'v2')];
    let blocks = [...old.blocks];
    for (const pick of picks) {
      const i = pick % (blocks.length + 1);
      const one = other.blocks[pick % other.blocks.length] as Shape;
      if (pick % 3 === 0) blocks.splice(i, 0, one);
      else if (pick % 3 === 1 && blocks.length > 1) blocks.splice(i, 1);
      else {
        blocks = blocks.map((block, at) =>
          at === i && block.blocks.length === 0
            ? {
                ...block,
                links: [...block.links, ...one.links].toReversed(),
                texts: one.texts,
                images: one.images,
              }
            : block,
        );
      }
    }
    return [layoutOf(old, 'v1'), layoutOf({ ...old, blocks }, 'v2')];
  });
