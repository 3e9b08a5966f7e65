import { expect, test } from 'vitest';
import { cut, type Drawn, element, page, uncut } from '../../../test/drawn-page.ts';
import type { Block, Segment } from '../../model/layout.ts';
import { type LayoutOptions, layoutOf, placedLayoutOf } from './layout-of.ts';

const OPTIONS: LayoutOptions = { version: 'v1', segmenter: 'tiny' };

const body = (...children: (Drawn | string)[]): Drawn =>
  element('body', { box: [0, 0, 1280, 1000] }, ...children);

/** The whole page as one leaf: its link names, image names and texts. */
function read(...children: (Drawn | string)[]) {
  const snapshot = page(body(...children));
  const { links, images, texts } = layoutOf(snapshot, uncut(snapshot), OPTIONS).root;
  return {
    links: links.map(({ name, address }) => `${name} → ${address}`),
    images: images.map(({ name, source }) => `${name} ← ${source}`),
    texts: texts.map(({ text }) => text),
  };
}

test('a paragraph with a link and bold words => one text without the link, one link', () => {
  const bold = element('b', {}, 'bold');
  const p = element('p', {}, 'One', bold, 'word (', bold, '),', element('a', { href: '/x' }, 'linked'), '.');
  expect(read(p)).toEqual({
    links: ['linked → https://news.test/x'],
    images: [],
    texts: ['One bold word (bold),.'],
  });
});

test('paragraphs, free text around them, table cells => a text each', () => {
  const cells = ['1', '2'].map((text) => element('td', { display: 'table-cell' }, text));
  const row = element('tr', { display: 'table-row' }, ...cells);
  expect(read('before', element('p', {}, 'inside'), 'after', row).texts).toEqual([
    'before',
    'inside',
    'after',
    '1',
    '2',
  ]);
});

test('a br => a text of its own for each line', () => {
  const br = element('br', {});
  expect(read('a', element('b', {}, 'b'), br, 'c', br, br, 'd').texts).toEqual(['a b', 'c', 'd']);
});

test('two texts side by side => two lines where the second stands below, one where a comment was between', () => {
  const snapshot = page(body('12', 'comments', 'next line'));
  const boxes = [
    [0, 0, 20, 20],
    [24, 0, 80, 20],
    [0, 20, 80, 20],
  ] as const;
  const nodes = snapshot.nodes.map((node, i) => (i > 0 ? { ...node, box: boxes[i - 1] ?? node.box } : node));
  const { texts } = layoutOf({ ...snapshot, nodes }, uncut(snapshot), OPTIONS).root;
  expect(texts.map((text) => text.text)).toEqual(['12 comments', 'next line']);
});

test('a link around a picture => named by its alt text; its own label goes first', () => {
  const picture = element('img', { src: 'https://news.test/i.png', alt: 'Logo' });
  const plain = element('a', { href: 'https://news.test/' }, picture);
  const labelled = element('a', { href: 'https://news.test/', 'aria-label': 'Home' }, picture);
  expect(read(plain, labelled)).toEqual({
    links: ['Logo → https://news.test/', 'Home → https://news.test/'],
    images: ['Logo ← https://news.test/i.png', 'Logo ← https://news.test/i.png'],
    texts: [],
  });
});

test('a link over two blocks => words apart; cut into two leaves => a link in each', () => {
  const parts = ['left', 'right'].map((id) => element('div', { id }, id));
  const snapshot = page(body(element('a', { href: '/x', display: 'block' }, ...parts)));
  expect(layoutOf(snapshot, uncut(snapshot), OPTIONS).root.links.map((link) => link.name)).toEqual([
    'left right',
  ]);
  const { blocks } = layoutOf(snapshot, cut(snapshot, ['left', 'right']), OPTIONS).root;
  expect(blocks.map((block) => block.links.map((link) => link.name))).toEqual([['left'], ['right']]);
});

test('an empty link => kept where it is painted, dropped where it has no size', () => {
  const href = 'https://news.test/x';
  const boxes = [element('a', { href, box: [0, 0, 16, 16] }), element('a', { href, box: [0, 0, 0, 0] })];
  expect(read(...boxes).links).toEqual([' → https://news.test/x']);
});

test('pictures of every kind => images; a counter pixel => none; a data URL => its hash', () => {
  const { images } = read(
    element('svg', { 'aria-label': 'Chart' }, element('path', { id: 'p1' })),
    element('video', { poster: 'https://news.test/poster.jpg', title: 'Film' }, 'Your browser is old'),
    element('canvas', {}),
    element('iframe', { src: 'https://other.test/frame', title: 'Map' }),
    element('img', { src: 'https://count.test/?id=1', box: [0, 0, 1, 1] }),
    element('img', { src: `data:image/png;base64,${'A'.repeat(5000)}` }),
    element('img', { src: '', alt: '' }),
  );
  expect(images).toEqual([
    expect.stringMatching(/^Chart ← svg:[0-9a-f]{32}$/),
    'Film ← https://news.test/poster.jpg',
    expect.stringMatching(/^ ← canvas:/),
    'Map ← https://other.test/frame',
    expect.stringMatching(/^ ← data:[0-9a-f]{32}$/),
  ]);
});

test('two drawings that differ inside => two sources', () => {
  const [first, second] = read(
    element('svg', {}, element('path', { id: 'p1' })),
    element('svg', {}, element('path', { id: 'p2' })),
  ).images;
  expect(first).not.toBe(second);
});

test('text of a button and of a submit field => texts of their own', () => {
  const field = element('input', { type: 'submit', value: 'Search' });
  expect(read('Find: ', field, element('button', {}, 'Go')).texts).toEqual(['Find:', 'Search', 'Go']);
});

