import { expect, test } from 'vitest';
import type { MirrorFact } from '../model/mirror.ts';
import { mirrorWords } from './mirror-words.ts';

const fact = (more: Partial<MirrorFact> = {}): MirrorFact => ({
  ...{ mirror: 'b.example', origin: 'a.example', path: '/', exclusions: [], pages: 20, agreeing: 20 },
  ...{ behind: 0, standing: 'automatic', checkedAt: 1 },
  ...more,
});

test.each([
  [[fact()], 'mirrors a.example, up to date'],
  [
    [fact({ path: '/doc/', exclusions: ['/doc/x/'], behind: 1 })],
    'mirrors a.example in /doc/ but for /doc/x/, behind by one page',
  ],
  [[fact({ behind: 2, since: 0 })], 'mirrors a.example, behind by 2 pages, since 1970-01-01T00:00:00.000Z'],
  [
    [fact({ agreeing: 5, pages: 5 }), fact({ origin: 'c.example', agreeing: 9, pages: 9 })],
    'mirrors c.example, up to date',
  ],
  [[fact({ agreeing: 12 })], 'mirrors a.example, 8 pages differ'],
  [[fact({ agreeing: 12, behind: 1 })], 'mirrors a.example, behind by one page; 8 pages differ'],
  [[fact({ standing: 'ended' }), fact({ standing: 'rejected' }), fact({ standing: 'suspected' })], undefined],
  [[fact({ mirror: 'other.example' })], undefined],
])('%j => %j', (facts, words) => expect(mirrorWords('b.example', facts)).toBe(words));
