/**
 * What on-line importance costs a crawl: the same command with and without it, in turns.
 * `npx tsx bench/importance.ts [--json] [--rounds N] [--pages N] [--per-host N]`, built.
 *
 * A local site of HTML pages, about 20 KB and 30 links each, over HTTP alone: the fastest possible crawl, where the cost weighs
 * most. Whole commands vary by more than that from one minute to the next, so the commits of such a crawl are also measured
 * separately, and what importance adds to them is compared with the processor time of a whole page.
 */
import { parseArgs } from 'node:util';
import { contest, contestAtOnce, type Result, resultRow } from './contest.ts';
import { daguerreHttp } from './crawlers.ts';
import { meanRatio, median, print, type Ratio, round } from './figures.ts';
import { commitTimes } from './importance-commits.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '12' },
    pages: { type: 'string', default: '2000' },
    together: { type: 'boolean', default: false },
    'per-host': { type: 'string', default: '4' },
  },
});
const rounds = Number(values.rounds);
const pages = Number(values.pages);
const crawler = daguerreHttp(Number(values['per-host']));
const withIt = { ...crawler, name: 'with importance' };
const without = {
  ...crawler,
  name: 'without',
  command: (url: string, folder: string) => [...crawler.command(url, folder), '--no-online-importance'],
};

const results = await (values.together ? contestAtOnce : contest)('plain', pages, rounds, [withIt, without]);

function cost(by: 'seconds' | 'cpuSeconds', what: string): Ratio {
  const [on, off] = [withIt, without].map(({ name }) => (results.get(name) as Result)[by]);
  const { value, interval } = meanRatio(on ?? [], off ?? []);
  return { what: `${what}, with ÷ without; interval ${interval}`, value, aim: 1.05, atMost: true };
}

const commits = await commitTimes(pages, rounds);
const added = median(commits.on.map((on, turn) => on - (commits.off[turn] ?? Number.NaN)));
const whole = results.get(without.name) as Result;
const wholePage = (median(whole.cpuSeconds) * 1e6) / pages;
const spread = commits.on.map((on, turn) => round(on - (commits.off[turn] ?? Number.NaN), 0));

print(
  {
    title: `On-line importance in a crawl without a browser, ${pages} pages, ${rounds} rounds`,
    rows: [...results.values()].map(resultRow),
    ratios: [
      cost('cpuSeconds', 'processor time'),
      cost('seconds', 'time'),
      {
        what: `what it adds to commits ÷ processor time of a page, ${round(added, 0)} µs of ${round(wholePage, 0)}`,
        value: added / wholePage,
        aim: 0.05,
        atMost: true,
      },
    ],
    notes: [`µs a page that it added to commits, round by round: ${spread.join(', ')}.`],
  },
  values.json,
);
