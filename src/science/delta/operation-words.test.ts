import { expect, it } from 'vitest';
import type { ReportedOperation } from './delta-json.ts';
import { operationWords } from './operation-words.ts';

const at = { block: 'B1.2', weight: 0.1 } as const;

it.each<[ReportedOperation, string]>([
  [
    { ...at, op: 'update', element: 'text', old: { text: 'Rain' }, new: { text: 'Sun' } },
    'text changed in B1.2: “Rain” → “Sun”',
  ],
  [
    { ...at, op: 'insert', element: 'link', new: { name: 'More', address: 'https://a.org/' } },
    'link new in B1.2: “More”',
  ],
  [
    {
      ...at,
      op: 'update',
      element: 'link',
      old: { name: 'More', address: 'https://a.org/1' },
      new: { name: 'More', address: 'https://a.org/2' },
    },
    'link changed in B1.2: “More https://a.org/1” → “More https://a.org/2”',
  ],
  [
    { ...at, op: 'delete', element: 'image', old: { name: '', source: 'https://a.org/x.png' } },
    'image gone in B1.2: “https://a.org/x.png”',
  ],
  [
    {
      ...at,
      op: 'move',
      element: 'link',
      fromBlock: 'B1.1',
      old: { name: 'More', address: 'https://a.org/' },
    },
    'link moved from B1.1 to B1.2: “More”',
  ],
  [
    { ...at, op: 'insert', element: 'block', content: { links: 1, images: 0, texts: 2 } },
    'block new B1.2 with 1 link, 0 images, 2 texts',
  ],
  [{ ...at, op: 'move', element: 'block', fromBlock: 'B1.1' }, 'block moved from B1.1 to B1.2'],
  [
    { ...at, op: 'update', element: 'block', structure: 'split', blocks: ['B1.2', 'B1.3'] },
    'block B1.2 split into B1.2, B1.3',
  ],
])('%j => %s', (operation, words) => {
  expect(operationWords(operation)).toBe(words);
});

it('a long text that differs at its end => quoted where it differs', () => {
  const [old, now] = [`${'word '.repeat(50)}rain`, `${'word '.repeat(50)}sun`];
  const words = operationWords({
    ...at,
    op: 'update',
    element: 'text',
    old: { text: old },
    new: { text: now },
  });
  expect(words).toMatch(/rain” → “….*sun”$/);
});