test('Hebrew, Arabic and Japanese => in document order, as they are', () => {
  const texts = ['שלום עולם', 'مرحبا بالعالم', '日本語の 文章'];
  expect(read(...texts.map((text) => element('p', {}, text))).texts).toEqual(texts);
});

test('refs, Merkle ids and importance of a tree of blocks', () => {
  const story = (text: string) =>
    page(
      body(
        element('div', { id: 'top', box: [0, 0, 1280, 100] }, 'News'),
        element('div', { id: 'main', box: [0, 100, 900, 900] }, text),
        element('div', { id: 'side', box: [900, 100, 380, 900] }, element('a', { href: '/x' }, 'More')),
      ),
    );
  const of = (text: string): Block => {
    const snapshot = story(text);
    return layoutOf(snapshot, cut(snapshot, ['top', ['main', 'side']]), OPTIONS).root;
  };
  const root = of('Old story');
  const [top, inner] = root.blocks as [Block, Block];
  expect([root, top, inner, ...inner.blocks].map((block) => block.ref)).toEqual([
    'B1',
    'B1.1',
    'B1.2',
    'B1.2.1',
    'B1.2.2',
  ]);
  expect(root.importance).toBeCloseTo(1, 12);
  expect(inner.importance).toBeCloseTo(0.9, 12);
  const changed = of('New story');
  const ids = (block: Block): string[] => [block.id, ...block.blocks.flatMap(ids)];
  expect(ids(of('Old story'))).toEqual(ids(root));
  expect(ids(changed).map((id, i) => id === ids(root)[i])).toEqual([false, true, false, false, true]);
});

test('an image with a known digest => its id does not depend on the address', () => {
  const id = (src: string, digest?: string) => {
    const snapshot = page(body(element('img', { src, alt: 'x' })));
    return layoutOf(snapshot, uncut(snapshot), { ...OPTIONS, imageDigest: () => digest }).root.images[0]?.id;
  };
  expect(id('https://a.test/?v=1', 'd1')).toBe(id('https://a.test/?v=2', 'd1'));
  expect(id('https://a.test/?v=1', 'd1')).not.toBe(id('https://a.test/?v=1', 'd2'));
  expect(id('https://a.test/?v=1')).not.toBe(id('https://a.test/?v=2'));
});

test('an advertisement picture => its link is one too, and the other way round', () => {
  const img = (src: string) => element('img', { src, box: [0, 0, 300, 250] });
  const snapshot = page(
    body(
      element('a', { href: 'https://shop.test/' }, img('https://ads.test/b.png')),
      element('a', { href: 'https://ads.test/click' }, img('https://news.test/b.png')),
      element('a', { href: 'https://shop.test/2' }, img('https://news.test/b.png')),
    ),
  );
  const isAdvertisement = (url: string) => url.startsWith('https://ads.test/');
  const { links, images } = layoutOf(snapshot, uncut(snapshot), { ...OPTIONS, isAdvertisement }).root;
  expect(links.map((link) => link.advertisement)).toEqual([true, true, undefined]);
  expect(images.map((image) => image.advertisement)).toEqual([true, true, undefined]);
});

test('the table beside the layout => leads to the nodes that were read', () => {
  const snapshot = page(body(element('div', { id: 'main' }, element('a', { href: '/x' }, 'Link'), 'text')));
  const { layout, places } = placedLayoutOf(snapshot, cut(snapshot, ['main']), OPTIONS);
  expect([...places.keys()].sort()).toEqual(['B1', 'B1.1']);
  expect(places.get('B1.1')).toEqual({ nodes: [1], links: [2], images: [], texts: [4] });
  expect(layout.root.blocks[0]?.texts.length).toBe(1);
});

test('weights with NaN, negatives and infinities => shares that add up to 1', () => {
  const snapshot = page(body(...['a', 'b', 'c', 'd'].map((id) => element('div', { id }, id))));
  const shares = (weights: number[]) =>
    layoutOf(snapshot, cut(snapshot, ['a', 'b', 'c', 'd']), {
      ...OPTIONS,
      weigh: () => weights,
    }).root.blocks.map((block) => block.importance);
  expect(shares([1, Number.NaN, -5, 3])).toEqual([0.25, 0, 0, 0.75]);
  expect(shares([])).toEqual([0.25, 0.25, 0.25, 0.25]);
  expect(shares([1e308, 1e308, 1e308, 1e308])).toEqual([0.25, 0.25, 0.25, 0.25]);
});

test('a page without nodes => one empty block of importance 1', () => {
  const snapshot = { ...page(body()), nodes: [], page: { width: 0, height: 0 } };
  const { root } = layoutOf(snapshot, uncut(snapshot), OPTIONS);
  expect(root).toMatchObject({ ref: 'B1', links: [], images: [], texts: [], blocks: [], importance: 1 });
});

test('2,000 blocks inside each other and 50,000 elements => read without recursion', () => {
  const snapshot = page(
    body(...Array.from({ length: 25_000 }, (_, i) => element('p', {}, `paragraph ${i}`))),
  );
  let segment: Segment = uncut(snapshot);
  for (let depth = 1; depth < 2000; depth++) segment = { ...segment, segments: [segment] };
  let block: Block | undefined = layoutOf(snapshot, segment, OPTIONS).root;
  let depth = 0;
  for (; block?.blocks[0]; block = block.blocks[0]) depth++;
  expect([depth, block?.texts.length, block?.importance]).toEqual([1999, 25_000, 1]);
});
