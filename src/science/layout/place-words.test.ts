import { describe, expect, it } from 'vitest';
import type { Block, Layout } from '../../model/layout.ts';
import type { Box } from '../../model/page-snapshot.ts';
import { placeWords } from './place-words.ts';

const LONG = 'The council met on Monday evening, and said nothing else all week long, as it always does.';

interface Held {
  readonly text?: string;
  readonly links?: readonly string[];
}

const leaf = (ref: string, box: Box, { text, links = [] }: Held): Block => ({
  ...{ ref, id: ref, box, doc: 8, importance: 0.1, images: [], blocks: [] },
  texts: text === undefined ? [] : [{ id: ref, text }],
  links: links.map((name) => ({ id: name, name, address: `https://a.test/${name}` })),
});

function page(height: number, blocks: readonly Block[]): Layout {
  const root: Block = {
    ...{ ref: 'B1', id: 'root', box: [0, 0, 1280, height], doc: 1, importance: 1 },
    ...{ links: [], images: [], texts: [], blocks },
  };
  const viewport = { width: 1280, height: 1000 };
  return { url: 'https://a.test/', title: '', version: '1', viewport, segmenter: 'made/1', root };
}

const MENU = { links: ['Home', 'News', 'Sport', 'Culture', 'Weather'] };

/** A newspaper: header, menu, two columns, footer. */
const PAPER = page(5000, [
  leaf('B1.1', [0, 0, 1280, 100], { text: 'The Daily' }),
  leaf('B1.2', [0, 100, 1280, 50], MENU),
  leaf('B1.3', [40, 200, 800, 400], { text: LONG }),
  leaf('B1.4', [900, 200, 300, 900], {
    text: 'Most read',
    links: ['Bread prices are going up again in spring'],
  }),
  leaf('B1.5', [40, 700, 800, 400], { text: LONG }),
  leaf('B1.6', [40, 2300, 800, 400], { text: `${LONG} ${LONG}` }),
  leaf('B1.7', [40, 12_300, 800, 400], { text: LONG }),
  leaf('B1.8', [0, 4800, 1280, 200], { links: ['Imprint', 'Terms', 'Privacy', 'Contact'] }),
]);

describe('where a block stands', () => {
  it.each([
    ['B1', 'the whole page'],
    ['B1.1', 'page header'],
    ['B1.2', 'navigation'],
    ['B1.3', 'lead story'],
    ['B1.4', 'right sidebar, first screen'],
    ['B1.5', 'main column, first screen'],
    ['B1.6', 'main column, third screen'],
    ['B1.7', 'main column, screen 13'],
    ['B1.8', 'footer'],
    ['B1.99', 'the page'],
  ])('%s of a paper => %s', (ref, words) => {
    expect(
      placeWords({ ...PAPER, root: { ...PAPER.root, box: [0, 0, 1280, ref === 'B1.7' ? 13_500 : 5000] } })(
        ref,
      ),
    ).toBe(words);
  });

  it('a short line at the margin, with nothing beside it => no sidebar', () => {
    const place = placeWords(
      page(3000, [
        leaf('B1.1', [8, 20, 60, 20], { text: '2022' }),
        leaf('B1.2', [100, 60, 1100, 800], { text: LONG }),
        leaf('B1.3', [8, 900, 60, 20], { text: '2021' }),
        leaf('B1.4', [100, 940, 1100, 800], { text: LONG }),
      ]),
    );
    expect(place('B1.3')).toBe('main column, first screen');
    expect(place('B1.2')).toBe('lead story');
  });

  it('a menu of hundreds of pixels above the news, as without style sheets => navigation; the lead is below it', () => {
    const place = placeWords(
      page(9000, [
        leaf('B1.1', [8, 8, 400, 1400], { links: Array.from({ length: 60 }, (_, i) => `Section ${i}`) }),
        leaf('B1.2', [8, 1450, 1260, 200], { text: LONG }),
        leaf('B1.3', [8, 1700, 1260, 6000], { text: `${LONG}${LONG}${LONG}` }),
      ]),
    );
    expect(['B1.1', 'B1.2', 'B1.3'].map(place)).toEqual([
      'navigation',
      'lead story',
      'main column, second screen',
    ]);
  });

  it('an empty page => words all the same', () => {
    expect(placeWords(page(0, []))('B1')).toBe('the whole page');
  });
});

it('150,000 blocks side by side => no call with as many arguments', () => {
  const blocks = Array.from({ length: 150_000 }, (_, i) =>
    leaf(`B1.${i + 1}`, [0, 10 * i, 1280, 10], { text: 'a' }),
  );
  expect(placeWords(page(1_500_000, blocks))('B1')).toBe('the whole page');
});
