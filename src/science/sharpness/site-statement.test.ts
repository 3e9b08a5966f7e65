import { expect, it } from 'vitest';
import { siteOf } from '../../model/site.ts';
import type { CapturedPage } from '../../model/site-capture.ts';
import { statementOf } from './certificate.ts';
import { siteStatement } from './site-statement.ts';

const page = (url: string, at: number, again: number, sha256 = 'a'): CapturedPage => ({
  url,
  rate: 0.01,
  visit: { at, recordId: `<${url} 1>`, sha256: 'a', status: 200 },
  revisit: {
    at: again,
    recordId: `<${url} 2>`,
    sha256,
    status: 200,
    outcome: sha256 === 'a' ? 'same' : 'changed',
  },
});

const capture = (pages: readonly CapturedPage[], seeds: readonly string[]) =>
  statementOf(
    { key: 'k', seeds, startedAt: 0, finishedAt: 90_000, order: 'sharc-online', revisit: 'sharp', pages },
    { software: 'test', clock: 'test', found: pages.map(({ url }) => ({ url, isSeed: true })) },
  );

const ONE = [page('https://one.example/', 0, 70_000), page('https://one.example/a', 20_000, 50_000, 'b')];
const TWO = [page('https://www.two.example/', 10_000, 80_000), page('https://two.example/a', 30_000, 40_000)];

it('a certificate of two sites => of one of them, what its own certificate would have said', () => {
  const both = capture([...ONE, ...TWO], ['https://one.example/', 'https://www.two.example/']);
  expect(siteStatement(both, 'one.example', siteOf)).toEqual(capture(ONE, ['https://one.example/']));
  expect(siteStatement(both, 'two.example', siteOf)).toEqual(capture(TWO, ['https://www.two.example/']));
});

it('a certificate of one site => itself', () => {
  const whole = capture(ONE, ['https://one.example/']);
  expect(siteStatement(whole, 'one.example', siteOf)).toBe(whole);
});
