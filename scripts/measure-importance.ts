/**
 * On-line importance over the link graph of an archive, against PageRank: `npx tsx scripts/measure-importance.ts ARCHIVE`.
 *
 * First as crawls left it, then with a new book and the pages visited in order of discovery, round by round, each round ending
 * like a crawl. L1 is the sum of all differences, ρ Spearman's over the pages that were read. Last, how far the orders of sites
 * by the two sums agree.
 */
import { join } from 'node:path';
import { readLinkedWeb } from '../src/archive/sites/linked-web.ts';
import { openCatalog } from '../src/catalog/open.ts';
import { CashBook } from '../src/science/importance/cash-book.ts';
import { type LinkGraph, linksOf } from '../src/science/importance/link-graph.ts';
import { pageRank } from '../src/science/importance/page-rank.ts';
import { sumOfPages } from '../src/science/importance/site-importance.ts';
import { rankCorrelation } from '../src/science/rates/rank-correlation.ts';
import { archivedGraph, onlineImportance } from '../src/stages/settle-importance.ts';

const ROUNDS = [1, 2, 5, 10, 20, 40];

const [archive] = process.argv.slice(2);
if (archive === undefined) throw new Error('name the folder of an archive');
const catalog = await openCatalog(join(archive, 'catalog.sqlite'), {
  readonly: true,
  ledger: { open: (stored) => new CashBook(stored) },
});
const archived = await archivedGraph(catalog);
const { graph, isRead } = archived;
const rank = pageRank(graph);
const read = [...isRead.keys()].filter((place) => isRead[place] === 1);
console.log(`${read.length} pages read, ${graph.pages} known, ${graph.targets.length} links\n`);
console.log('| visits a page | L1 | 2 ÷ G | ρ |\n| --- | ---: | ---: | ---: |');

const online = await onlineImportance(catalog, archived);
const web = await readLinkedWeb(catalog);
const figures = await catalog.bookFigures();
await catalog.close();
tell(`${(figures.visits / figures.read).toFixed(1)}, by crawls`, online, figures.bound);

const book = new CashBook();
const places = Array.from({ length: graph.pages }, (_, place) => place);
for (const part of book.missing(places)) book.put(part, undefined);
const order = discovered(graph);
for (let round = 1; round <= Math.max(...ROUNDS); round++) {
  for (const page of order) book.visit(page, linksOf(graph, page));
  book.release();
  if (!ROUNDS.includes(round)) continue;
  const values = Float64Array.from(places, (place) => book.page(place)?.importance ?? 0);
  tell(String(round), values, book.figures.bound);
}

const sites = [...new Set(read.map((page) => web.siteOf[page] as number))];
const bySite = (values: Float64Array): number[] => {
  const sums = sumOfPages(web, values);
  return sites.map((site) => sums[site] as number);
};
if (sites.length > 1) {
  const agreement = rankCorrelation(bySite(online), bySite(rank));
  console.log(`\n${sites.length} sites that were read, by the sum of their pages: ρ ${agreement.toFixed(3)}`);
}

function tell(label: string, values: Float64Array, bound: number): void {
  const error = values.reduce((sum, value, place) => sum + Math.abs(value - (rank[place] as number)), 0);
  const of = (all: Float64Array): number[] => read.map((place) => all[place] as number);
  console.log(
    `| ${label} | ${error.toFixed(3)} | ${bound.toFixed(3)} | ${rankCorrelation(of(values), of(rank)).toFixed(3)} |`,
  );
}

/** Breadth first from the page found first; pages it does not lead to come last. */
function discovered(links: LinkGraph): number[] {
  const seen = new Set(read.slice(0, 1));
  for (const page of seen)
    for (const target of linksOf(links, page)) if (isRead[target] === 1) seen.add(target);
  return [...seen, ...read.filter((page) => !seen.has(page))];
}
