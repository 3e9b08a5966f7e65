import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFilterLists } from './filter-lists.ts';
import { noLists, openRecogniser } from './index.ts';

const LIST = `[Adblock Plus 2.0]
! Title: Little list
! Last modified: 2024-05-01
||ads.test^
||click.test^$third-party
/banner_468x60.
@@||ads.test/logo.png
||news.test/promo/$image,domain=news.test
##.adBox
news.test###skyscraper
other.test##.teaser
`;
const PAGE = 'https://www.news.test/today';
let folder: string;
let file: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ads-'));
  file = join(folder, 'little.txt');
  writeFileSync(file, LIST.replaceAll('\n', '\r\n'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a list => its title and date, and what it says of URLs', () => {
  const { recogniser, fact } = openRecogniser({ lists: [file] });
  expect(fact).toBe('advertisements by Little list (2024-05-01)');
  const said = (url: string, use: 'link' | 'image' | 'frame') => recogniser.isAdvertisement(url, PAGE, use);
  expect(said('https://ads.test/x.gif', 'image')).toBe(true);
  expect(said('https://ads.test/logo.png', 'image')).toBe(false);
  expect(said('https://sub.click.test/?to=shop', 'link')).toBe(true);
  expect(said('https://pictures.test/banner_468x60.gif', 'image')).toBe(true);
  expect(said('https://news.test/promo/a.png', 'image')).toBe(true);
  expect(said('https://news.test/promo/a.png', 'frame')).toBe(false);
  expect(said('https://shop.test/', 'link')).toBe(false);
  expect(said('https://www.news.test/banner_468x60.html', 'link')).toBe(false);
  expect(said('data:image/png;base64,AA', 'image')).toBe(false);
  expect(said('no url at all', 'link')).toBe(false);
});

test('names on a page => selectors of what is hidden there', () => {
  const { recogniser } = openRecogniser({ lists: [file] });
  const hidden = (page: string) =>
    [...recogniser.hidden(page, { classes: ['adBox', 'teaser'], ids: ['skyscraper'], hrefs: [] })].sort();
  expect(hidden(PAGE)).toEqual(['#skyscraper', '.adBox']);
  expect(hidden('https://other.test/')).toEqual(['.adBox', '.teaser']);
});

test('a cache folder => the compiled engine is kept, used, and replaced when the list is newer or it is broken', () => {
  const cacheFolder = join(folder, 'cache');
  const ask = () => openRecogniser({ lists: [file], cacheFolder });
  expect(ask().recogniser.isAdvertisement('https://ads.test/x.gif', PAGE, 'image')).toBe(true);
  const [kept] = readdirSync(cacheFolder);
  expect(kept).toMatch(/^filter-lists-[0-9a-f]{24}\.engine$/);
  const again = ask();
  expect(again.recogniser.isAdvertisement('https://ads.test/x.gif', PAGE, 'image')).toBe(true);
  expect(again.fact).toBe('advertisements by Little list (2024-05-01)');
  writeFileSync(join(cacheFolder, kept as string), '["half"]\nbroken');
  expect(ask().recogniser.lists).toEqual(['Little list (2024-05-01)']);
  utimesSync(file, 1, 1);
  ask();
  expect(readdirSync(cacheFolder)).toHaveLength(1);
  expect(readdirSync(cacheFolder)[0]).not.toBe(kept);
});

test('a list that is configured but not there => an error that names it', () => {
  expect(() => openRecogniser({ lists: [join(folder, 'absent.txt')] })).toThrow(/absent\.txt/);
});

test('no lists => nothing is recognised, and it says so', () => {
  expect(noLists.lists).toEqual([]);
  expect(noLists.isAdvertisement('https://ads.test/', PAGE, 'image')).toBe(false);
});

const installed = findFilterLists();

test.skipIf(!installed)(
  'the lists on this machine => know a well-known ad server (skipped where none are installed)',
  () => {
    const { recogniser } = openRecogniser();
    expect(recogniser.lists.length).toBeGreaterThan(0);
    const at = (url: string) => recogniser.isAdvertisement(url, PAGE, 'image');
    expect([
      at('https://pagead2.googlesyndication.com/x.png'),
      at('https://www.example.org/logo.png'),
    ]).toEqual([true, false]);
  },
);
