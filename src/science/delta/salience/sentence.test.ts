import { expect, it } from 'vitest';
import {
  drawHomePage,
  HAPPENED,
  type Happening,
  homePage,
  withReplaced,
} from '../../../../test/home-page.ts';
import { type LeafSketch, layout, link, text } from '../../../../test/small-layout.ts';
import type { Layout, LinkElement } from '../../../model/layout.ts';
import { pageLayout } from '../../layout/page-layout.ts';
import { diffLayouts } from '../diff-layouts.ts';
import { changeSalience } from './salience.ts';

it('7 of 80 stories replaced => the first of them and how many, not that the page changed throughout', () => {
  const page = homePage(80);
  const [old, now] = [page, withReplaced(page, 7)].map(
    (one, i) => pageLayout(drawHomePage(one), { version: `v${i}` }).layout,
  ) as [Layout, Layout];
  const { why } = changeSalience({ old, new: now, delta: diffLayouts(old, now) });
  expect(why).toMatch(/; in all \d+ headlines new and \d+ gone$/u);
  expect(why).not.toContain('throughout');
});

it.each([
  ['identical', /^nothing that a reader would notice changed$/u],
  ['lead replaced', /^the lead story was replaced: “/u],
  ['one word of the lead', /^the lead story was reworded: “.*” → “.*Samarkand”$/u],
  ['header clock', /^only times, counts or the like changed$/u],
  ['all time stamps', /^only times, counts or the like changed$/u],
  ['advertisement alone', /^only advertisements changed$/u],
  ['order reversed', /^only the order changed/u],
  ['all replaced', /^the page changed throughout, \d+ headlines new and \d+ gone: “/u],
  ['all gone', /^the page changed throughout, \d+ headlines gone and none new: “/u],
] as [Happening, RegExp][])('%s => %s', (name, sentence) => {
  const page = homePage(20);
  const [old, now] = [page, HAPPENED[name](page)].map(
    (one, i) => pageLayout(drawHomePage(one), { version: `v${i}` }).layout,
  ) as [ReturnType<typeof pageLayout>['layout'], ReturnType<typeof pageLayout>['layout']];
  const { why } = changeSalience({ old, new: now, delta: diffLayouts(old, now) });
  expect(why).toMatch(sentence);
});

/** What is said of a page of leaves; `type` has the sizes of a leaf's links, then of its texts. */
type Leaf = LeafSketch & { readonly type?: string };
function said(before: readonly Leaf[], after: readonly Leaf[]): string {
  const [old, now] = [before, after].map((leaves, i): Layout => {
    const made = layout(leaves, `v${i}`);
    const blocks = made.root.blocks.map((block, at) => ({ ...block, typeSizes: leaves[at]?.type ?? '' }));
    return { ...made, root: { ...made.root, blocks } };
  }) as [Layout, Layout];
  return changeSalience({ old, new: now, delta: diffLayouts(old, now) }).why;
}

const story = (headline: string, address = headline.toLowerCase().replaceAll(' ', '-')): LinkElement =>
  link(headline, `https://a.example/news/${address}`);
const PAPER: Leaf = {
  links: [story('Regatta begins under a clear sky')],
  texts: [text('The boats set out at noon, and most of the town came to see them leave the harbour.')],
  type: '30 16',
};
const LONG = [
  'Council postpones the vote on the harbour bridge until the surveyors of Ferndale have reported',
  'Miners of Oxbury ask the ministry for a new shaft after three flooded winters and two strikes',
  'Librarians of Westcliff open the archive of Samuel Hartley, closed since the fire of 1911',
];
const SHORT = ['Ferry stops for winter', 'Baker wins the prize', 'School gets a roof'];

it('more words went than came => told by what came', () => {
  const [before, after] = [LONG, SHORT].map((names) => [
    PAPER,
    ...names.map((name) => ({ links: [story(name)] })),
  ]);
  expect(said(before as Leaf[], after as Leaf[])).toMatch(/^a story is new: “Ferry stops for winter”/u);
});

it('stories went and none came => told by what went', () => {
  const before = [PAPER, ...LONG.map((name) => ({ links: [story(name)] }))];
  expect(said(before, [PAPER])).toMatch(/^a story is gone: “Council postpones the vote/u);
});

it('a headline was reworded, and its address with it, but for the number of the article => it is not gone', () => {
  const before = story('Storm nears the coast of Ferndale', 'storm-nears-the-coast-3327706.html');
  const after = story('Thousands without power in Ferndale', 'thousands-without-power-3327706.html');
  const others = { links: [story('Ferry stops for winter')] };
  expect(said([PAPER, { links: [before] }, others], [PAPER, others, { links: [after] }])).toBe(
    'a headline was reworded: “Storm nears the coast of Ferndale” → “Thousands without power in Ferndale”',
  );
});

it('the lead is another, with a long standfirst in large type => told by its headline', () => {
  const lead = {
    links: [story('Harriers win regatta in Ferndale')],
    texts: [text('After 31 months of waiting, Mill Fen is divided over the price controls once more.')],
    type: '38 20',
  };
  const body = { texts: [text('Words in the type of the page. '.repeat(30))], type: '16' };
  expect(said([PAPER, body], [lead, body])).toMatch(
    /^the lead story was replaced: “Harriers win regatta in Ferndale”/u,
  );
});

it('a line in large type that is but a temperature => no story', () => {
  const weather = (now: string): Leaf => ({ texts: [text(now)], type: '24' });
  const body = { texts: [text('Words in the type of the page. '.repeat(30))], type: '16' };
  expect(said([PAPER, body, weather('3 °C, fog')], [PAPER, body, weather('5 °C, drizzle')])).not.toContain(
    'story',
  );
});

it('ranks and kickers => quoted as the title is read', () => {
  const ranked = (names: readonly string[]): Leaf[] =>
    names.map((name, i) => ({ links: [link(`${i + 1}. ${name}`, `https://a.example/${name}`)] }));
  const before = ranked(['Council votes on the bridge', 'Ferry stops for winter', 'School gets a roof']);
  const kicker = link(
    '1. Culture Baker of Oxbury wins the prize',
    'https://a.example/news/baker-of-oxbury-wins-the-prize-3327706',
  );
  const after = [{ links: [kicker] }, ...before.slice(1)];
  expect(said([PAPER, ...before], [PAPER, ...after])).toMatch(/“Culture: Baker of Oxbury wins the prize”/u);
});
