import { expect, test } from 'vitest';
import { CrawlNotes } from './crawl-notes.ts';

test('many URLs of one trap => one note, with the host and an example', async () => {
  const told: string[] = [];
  const notes = new CrawlNotes(
    async () => {},
    (note) => told.push(note),
  );
  const skip = (month: number) => ({
    url: `http://127.0.0.1:80${month}/events?date=1901-0${month}`,
    reason: 'trap-calendar' as const,
    detail: 'date 1901 is 125 years back',
    rule: "a calendar's month more than 40 years back",
    depth: 1,
  });
  await notes.tellTraps([skip(1), { ...skip(1), url: 'http://127.0.0.1:801/events?date=1901-09' }]);
  await notes.tellTraps([skip(1), skip(2)]);
  expect(told).toEqual([
    expect.stringMatching(/^crawler trap at 127.0.0.1:801: a calendar's .* such as http:\S+date=1901-01 \(/),
    expect.stringContaining('at 127.0.0.1:802'),
  ]);
});

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
