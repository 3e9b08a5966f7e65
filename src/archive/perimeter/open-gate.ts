import { openLanguageIdentifier } from '../../capture/language/cld3-identifier.ts';
import { PerimeterGate } from '../../loop/perimeter-gate.ts';
import type { CrawlSpec, NewFrontierEntry } from '../../model/crawl.ts';
import { decisionWords } from '../../model/decision.ts';
import type { PerimeterSpec } from '../../model/perimeter.ts';
import type { Millis } from '../../model/time.ts';
import type { SiteOrder } from '../../science/policy/site-order.ts';
import type { PageRates } from '../../stages/page-rates.ts';
import { PerimeterFacts } from '../../stages/perimeter-facts.ts';
import { restorePerimeter } from '../../stages/restore-perimeter.ts';
import type { DecisionBook } from '../decisions/decision-book.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { addressFacts } from './address-facts.ts';
import { pagesIn } from './decided-pages.ts';
import { perimeterCountries } from './perimeter-countries.ts';
import { perimeterDefinition } from './perimeter-definition.ts';
import { unstoredCriteria } from './unstored-criteria.ts';

export interface OpenedGate {
  readonly gate: PerimeterGate;
  /** Pages that people have decided to take. */
  readonly decidedPages: readonly string[];
  /** What could not be determined, in sentences. */
  readonly notes: readonly string[];
}

/** Keeps a crawl inside its perimeter. The decisions of its configuration are added to the book, below all others. */
export async function openGate(
  spec: CrawlSpec & { readonly perimeter: PerimeterSpec },
  { catalog }: Pick<OpenArchive, 'catalog'>,
  book: DecisionBook,
  with_: {
    readonly order: SiteOrder;
    readonly rates: PageRates;
    readonly crawlId: number;
    /** Whether a decision or a late link may bring a page in. */
    readonly mayJoin: (url: string) => boolean;
  },
): Promise<OpenedGate> {
  const definition = perimeterDefinition(spec.perimeter);
  // Once for all the crawls of a refresh.
  for (const declared of definition.decisions)
    if (
      !book.held
        .of(declared.target, 0)
        .some(({ id, act }) => id === declared.id && act.kind === declared.act.kind)
    )
      book.held.add(declared);
  const countries = perimeterCountries(spec.perimeter);
  const perimeter = await restorePerimeter(definition, book.held, catalog, {
    crawlId: with_.crawlId,
    addressFacts,
  });
  const asksCountries = Object.keys(definition.countries).length > 0;
  const gate = new PerimeterGate({
    perimeter,
    catalog,
    facts: new PerimeterFacts(
      { languages: await openLanguageIdentifier(), addressFacts, ...(countries && { countries }) },
      definition,
    ),
    entryOf: (url, now) => (with_.mayJoin(url) ? entryOf(url, now, book, with_) : undefined),
  });
  const settled: string[] = [];
  const decidedPages = await pagesIn([...definition.decisions, ...book.made], with_.mayJoin, {
    allowPrivate: spec.politeness.allowPrivate,
    say: (sentence) => settled.push(sentence),
  });
  return {
    gate,
    decidedPages,
    notes: [
      ...settled,
      ...(await unstoredCriteria(spec.perimeter, catalog)),
      ...(asksCountries && !countries
        ? [`perimeter ${definition.name}: there is no table of addresses, so that countries say nothing`]
        : []),
    ],
  };
}

function entryOf(
  url: string,
  now: Millis,
  { held }: DecisionBook,
  { order, rates }: { readonly order: SiteOrder; readonly rates: PageRates },
): NewFrontierEntry | undefined {
  if (!URL.canParse(url)) return undefined;
  const { verdict } = held.on(url, now);
  if (verdict?.act.kind === 'out') return undefined;
  const rate = rates.rateOf(url, 0, now);
  const candidate = { url, depth: 0, batch: 0, index: 0, rate };
  return {
    kind: 'page',
    url,
    host: new URL(url).host,
    depth: 0,
    extraHops: 0,
    redirects: 0,
    rank: order.rank(candidate),
    rate,
    reason: verdict ? decisionWords(verdict) : 'raised by a later link into the perimeter',
    isSeed: false,
  };
}
