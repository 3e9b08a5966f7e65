import { expect, test } from 'vitest';
import { CrawlNotes } from './crawl-notes.ts';

test('more notes than are kept => the first hundred, and once that there are more', async () => {
  const stored: string[] = [];
  const told: string[] = [];
  const notes = new CrawlNotes(
    async (some) => {
      stored.push(...some);
    },
    (note) => told.push(note),
  );
  await notes.keep(['kept from before']);
  for (let i = 0; i < 120; i++) await notes.tell([`note ${i}`, `note ${i}`]);
  expect(told).toHaveLength(100);
  expect(stored).toEqual(['kept from before', ...told]);
  expect(told.slice(-2)).toEqual([
    'note 98',
    'there is more to tell than 100 notes: see the counts of skips',
  ]);
});
