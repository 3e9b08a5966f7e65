/**
 * This build against another one of Daguerre, say of the commit before a change: did the change cost speed?
 * `npx tsx bench/against.ts --other CLONE [--json] [--rounds N] [--pages N] [--rendered] [--recrawl]`, both of them
 * built. With `--recrawl` what is measured is a second run into the same archive, of pages that did not change.
 *
 * The two crawl the same site in turns, so that a slow minute hits both.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { contest, type Result, resultRow } from './contest.ts';
import { daguerreHttp, daguerreRendered } from './crawlers.ts';
import { meanRatio, print, type Ratio } from './figures.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    other: { type: 'string' },
    rounds: { type: 'string', default: '12' },
    pages: { type: 'string' },
    rendered: { type: 'boolean', default: false },
    recrawl: { type: 'boolean', default: false },
  },
});
if (values.other === undefined)
  throw new Error('name the clone to compare with, built: --other ../daguerre-before');
const rounds = Number(values.rounds);
const pages = Number(values.pages ?? (values.rendered ? 100 : 2000));
const bin = resolve(values.other, 'bin/daguerre.js');
const crawler = values.rendered ? daguerreRendered : daguerreHttp;
const tabs = values.rendered ? 2 : 1;
const again = values.recrawl;
const ours = { ...crawler(tabs), name: 'this build', again };
const theirs = { ...crawler(tabs, bin), name: 'the other build', again };

const results = await contest(values.rendered ? 'rich' : 'plain', pages, rounds, [ours, theirs]);

function ratios(by: 'seconds' | 'cpuSeconds', what: string): Ratio[] {
  const [mine, other] = [ours, theirs].map(({ name }) => (results.get(name) as Result)[by]);
  const { value, interval } = meanRatio(mine ?? [], other ?? []);
  return [{ what: `${what}, this ÷ other; interval ${interval}`, value, aim: 1.02, atMost: true }];
}

print(
  {
    title: `Two builds, ${values.rendered ? 'through Chromium' : 'without a browser'}, ${pages} pages${values.recrawl ? ' again' : ''}, ${rounds} rounds`,
    rows: [...results.values()].map(resultRow),
    ratios: [...ratios('cpuSeconds', 'processor time'), ...ratios('seconds', 'time')],
    notes: [],
  },
  values.json,
);
