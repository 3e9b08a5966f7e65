import { describe, expect, it } from 'vitest';
import { parentOf, sitePath } from './site-path.ts';

const at = (address: string): string => {
  const { directory, page } = sitePath(address);
  return `${directory} ${page}`;
};

describe('sitePath', () => {
  it('a URL, a path, a path without its slash => directory and page', () => {
    expect(at('http://x.org:8/a/b.html?q=1#top')).toBe('/a/ b.html?q=1');
    expect(at('/a/b.html')).toBe('/a/ b.html');
    expect(at('a/b.html')).toBe('/a/ b.html');
    expect(at('https://x.org')).toBe('/ ');
    expect(at('')).toBe('/ ');
  });

  it('/news, /news/, /news/index.html => a page of the root, and two of the directory', () => {
    expect(['/news', '/news/', '/news/index.html'].map(at)).toEqual([
      '/ news',
      '/news/ ',
      '/news/ index.html',
    ]);
  });

  it('spellings that mean the same => one; case => kept', () => {
    expect(at('/%61/b%2fc/%c3%a9')).toBe('/a/b%2Fc/ %C3%A9');
    expect(at('/a/./x/../b//c')).toBe('/a/b/ c');
    expect(at('/a/..')).toBe('/ ');
    expect(at('/../../a')).toBe('/ a');
    expect(at('/A/B')).not.toBe(at('/a/b'));
    expect(at('/a?x=/b/c')).toBe('/ a?x=/b/c');
  });

  it('a segment of 5,000 characters => cut, and still another than its neighbour; depth 700 => 500 directories', () => {
    const long = 'x'.repeat(5000);
    expect(at(`/${long}/a`).length).toBeLessThan(230);
    expect(at(`/${long}1/a`)).not.toBe(at(`/${long}2/a`));
    const { directory, page } = sitePath(`/${'d/'.repeat(700)}p`);
    expect(directory.split('/')).toHaveLength(502);
    expect(page.startsWith('d/d/')).toBe(true);
  });
});

it('parentOf', () => {
  expect([parentOf('/a/b/'), parentOf('/a/'), parentOf('/')]).toEqual(['/a/', '/', undefined]);
});
