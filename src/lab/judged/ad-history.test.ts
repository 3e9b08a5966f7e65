import { expect, test } from 'vitest';
import type { Layout } from '../../model/layout.ts';
import { hostPasts, knownSellers } from './ad-history.ts';

const PAGE = 'https://www.paper.example/';

/** `!` before an address: an advertisement. */
const version = (...addresses: readonly string[]): Layout => ({
  url: PAGE,
  title: '',
  version: '1',
  viewport: { width: 1280, height: 1024 },
  segmenter: 'drawn',
  root: {
    ref: 'B1',
    id: '1',
    box: [0, 0, 1, 1],
    doc: 1,
    importance: 1,
    links: addresses.map((address) => ({
      id: address,
      name: '',
      address: address.replace('!', ''),
      ...(address.startsWith('!') && { advertisement: true as const }),
    })),
    images: [],
    texts: [],
    blocks: [],
  },
});

test('a host that stays and one whose links are others each time => turnover 1 and 3; the own host is left out', () => {
  const earlier = ['a', 'b', 'c'].map((id) =>
    version(`https://games.example/${id}`, 'https://t.example/us', 'https://paper.example/story'),
  );
  const pasts = hostPasts(PAGE, earlier);
  expect([...pasts.keys()]).toEqual(['games.example', 't.example']);
  expect(pasts.get('games.example')).toEqual({ versions: 3, links: 3, advertisements: 0, turnover: 3 });
  expect(pasts.get('t.example')?.turnover).toBe(1);
});

test('half of its links were advertisements => a seller at .5, none at .6; too few links => none', () => {
  const earlier = [version('!https://shop.example/1', 'https://shop.example/2')];
  const isSeller = (links: number, share: number): boolean =>
    knownSellers(PAGE, earlier, { links, share })('https://www.shop.example/3');
  expect([isSeller(2, 0.5), isSeller(2, 0.6), isSeller(3, 0.5)]).toEqual([true, false, false]);
  expect(knownSellers(PAGE, [], { links: 1, share: 0 })('https://shop.example/')).toBe(false);
});
