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
        { href: 'https://shop.example/' },
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
