import { expect, test } from 'vitest';
import { capture, digest } from '../catalog/conformance/examples.conformance.ts';
import { compareCaptures } from './compare-captures.ts';

const URL_ = 'https://example.org/';
const PRIVATE = 'private~a.warc.gz';
const html = (at: number, file: string) =>
  capture(URL_, at, { file, mime: 'text/html', digest: digest(`${at}`) });
const NONE = { layouts: new Map(), deltas: new Map() };

test.each([
  ['private, then public', PRIVATE, 'a.warc.gz', /private captures are not compared with others/],
  ['public, then private', 'a.warc.gz', PRIVATE, /private captures are not compared with others/],
  ['both public, not analysed', 'a.warc.gz', 'b.warc.gz', /no layout of this version is stored/],
])('%s => why they are not comparable', (_, before, after, why) => {
  const told = compareCaptures(html(1, before), html(2, after), NONE);
  expect(told).toMatchObject({ kind: 'not-comparable', why: expect.stringMatching(why) });
});
