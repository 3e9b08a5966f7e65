import { expect, test } from 'vitest';
import { createAlikePages } from './alike-pages.ts';

/** Visits pages as a crawl would; returns how many were visited before the family was cut. */
function visits(urls: readonly string[], text: (i: number) => string, limit = 500): number {
  const alike = createAlikePages(limit);
  let made = 0;
  for (const [i, url] of urls.entries()) {
    if (alike.trapOf(url)) continue;
    made++;
    if (alike.wants(url)) alike.observe(url, text(i));
  }
  return made;
}

const numbered = (count: number, url: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => url(i + 1));
const WORDS = ['ash', 'birch', 'cedar', 'date', 'elm', 'fir', 'gum', 'hazel', 'ivy', 'juniper'];
/** A title of its own, in words, below the same navigation. */
const thread = (i: number): string =>
  `Home Forum Login ${[...String(i)].map((digit) => WORDS[Number(digit)]).join(' ')} posted ${i} replies`;

test('?layer=1 … 5,000, alike but for numbers => cut at the limit', () => {
  const urls = numbered(5_000, (i) => `https://a.example/maze?layer=${i}`);
  expect(visits(urls, (i) => `Layer ${i} of the maze. Go on to ${i + 1}.`)).toBe(500);
});

test('/room/17/door/3, alike but for numbers => cut at the limit', () => {
  const urls = numbered(2_000, (i) => `https://a.example/room/${i}/door/${i % 7}`);
  expect(visits(urls, (i) => `Room ${i}`)).toBe(500);
});

test('a forum with ?id=1 … 2,000, each thread its own words => whole', () => {
  const urls = numbered(2_000, (i) => `https://a.example/thread?id=${i}`);
  expect(visits(urls, thread)).toBe(2_000);
});

test('a forum in which half of the threads were deleted => whole', () => {
  const urls = numbered(2_000, (i) => `https://a.example/thread?id=${i}`);
  expect(visits(urls, (i) => (i % 2 === 0 ? thread(i) : 'This thread does not exist.'))).toBe(2_000);
});

test('pages 1 … 1,200 of a listing, each with other titles => whole', () => {
  const urls = numbered(1_200, (i) => `https://a.example/news?page=${i}`);
  expect(visits(urls, (i) => `News, page ${i}: ${thread(i)}, ${thread(i + 9)}`)).toBe(1_200);
});

test('a calendar of eight years with events now and then => whole', () => {
  const urls = numbered(2_900, (i) => `https://a.example/calendar/2026/${i}`);
  expect(visits(urls, (i) => (i % 10 === 0 ? `${thread(i)} on that day` : 'No events'))).toBe(2_900);
});

test('2,000 parts of a catalogue that differ in their numbers, as words => whole', () => {
  const urls = numbered(2_000, (i) => `https://a.example/part/${i}`);
  expect(visits(urls, (i) => `Part no. XK${i}b, in stock`)).toBe(2_000);
});

test('2,000 real threads => the texts of few of them are asked for', () => {
  const alike = createAlikePages(500);
  let asked = 0;
  for (const [i, url] of numbered(2_000, (n) => `https://a.example/thread?id=${n}`).entries()) {
    if (!alike.wants(url)) continue;
    asked++;
    alike.observe(url, thread(i));
  }
  expect(asked).toBeLessThanOrEqual(200);
});

test('no limit => nothing is looked at', () => {
  const alike = createAlikePages(Number.POSITIVE_INFINITY);
  for (let i = 0; i < 100; i++) expect(alike.wants(`https://a.example/?x=${i}`)).toBe(false);
});
