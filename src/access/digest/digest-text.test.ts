import { expect, it } from 'vitest';
import { digestText } from './digest-text.ts';
import type { DigestedItem } from './page-digest.ts';

const item = (headline: string, more: Partial<DigestedItem> = {}): DigestedItem => ({
  ...{
    headline,
    retitled: [],
    address: 'http://a.test/x',
    versions: 2,
    weight: 0.1,
    wasLead: false,
    isThere: false,
  },
  firstSeen: Date.UTC(2026, 2, 1, 8),
  lastSeen: Date.UTC(2026, 2, 2, 9, 30),
  ...more,
});

it('sections, a lead story, other words later => a line each, with times', () => {
  const digest = {
    ...{ url: 'http://a.test/', title: 'News', versions: 5, unread: 0, headlines: 2 },
    ...{ from: Date.UTC(2026, 2, 1), to: Date.UTC(2026, 2, 3) },
    sections: [
      { name: 'politics', items: [item('Vote delayed', { wasLead: true, retitled: ['Vote held'] })] },
      { name: '', items: [item('Rain all day', { isThere: true })] },
    ],
  };
  expect(
    digestText(digest),
  ).toBe(`News: 2 headlines from 2026-03-01 00:00 to 2026-03-03 00:00, out of 5 versions

politics
  2026-03-01 08:00 to 2026-03-02 09:30  * Vote delayed
${' '.repeat(42)}  later: Vote held

More
  2026-03-01 08:00 to the end             Rain all day

* lead story
`);
});
