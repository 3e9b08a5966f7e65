/**
 * A crawl without a browser, side by side with wget (which writes WARC too) and crawlee (which writes
 * nothing): `npx tsx bench/crawl-http.ts [--json] [--pages N] [--rounds N]`.
 *
 * A local site of HTML pages, about 20 KB and 30 links each, no pause between requests. Every figure is of the
 * whole command, its start included. The growth row crawls half as many pages: equal time per page is 1.
 */
import { parseArgs } from 'node:util';
import { compare, contest, type Result, resultRow } from './contest.ts';
import { CRAWLEE_ABSENT, crawleeHttp, daguerreHttp, hasCrawlee, hasWget, WGET } from './crawlers.ts';
import { median, print, type Ratio } from './figures.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    pages: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
  },
});
const pages = Number(values.pages);
const rounds = Number(values.rounds);

const notes: string[] = [];
const contestants = [daguerreHttp(1), daguerreHttp(4)];
if (hasWget()) contestants.push(WGET);
else notes.push('wget was left out: it is not installed.');
if (hasCrawlee())
  contestants.push(...([1, 4] as const).flatMap((n) => [crawleeHttp('cheerio', n), crawleeHttp('http', n)]));
else notes.push(CRAWLEE_ABSENT);

const results = await contest('plain', pages, rounds, contestants);
const half = await contest('plain', pages / 2, rounds, [daguerreHttp(1)]);

const [one, four] = [daguerreHttp(1).name, daguerreHttp(4).name];
const ratios = [
  ...compare(results, one, WGET.name, 2),
  ...compare(results, one, crawleeHttp('cheerio', 1).name, 1),
  ...compare(results, four, crawleeHttp('cheerio', 4).name, 1),
  ...compare(results, one, crawleeHttp('http', 1).name, 1),
  ...compare(results, four, crawleeHttp('http', 4).name, 1),
  ...growth(half.get(one), results.get(one)),
];

function growth(small: Result | undefined, large: Result | undefined): Ratio[] {
  if (!small || !large) return [];
  const perPage = ({ cpuSeconds, pages }: Result): number => median(cpuSeconds) / pages;
  const what = `processor time per page, ${large.pages} pages against ${small.pages}`;
  return [{ what, value: perPage(large) / perPage(small), aim: 1.1, atMost: true }];
}

print(
  {
    title: `Crawl without a browser, ${pages} pages, median of ${rounds} rounds`,
    rows: [...results.values(), ...half.values()].map((result) =>
      result.pages === pages
        ? resultRow(result)
        : { ...resultRow(result), crawler: `${result.name}, ${result.pages} pages` },
    ),
    ratios,
    notes,
  },
  values.json,
);
