/**
 * A made-up home page of N stories, and what may happen to it: the table of salience. Drawn without a browser, and the
 * same as HTML for one.
 */
import { headline, newStory, standfirst } from '../src/lab/newspaper/prose.ts';
import { stream } from '../src/lab/newspaper/random.ts';
import { SECTION_IDS } from '../src/lab/newspaper/sections.ts';
import type { Box, PageSnapshot } from '../src/model/page-snapshot.ts';
import { type Drawn, drawPage } from './drawn-page.ts';

export interface HomeStory {
  readonly headline: string;
  readonly teaser: string;
  readonly address: string;
  /** Above the headline, with the count of comments. */
  readonly stamp: string;
}

export interface HomePage {
  readonly name: string;
  readonly menu: readonly string[];
  readonly clock: string;
  readonly advertisement: string;
  /** The first is the lead. */
  readonly stories: readonly HomeStory[];
  readonly foot: readonly string[];
}

export const HOME_URL = 'https://daily.test/';

/** Story `number` of a paper; equal numbers are equal stories. */
export function storyOf(paper: string, number: number): HomeStory {
  const random = stream(paper, number);
  const story = newStory(random.pick(SECTION_IDS), random);
  const minute = String(number % 60).padStart(2, '0');
  return {
    headline: headline(story, random, 0.6),
    teaser: standfirst(story, random),
    address: `${HOME_URL}${paper}/${number}`,
    stamp: `20:${minute} · ${random.int(90)} comments`,
  };
}

export const homePage = (count: number): HomePage => ({
  name: 'The Daily Test',
  menu: ['Politics', 'Economy', 'Sport', 'Culture', 'Science', 'Weather'],
  clock: 'Friday, 28 January 2022, 21:35',
  advertisement: 'https://shop.test/banner-1.png',
  stories: Array.from({ length: count }, (_, i) => storyOf('paper', i)),
  foot: ['Imprint', 'Privacy', 'Contact', 'Subscriptions'],
});

const withLead = (page: HomePage, lead: HomeStory): HomePage => ({
  ...page,
  stories: [lead, ...page.stories.slice(1)],
});

/** The old page → the new one, by what happened. */
export const HAPPENED = {
  identical: (page) => page,
  'lead replaced': (page) => withLead(page, storyOf('fresh', 1)),
  'one word of the lead': (page) => {
    const [lead] = page.stories as [HomeStory];
    const words = lead.headline.split(' ');
    words[words.length - 1] = 'Samarkand';
    return withLead(page, { ...lead, headline: words.join(' ') });
  },
  'header clock': (page) => ({ ...page, clock: 'Friday, 28 January 2022, 22:05' }),
  'all time stamps': (page) => ({
    ...page,
    clock: 'Friday, 28 January 2022, 22:05',
    stories: page.stories.map((story, i) => ({
      ...story,
      stamp: `21:${10 + (i % 50)} · ${i + 91} comments`,
    })),
  }),
  'advertisement alone': (page) => ({ ...page, advertisement: 'https://shop.test/banner-2.png' }),
  'order reversed': (page) => ({ ...page, stories: page.stories.toReversed() }),
  'all replaced': (page) => ({ ...page, stories: page.stories.map((_, i) => storyOf('fresh', i)) }),
  'all gone': (page) => ({ ...page, stories: [] }),
  'another site': (page) => ({
    name: 'Angling Club of the Lower Rhine',
    menu: ['Members', 'Waters', 'Permits', 'Jetties'],
    clock: '',
    advertisement: '',
    stories: page.stories.map((_, i) => ({ ...storyOf('anglers', i), stamp: '' })),
    foot: ['Bylaws'],
  }),
  'an error page': () => ({
    name: '503 Service Unavailable',
    menu: [],
    clock: '',
    advertisement: '',
    stories: [],
    foot: ['nginx'],
  }),
} satisfies Record<string, (page: HomePage) => HomePage>;

export type Happening = keyof typeof HAPPENED;

/** So many stories below the lead are replaced. */
export const withReplaced = (page: HomePage, count: number): HomePage => ({
  ...page,
  stories: page.stories.map((story, i) => (i > 0 && i <= count ? storyOf('fresh', i) : story)),
});

const WIDTH = 1180;
const LEFT = 50;

