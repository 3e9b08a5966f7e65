import { expect, test } from 'vitest';
import { createSitemapBounds } from './sitemap-bounds.ts';

test('an index without end => as many sitemaps of the host as allowed, known ones again', () => {
  const bounds = createSitemapBounds(3);
  const read = Array.from({ length: 10 }, (_, i) => `https://a.example/s${i}.xml`).filter((url) => {
    if (bounds.judge(url, 'https://a.example/index.xml')) return false;
    bounds.observe(url, 'https://a.example/index.xml');
    return true;
  });
  expect(read).toHaveLength(3);
  expect(bounds.judge('https://a.example/s0.xml', 'https://a.example/index.xml')).toBeUndefined();
  expect(bounds.judge('https://b.example/s.xml', 'https://a.example/index.xml')).toBeUndefined();
  expect(bounds.judge('https://a.example/s9.xml', 'https://a.example/index.xml')).toMatchObject({
    trap: 'trap-sitemaps',
    rule: '3 sitemaps of a.example are known',
  });
});

test('each index names the next => three deep', () => {
  const bounds = createSitemapBounds(1_000);
  let from = 'https://a.example/';
  let read = 0;
  for (let i = 0; i < 50; i++) {
    const url = `https://a.example/index-${i}.xml`;
    if (bounds.judge(url, from)) break;
    bounds.observe(url, from);
    read++;
    from = url;
  }
  expect(read).toBe(3);
});
