import { describe, expect, test } from 'vitest';
import { element, page } from '../../../test/drawn-page.ts';
import { sellingLinks, sellingTargets } from './ad-targets.ts';

describe('targets that sell', () => {
  const sells = sellingTargets('https://www.news.test/index');

  test.each([
    ['https://shop.news.test/books', true],
    ['https://www.compact-shop.test/', true],
    ['https://abo.news.test/4-weeks', true],
    ['https://www.news.test/shop/books', true],
    ['https://www.news.test/lotto?partnerId=1&advertisementId=4', true],
    ['https://x.test/?utm_source=news&utm_medium=display', true],
    ['https://x.test/story?utm_source=news&utm_medium=referral', false],
    ['https://www.news.test/economy/coffee-shop-closes', false],
    ['https://www.news.test/workshop/', false],
    ['https://bishops.test/', false],
    ['mailto:shop@news.test', false],
    ['/shop/', false],
  ])('%s => %s', (url, expected) => {
    expect(sells(url)).toBe(expected);
  });

  test('in a shop, its own pages do not', () => {
    const inShop = sellingTargets('https://shop.news.test/books');
    expect(inShop('https://shop.news.test/wine')).toBe(false);
    expect(inShop('https://abo.news.test/')).toBe(true);
  });
});

describe('links of a page', () => {
  const entry = (href: string) => element('li', {}, element('a', { href }, 'x'));
  const news = (n: number) => `https://news.test/${n}`;
  const judged = (...hrefs: string[]): boolean[] => {
    const snapshot = page(element('body', {}, element('ul', {}, ...hrefs.map(entry))));
    const sells = sellingLinks(snapshot);
    return snapshot.nodes.flatMap((node, i) =>
      node.kind === 'element' && node.tag === 'a' ? [sells(i)] : [],
    );
  };

  test('one entry of a long list leads to the shop => a menu', () => {
    expect(judged(news(1), news(2), news(3), news(4), 'https://shop.test/')).toEqual(Array(5).fill(false));
  });

  test('most entries do => offers', () => {
    const offers = [1, 2, 3, 4].map((n) => `https://shop.test/${n}`);
    expect(judged(...offers, news(1))).toEqual([true, true, true, true, false]);
  });

  test('in a short list => an offer', () => {
    expect(judged(news(1), 'https://shop.test/')).toEqual([false, true]);
  });
});