/** A heading and three columns of stories below the lead, as a browser would lay it out. */
export function drawHomePage(page: HomePage): PageSnapshot {
  let y = 0;
  const row = (height: number, gap = 12): Box => {
    const box: Box = [LEFT, y, WIDTH, height];
    y += height + gap;
    return box;
  };
  const children: Drawn[] = [];
  const header = row(60);
  children.push({
    tag: 'header',
    box: header,
    style: { background: '#eeeeee' },
    children: [
      { tag: 'div', box: [LEFT, 10, 400, 40], style: { fontSize: 28 }, children: [page.name] },
      ...(page.clock ? [{ tag: 'div', box: [900, 20, 330, 20] as Box, children: [page.clock] }] : []),
    ],
  });
  if (page.menu.length > 0) {
    const menu = row(30);
    children.push({
      tag: 'nav',
      box: menu,
      style: { background: '#222222', color: '#ffffff' },
      children: page.menu.map((name, i) =>
        link(name, `${HOME_URL}${name.toLowerCase()}`, [LEFT + i * 120, menu[1] + 5, 100, 20]),
      ),
    });
  }
  if (page.advertisement) {
    const [, top] = row(90, 24);
    const box: Box = [276, top, 728, 90];
    const image = { tag: 'img', box, attributes: { src: page.advertisement, alt: '' } };
    children.push({
      tag: 'div',
      box,
      children: [{ tag: 'a', box, attributes: { href: 'https://shop.test/' }, children: [image] }],
    });
  }
  const [lead, ...rest] = page.stories;
  const main: Drawn[] = [];
  const top = y;
  if (lead) main.push(article(lead, row(300, 30), 36));
  for (let i = 0; i < rest.length; i += 3) {
    const [, at] = row(190, 30);
    rest.slice(i, i + 3).forEach((story, column) => {
      main.push(article(story, [LEFT + column * 400, at, 380, 190], 20));
    });
  }
  children.push({ tag: 'main', box: [LEFT, top, WIDTH, Math.max(20, y - top)], children: main });
  const foot = row(40);
  children.push({
    tag: 'footer',
    box: foot,
    style: { background: '#222222', color: '#ffffff', fontSize: 12 },
    children: page.foot.map((name, i) =>
      link(name, `${HOME_URL}${name.toLowerCase()}`, [LEFT + i * 120, foot[1] + 10, 100, 20]),
    ),
  });
  return drawPage({ box: [0, 0, 1280, y], children }, { url: HOME_URL, title: page.name, language: 'en' });
}

const link = (name: string, address: string, box: Box): Drawn => ({
  tag: 'a',
  box,
  attributes: { href: address },
  children: [name],
});

function article({ headline: name, teaser, address, stamp }: HomeStory, box: Box, type: number): Drawn {
  const [x, y, width, height] = box;
  const part = (from: number, to: number): Box => [x, y + height * from, width, height * (to - from)];
  const heading: Drawn = {
    tag: 'h2',
    box: part(0.15, 0.5),
    style: { fontSize: type, fontWeight: 700 },
    children: [link(name, address, part(0.15, 0.5))],
  };
  const words: Drawn = { tag: 'p', box: part(0.55, 1), children: [teaser] };
  const when = stamp ? [{ tag: 'div', box: part(0, 0.1), style: { fontSize: 13 }, children: [stamp] }] : [];
  return { tag: 'article', box, style: { background: '#fafafa' }, children: [...when, heading, words] };
}

/** The same for a browser. */
export function homePageHtml({ name, menu, clock, advertisement, stories, foot }: HomePage): string {
  const links = (names: readonly string[]): string =>
    names.map((one) => `<a href="${HOME_URL}${one.toLowerCase()}">${one}</a>`).join(' ');
  const articles = stories.map(
    ({ headline: head, teaser, address, stamp }, i) =>
      `<article${i === 0 ? ' class="lead"' : ''}>${stamp && `<div class="stamp">${stamp}</div>`}` +
      `<h2><a href="${address}">${head}</a></h2><p>${teaser}</p></article>`,
  );
  const banner =
    advertisement &&
    `<div class="banner"><a href="https://shop.test/"><img src="${advertisement}" alt="" width="728" height="90"></a></div>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${name}</title><style>
body { margin: 0 50px; font: 16px serif } header { display: flex; background: #eee; padding: 10px }
header div:first-child { font-size: 28px; flex: 1 } nav, footer { background: #222; padding: 6px }
nav a, footer a { color: #fff; margin-right: 40px } footer { font-size: 12px } .banner { margin: 12px auto 24px; width: 728px }
main { display: grid; grid-template-columns: repeat(3, 1fr); gap: 30px; margin: 12px 0 } article { background: #fafafa }
.lead { grid-column: 1 / -1; min-height: 300px } h2 { font-size: 20px } .lead h2 { font-size: 36px } .stamp { font-size: 13px }
</style></head><body><header><div>${name}</div><div>${clock}</div></header>${menu.length > 0 ? `<nav>${links(menu)}</nav>` : ''}
${banner}<main>${articles.join('\n')}</main><footer>${links(foot)}</footer></body></html>`;
}
