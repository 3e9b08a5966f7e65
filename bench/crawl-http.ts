/**
 * A crawl without a browser, side by side with wget (which writes WARC too) and crawlee (which writes
 * nothing): `npx tsx bench/crawl-http.ts [--json] [--pages N] [--rounds N] [--peers wget]`.
 *
 * A local site of HTML pages, about 20 KB and 30 links each, no pause between requests. Every figure is for the whole
 * command, including its start. The growth row compares with half as many pages: equal processor time per page is 1.
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
    peers: { type: 'string', default: 'wget,crawlee' },
  },
});
const pages = Number(values.pages);
const rounds = Number(values.rounds);
const peers = values.peers.split(',');

const notes: string[] = [];
const contestants = [daguerreHttp(1), daguerreHttp(4)];
if (!peers.includes('wget')) notes.push('wget was not asked for.');
else if (hasWget()) contestants.push(WGET);
else notes.push('wget was left out: it is not installed.');
if (!peers.includes('crawlee')) notes.push('crawlee was not asked for.');
else if (hasCrawlee())
  contestants.push(...([1, 4] as const).flatMap((n) => [crawleeHttp('cheerio', n), crawleeHttp('http', n)]));
else notes.push(CRAWLEE_ABSENT);

const results = await contest('plain', pages, rounds, contestants);
const half = await contest('plain', pages / 2, rounds, [daguerreHttp(1)]);
const single = await contest('plain', 1, rounds, [daguerreHttp(1)]);

const [one, four] = [daguerreHttp(1).name, daguerreHttp(4).name];
const ratios = [
  ...compare(results, one, WGET.name, 2),
  ...compare(results, one, crawleeHttp('cheerio', 1).name, 1),
  ...compare(results, four, crawleeHttp('cheerio', 4).name, 1),
  ...compare(results, one, crawleeHttp('http', 1).name, 1),
  ...compare(results, four, crawleeHttp('http', 4).name, 1),
  ...growth(single.get(one), half.get(one), results.get(one)),
];

/** Excludes the start of the command, which would flatter the larger crawl. */
function growth(start: Result | undefined, small: Result | undefined, large: Result | undefined): Ratio[] {
  if (!start || !small || !large) return [];
  const perPage = ({ cpuSeconds, pages }: Result): number =>
    (median(cpuSeconds) - median(start.cpuSeconds)) / pages;
  const what = `processor time per page, ${large.pages} pages against ${small.pages}, without the start`;
  return [{ what, value: perPage(large) / perPage(small), aim: 1.1, atMost: true }];
}

print(
  {
    title: `Crawl without a browser, ${pages} pages, median of ${rounds} rounds`,
    rows: [...results.values(), ...half.values(), ...single.values()].map((result) =>
      result.pages === pages
        ? resultRow(result)
        : { ...resultRow(result), crawler: `${result.name}, site of ${result.pages}` },
    ),
    ratios,
    notes,
  },
  values.json,
);
