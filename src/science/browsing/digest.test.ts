import { expect, it } from 'vitest';
import type { Block, Layout, LinkElement } from '../../model/layout.ts';
import { DigestBuilder } from './digest.ts';

const PAGE = 'https://news.example/';
const link = (path: string, name: string, more: Partial<LinkElement> = {}): LinkElement => ({
  id: path + name,
  name,
  address: new URL(path, PAGE).href,
  ...more,
});
const leaf = (ref: string, y: number, links: readonly LinkElement[], importance = 0.25): Block => ({
  ...{ ref, id: ref, box: [0, y, 1000, 200], doc: 11, importance, links },
  ...{ images: [], texts: [{ id: 't', text: 'words '.repeat(20) }], blocks: [] },
});
const layout = (...blocks: Block[]): Layout => ({
  ...{ url: PAGE, title: 'News', version: '', segmenter: 's', viewport: { width: 1000, height: 800 } },
  root: { ...leaf('B1', 0, []), texts: [], box: [0, 0, 1000, 4000], blocks },
});

it('three versions => links that came, once each, by section, first and last seen, without advertisements', () => {
  const old = link('/politics/old', 'An old story that stays here');
  const vote = link('/politics/vote', 'Parliament votes on the budget');
  const later = link('/politics/vote', 'Parliament has voted on the budget');
  const strike = link('/politics/strike', 'Drivers go on strike today');
  const cup = link('/sport/cup', 'The cup final ends in a draw');
  const ad = link('/politics/ad', 'Buy this wonderful new car', { advertisement: true });
  const digest = new DigestBuilder(PAGE);
  digest.base(layout(leaf('B1.1', 0, [old])));
  digest.add(
    layout(leaf('B1.1', 0, [vote, old]), leaf('B1.2', 900, [cup, ad, link('/politics/x', 'More')])),
    100,
  );
  digest.add(layout(leaf('B1.1', 0, [later, strike]), leaf('B1.2', 900, [vote])), 200);
  digest.add(layout(leaf('B1.1', 0, [strike, link('#top', 'Back to the very top of it')])), 300);
  const sections = digest.sections();
  expect(sections.map(({ name, items }) => [name, items.map(({ headline }) => headline)])).toEqual([
    ['politics', ['Parliament votes on the budget', 'Drivers go on strike today']],
    ['', ['The cup final ends in a draw']],
  ]);
  expect(sections[0]?.items[0]).toMatchObject({
    firstSeen: 100,
    lastSeen: 200,
    versions: 2,
    retitled: ['Parliament has voted on the budget'],
    isThere: false,
  });
  expect(sections[0]?.items[1]).toMatchObject({ firstSeen: 200, lastSeen: 300, isThere: true });
});

it('blocks at the margin, other schemes and empty spans => nothing', () => {
  const digest = new DigestBuilder(PAGE);
  const story = link('/a/b', 'A story of three words');
  const mail = link('mailto:a@b.example', 'Write to us about it');
  digest.add(layout(leaf('B1.1', 0, [mail]), leaf('B1.2', 900, [story], 0.001)), 1);
  expect(digest.sections()).toEqual([]);
  expect(new DigestBuilder(PAGE).sections()).toEqual([]);
});

it('a most-read box and a label before the same headline => neither doubles nor later wordings', () => {
  const storm = link('/panorama/storm-on-the-coast-of-ferndale', 'Weather Storm on the coast of Ferndale');
  const live = link('/live', 'Ministers meet in the capital');
  const box = ['/a/bridge', '/panorama/storm-on-the-coast-of-ferndale', '/a/roof'].map((path, i) =>
    link(path, `${i + 1}. ${['Bridge of Oxbury opens', storm.name, 'School gets a roof'][i]}`),
  );
  const digest = new DigestBuilder(PAGE);
  digest.add(layout(leaf('B1.1', 0, [storm, live]), leaf('B1.2', 900, box)), 1);
  const moved = box.map((one, i) => link(one.address, `${3 - i}. ${one.name.slice(3)}`)).toReversed();
  const labelled = link('/live', 'Liveblog: Ministers meet in the capital');
  digest.add(layout(leaf('B1.1', 0, [labelled]), leaf('B1.2', 900, moved)), 2);
  const items = digest.sections().flatMap((section) => section.items);
  expect(new Map(items.map(({ headline, retitled }) => [headline, retitled]))).toEqual(
    new Map([
      ['Weather: Storm on the coast of Ferndale', []],
      ['Ministers meet in the capital', []],
      ['Bridge of Oxbury opens', []],
      ['School gets a roof', []],
    ]),
  );
});
