import { expect, test } from 'vitest';
import { chanceQuality } from '../../science/perimeter/held-out.ts';
import { parseDescribedPages } from '../data/page-tables.ts';
import { stream } from '../newspaper/random.ts';
import { crawlNation } from './crawl-nation.ts';
import { besideCriteria, fScore, judgements } from './criteria-beside.ts';
import { judgeHeldOut, judgeWeb } from './judge-web.ts';
import { measurePerimeter, perimeter } from './measure.ts';
import { NATION, nationalWeb } from './national-web.ts';

const WEB = nationalWeb(1, 150);

test('a nation among others => criteria and links together beat each criterion alone', () => {
  const [stated, fitted] = [judgeWeb(WEB, NATION), judgeHeldOut(WEB, NATION)];
  const { precision, recall } = chanceQuality(judgements(fitted));
  const alone = besideCriteria(stated, fitted);
  expect(alone.map(({ criterion }) => criterion)).toEqual(['language', 'domain', 'country']);
  for (const one of alone) {
    expect(fScore(precision, recall)).toBeGreaterThan(fScore(one.precision, one.recall));
    expect(one.precisionThere).toBeGreaterThanOrEqual(one.precision ?? 1);
  }
});

test('links to sites that were not read => suspects, judged by who links to them', () => {
  const page = (host: string, language: string) => ({
    facts: { url: `https://${host}/`, host, domain: host, language: { code: language, chance: 1 } },
  });
  const web = {
    pages: new Map([
      ['https://a.fr/', page('a.fr', 'fr')],
      ['https://b.uk/', page('b.uk', 'en')],
    ]),
    links: new Map([
      ['https://a.fr/', ['https://x.org/']],
      ['https://b.uk/', ['https://y.org/']],
    ]),
    suspectFacts: (url: string) => ({ url, host: new URL(url).host, domain: new URL(url).host }),
  };
  const { judged, size } = measurePerimeter({
    web,
    definition: NATION,
    fit: false,
    random: stream(1).next,
  });
  const chance = (url: string) => judged.find((one) => one.url === url)?.verdict.chance ?? Number.NaN;
  expect(judged.map(({ read }) => read)).toEqual([true, true, false, false]);
  expect(chance('https://x.org/')).toBeGreaterThan(0.8);
  expect(chance('https://y.org/')).toBeLessThan(0.2);
  expect(size.low).toBeLessThanOrEqual(size.mean);
  expect(size.high).toBeGreaterThanOrEqual(size.mean);
});

test('a crawl of suspects by their chance => more of what it reads belongs than of what it knows', () => {
  const { known, read, harvest, truth } = crawlNation(WEB, { seed: 1, reads: 150, judged: 50 });
  expect(read).toBe(150);
  expect(harvest).toBeGreaterThan(truth / known.length);
  expect(known.filter(({ inside }) => inside !== undefined)).toHaveLength(50);
  expect(crawlNation(WEB, { seed: 1, reads: 150, judged: 50 }).known).toEqual(known);
});

test('the object of --json => verdicts by page, and precision and recall beside them', async () => {
  const outcome = await perimeter.run({ web: WEB, definition: NATION, fit: false, random: stream(1).next });
  if (outcome.kind !== 'measured') throw new Error(outcome.reason);
  const data = outcome.data as { pages: Record<string, object>; withTruth: number; precision: number };
  expect(Object.keys(data.pages)).toHaveLength(WEB.pages.size);
  expect(Object.values(data.pages)[0]).toMatchObject({
    chance: expect.any(Number),
    evidence: expect.any(Array),
  });
  expect([data.withTruth, data.precision > 0.5]).toEqual([WEB.pages.size, true]);
});

test.each([
  ['https://a.fr/\tFR', "language must be an ISO 639 code such as fr, or empty, not 'FR'"],
  ['https://a.fr/\tfr\tFrance', "country must be an ISO 3166 code such as FR, or empty, not 'France'"],
  ['https://a.fr/\tfr\tFR\tx\tyes', "truth must be 0, 1 or empty, not 'yes'"],
  ['http://\tfr', "'http://' is no web address"],
  ['https://a.fr/\tfr\nhttps://a.fr/\tfr', "line 2: 'https://a.fr/' stands there already"],
])('a row of pages %j => refused: %s', (text, reason) => {
  expect(() => parseDescribedPages(text, 'p.tsv')).toThrow(reason);
});

test('rows of pages, with a header and empty columns => what is known', () => {
  const { pages } = parseDescribedPages(
    'url\tlanguage\tcountry\ttext\ttruth\nhttps://a.fr/\tfr-CA\tfr\tun mot\t1\nhttps://b.uk/\t\t\t\t\n',
    'p.tsv',
  );
  expect([...pages.values()].flat()).toEqual([
    { language: 'fr', country: 'FR', text: 'un mot', truth: true },
    {},
  ]);
});
