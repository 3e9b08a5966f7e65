/**
 * A crawl through Chromium, side by side with crawlee's PlaywrightCrawler on the same Chromium with as many
 * pages at once: `npx tsx bench/crawl-rendered.ts [--json] [--pages N] [--rounds N] [--tabs N]`.
 *
 * Daguerre records every request, takes screenshots and text, and writes it all to WARC; crawlee loads the
 * page and follows its links.
 */
import { parseArgs } from 'node:util';
import { findChromium } from '../src/capture/browser/find-chromium.ts';
import { compare, contest, resultRow } from './contest.ts';
import { CRAWLEE_ABSENT, crawleeRendered, daguerreRendered, hasCrawlee } from './crawlers.ts';
import { print } from './figures.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    pages: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '3' },
    tabs: { type: 'string', default: '2' },
  },
});
const [pages, rounds, tabs] = [Number(values.pages), Number(values.rounds), Number(values.tabs)];

const { path, env } = await findChromium();
const ours = daguerreRendered(tabs);
const theirs = crawleeRendered(tabs, { path, env });
const withPeer = hasCrawlee();
const results = await contest('rich', pages, rounds, withPeer ? [ours, theirs] : [ours]);

print(
  {
    title: `Crawl through Chromium, ${pages} pages, median of ${rounds} rounds`,
    rows: [...results.values()].map(resultRow),
    ratios: compare(results, ours.name, theirs.name, 1),
    notes: withPeer ? [] : [CRAWLEE_ABSENT],
  },
  values.json,
);
