import { expect, it } from 'vitest';
import { type InferredDirectory, readInferredDirectory } from './inference.ts';

const WHOLE: InferredDirectory = {
  site: 'example.org',
  directory: '/a/',
  reason: 'near',
  rule: 'when / changes, /a/ does not',
  assumes: { head: ['/'], alpha: 0.1 },
  expectedMissed: 0.2,
  confidence: 0.8,
  lastSeen: 1_700_000_000_000,
  state: 'inferred',
  urls: ['http://example.org/a/x'],
};

it('as a crawl writes it => itself', () => {
  expect(readInferredDirectory(JSON.parse(JSON.stringify(WHOLE)))).toEqual(WHOLE);
});

it.each([
  [null],
  ['text'],
  [{ ...WHOLE, urls: 'abc' }],
  [{ ...WHOLE, urls: undefined }],
  [{ ...WHOLE, urls: [null] }],
  [{ ...WHOLE, urls: ['no URL'] }],
  [{ ...WHOLE, confidence: 'x' }],
  [{ ...WHOLE, confidence: 2 }],
  [{ ...WHOLE, expectedMissed: -1 }],
  [{ ...WHOLE, expectedMissed: Number.POSITIVE_INFINITY }],
  [{ ...WHOLE, lastSeen: 1e20 }],
  [{ ...WHOLE, directory: 5 }],
  [{ ...WHOLE, site: null }],
  [{ ...WHOLE, rule: '\u001b[31mred' }],
  [{ ...WHOLE, reason: 'because' }],
  [{ ...WHOLE, state: 'gone' }],
  [{ ...WHOLE, assumes: { head: '/', alpha: 0.1 } }],
])('%j => none', (value) => {
  expect(readInferredDirectory(value)).toBeUndefined();
});
