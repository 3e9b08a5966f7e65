/** A crawl of an invented web that reads suspects by their chance, and what is then known about every URL. */
import { fitLogOdds, weighed } from '../../science/perimeter/fit-log-odds.ts';
import type { PageFacts } from '../../science/perimeter/page-facts.ts';
import type { WeighedPage } from '../../science/perimeter/perimeter-size.ts';
import { Propagation } from '../../science/perimeter/propagation.ts';
import { type Coefficients, featuresOf, judge, statedCoefficients } from '../../science/perimeter/verdict.ts';
import { stream } from '../newspaper/random.ts';
import type { GivenPage } from './judge-web.ts';
import { NATION, type NationalWeb } from './national-web.ts';

export interface NationCrawlPlan {
  readonly seed: number;
  /** Number of pages to read. */
  readonly reads: number;
  /** How many of the pages read a person judges, chosen at random. */
  readonly judged: number;
}

export interface CrawledNation {
  readonly known: readonly WeighedPage[];
  /** How many of the known URLs really belong. */
  readonly truth: number;
  readonly read: number;
  /** Share of the pages read that belong. */
  readonly harvest: number;
}

/** Share of reads that go to any suspect, so that chances are also learnt where they are small. */
const EXPLORED = 0.2;
/** Suspects compared to find the best one: a tournament costs less than sorting all. */
const LOOKED_AT = 25;
/** The chances of suspects are relearnt after this many reads. */
const LEARN_EVERY = 100;

export function crawlNation(web: NationalWeb, { seed, reads, judged }: NationCrawlPlan): CrawledNation {
  const draw = stream(seed, 'crawl-nation');
  const idOf = new Map([...web.pages.keys()].map((url, id) => [url, id]));
  const linksOf = (url: string): number[] => (web.links.get(url) ?? []).map((to) => idOf.get(to) as number);
  const urls = [...idOf.keys()];
  const pageOf = (url: string) => web.pages.get(url) as GivenPage;
  const flow = new Propagation(NATION.connectivity.length);
  const start = statedCoefficients(NATION);
  let coefficients: Coefficients = start;
  const unread = [...web.seeds];
  const seen = new Set(unread);
  const before = new Map<string, readonly number[]>();
  const ownOf = (facts: PageFacts): number => judge(facts, [], NATION, start).own;
  const suspect = (url: string): number[] =>
    featuresOf(ownOf(web.suspectFacts(url)), flow.means(idOf.get(url) as number));
  while (before.size < reads && unread.length > 0) {
    const place = draw.chance(EXPLORED)
      ? draw.int(unread.length)
      : best(unread, suspect, coefficients, draw.int);
    const page = unread[place] as string;
    const last = unread.pop() as string;
    if (place < unread.length) unread[place] = last;
    before.set(page, suspect(page));
    const own = ownOf(pageOf(page).facts);
    flow.read(idOf.get(page) as number, own, linksOf(page));
    for (const to of web.links.get(page) ?? []) {
      if (seen.has(to)) continue;
      seen.add(to);
      unread.push(to);
    }
    if (before.size % LEARN_EVERY === 0) {
      flow.settle((id) => linksOf(urls[id] as string));
      // From what pages looked like before they were read to what their criteria said afterwards.
      const examples = [...before].map(([url, features]) => ({
        features,
        belongs: judge(pageOf(url).facts, features.slice(2), NATION, start).chance,
      }));
      coefficients = fitLogOdds(examples, start);
    }
  }
  flow.settle((id) => linksOf(urls[id] as string));
  const chosen = new Set(draw.sample([...before.keys()], judged));
  const truthOf = (url: string): boolean => web.pages.get(url)?.truth === true;
  const known = [...seen].map((url): WeighedPage => {
    const { facts } = pageOf(url);
    return {
      site: facts.domain,
      asSuspect: before.get(url) ?? suspect(url),
      ...(before.has(url) && { asRead: featuresOf(ownOf(facts), flow.means(idOf.get(url) as number)) }),
      ...(chosen.has(url) && { inside: truthOf(url) }),
    };
  });
  return {
    known,
    truth: [...seen].filter(truthOf).length,
    read: before.size,
    harvest: [...before.keys()].filter(truthOf).length / before.size,
  };
}

function best(
  unread: readonly string[],
  suspect: (url: string) => readonly number[],
  coefficients: Coefficients,
  int: (n: number) => number,
): number {
  let [place, most] = [0, Number.NEGATIVE_INFINITY];
  for (let k = 0; k < LOOKED_AT; k++) {
    const candidate = int(unread.length);
    const score = weighed(suspect(unread[candidate] as string), coefficients);
    if (score > most) [place, most] = [candidate, score];
  }
  return place;
}
