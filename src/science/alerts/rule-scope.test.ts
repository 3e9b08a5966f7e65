import { expect, it } from 'vitest';
import { looksAt } from './rule-scope.ts';

it.each([
  [{ site: 'example.org' }, 'https://www.example.org/a', true],
  [{ site: 'example.org' }, 'https://example.com/', false],
  [{ site: 'example.org' }, 'https://notexample.org/', false],
  [{ site: 'example.org/~anna' }, 'https://example.org/~anna/x', true],
  [{ site: 'example.org/~anna' }, 'https://example.org/~annabel/', false],
  [{ site: '127.0.0.1:8080' }, 'http://127.0.0.1:8080/a', true],
  [{ pages: ['https://example.org/a'] }, 'http://example.org/a', true],
  [{ pages: ['example.org/news/*', 'example.com'] }, 'https://example.org/news/1', true],
  [{ pages: ['example.org/news/*', 'example.com'] }, 'https://www.example.com/', true],
  [{ pages: ['example.org/news/*'] }, 'https://example.org/sport/1', false],
  [{ site: 'example.org', pages: ['*/news/*'] }, 'https://example.org/news/1', true],
  [{ site: 'example.org', pages: ['*/news/*'] }, 'https://example.com/news/1', false],
  [{ pages: ['/'] }, 'https://example.org/', true],
  [{ pages: ['/'] }, 'https://example.org/a', false],
  [{ pages: ['/news/*'] }, 'https://example.org/news/1', true],
  [{ pages: ['/news/*'] }, 'https://example.org/new', false],
  [{}, 'https://example.org/', true],
] as const)('%j, %s => %s', (where, url, looks) => {
  expect(looksAt(where, url)).toBe(looks);
});
