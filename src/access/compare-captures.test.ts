import { expect, test } from 'vitest';
import { capture, digest } from '../catalog/conformance/examples.conformance.ts';
import { compareCaptures } from './compare-captures.ts';

const URL_ = 'https://example.org/';
const PRIVATE = 'private~a.warc.gz';
const html = (at: number, file: string) =>
  capture(URL_, at, { file, mime: 'text/html', digest: digest(`${at}`) });
const NONE = { layouts: new Map(), deltas: new Map() };

test('the one before was not looked at => what the delta says since the last one that was', () => {
  const layouts = new Map([
    [1, 1],
    [3, 3],
  ]);
  const deltas = new Map([[3, { from: 1, importance: 0.5, salience: 0.6 }]]);
  const [second, third] = [html(2, 'a.warc.gz'), html(3, 'a.warc.gz')];
  expect(compareCaptures(html(1, 'a.warc.gz'), second, { layouts, deltas })).toMatchObject({
    kind: 'not-comparable',
  });
  expect(compareCaptures(second, third, { layouts, deltas })).toMatchObject({
    kind: 'changed',
    salience: 0.6,
  });
});

test.each([
  ['private, then public', PRIVATE, 'a.warc.gz', /private captures are not compared with others/],
  ['public, then private', 'a.warc.gz', PRIVATE, /private captures are not compared with others/],
  ['both public, not analysed', 'a.warc.gz', 'b.warc.gz', /no layout of this version is stored/],
])('%s => why they are not comparable', (_, before, after, why) => {
  const told = compareCaptures(html(1, before), html(2, after), NONE);
  expect(told).toMatchObject({ kind: 'not-comparable', why: expect.stringMatching(why) });
});
