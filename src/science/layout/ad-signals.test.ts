import { expect, test } from 'vitest';
import { adCandidates } from '../../../scripts/block-importance/ad-scores.ts';
import { type Drawn, element, page } from '../../../test/drawn-page.ts';
import { adJudge, hasAdSize, hiddenNodes } from './ad-signals.ts';

const body = (...children: Drawn[]): Drawn => element('body', { box: [0, 0, 1280, 1000] }, ...children);

test('468×60 with a border of one pixel => a size of advertisements; 88×31 and 500×60 => not', () => {
  expect([hasAdSize([9, 9, 470, 62]), hasAdSize([0, 0, 88, 31]), hasAdSize([0, 0, 500, 60])]).toEqual([
    true,
    false,
    false,
  ]);
});

test('frames and pictures of such a size => advertisements where they come from or lead elsewhere', () => {
  const size = { box: [0, 0, 300, 250] } as const;
  const snapshot = page(
    body(
      element('iframe', { src: 'https://other.test/ad', ...size }),
      element('iframe', { src: 'https://www.news.test/map', ...size }),
      element('iframe', { src: 'https://other.test/film', box: [0, 0, 640, 360] }),
      element(
        'a',
        { href: 'https://elsewhere.example/' },
        element('img', { src: 'https://news.test/1.png', ...size }),
      ),
      element(
        'a',
        { href: 'https://news.test/story' },
        element('img', { src: 'https://news.test/2.png', ...size }),
      ),
      element('img', { src: 'https://cdn.example/3.png', ...size }),
    ),
  );
  const judge = adJudge(snapshot);
  const said = adCandidates(snapshot)
    .filter(({ url, kind, node }) => judge(url, kind, node))
    .map(({ url }) => url);
  expect(said).toEqual(['https://other.test/ad', 'https://news.test/1.png']);
});

test('what lists hide => its whole content; the body => never', () => {
  const snapshot = page(
    body(
      element(
        'div',
        { class: 'sky adBox' },
        element('p', {}, element('a', { href: 'https://x.test/' }, 'buy')),
      ),
      element('div', { class: 'story' }, element('a', { href: 'https://y.test/' }, 'read')),
    ),
  );
  const lists = {
    byUrl: () => false,
    hidden: (seen: { classes: string[] }) =>
      seen.classes.includes('adBox') ? ['.adBox', 'body', 'div:has(a)'] : [],
  };
  expect([...hiddenNodes(snapshot, lists)]).toEqual([0, 1, 1, 1, 1, 0, 0, 0]);
  const judge = adJudge(snapshot, lists);
  expect(adCandidates(snapshot).map(({ url, kind, node }) => judge(url, kind, node))).toEqual([true, false]);
});

test('a picture that leads away and has the size of a banner in its name => an advertisement before it has loaded', () => {
  const banner = (href: string, src: string): Drawn => element('a', { href }, element('img', { src }));
  const snapshot = page(
    body(
      banner('https://movers.example/', 'https://news.test/anzeige-300x250.jpg'),
      banner('https://news.test/story', 'https://news.test/photo-300x250.jpg'),
      banner('https://movers.example/', 'https://news.test/photo-640x480.jpg'),
    ),
  );
  const judge = adJudge(snapshot);
  expect(
    adCandidates(snapshot)
      .filter(({ kind }) => kind === 'image')
      .map(({ url, kind, node }) => judge(url, kind, node)),
  ).toEqual([true, false, false]);
});

test('what lists say of addresses does not hold in menus, nor of pictures of one pixel that count visits', () => {
  const lists = { byUrl: (url: string) => url.includes('click.test'), hidden: () => [] };
  const snapshot = page(
    body(
      element('nav', {}, element('a', { href: 'https://click.test/shop' }, 'Shop')),
      element('p', {}, element('a', { href: 'https://click.test/offer' }, 'An offer')),
      element('img', { src: 'https://click.test/count', box: [0, 0, 1, 1] }),
    ),
  );
  const judge = adJudge(snapshot, lists);
  expect(adCandidates(snapshot).map(({ url, kind, node }) => judge(url, kind, node))).toEqual([
    false,
    true,
    false,
  ]);
});
