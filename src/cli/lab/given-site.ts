import { UserError } from '../../archive/user-error.ts';
import {
  type PageTable,
  parseLinks,
  parseRates,
  parseWeights,
  type TableOptions,
} from '../../lab/data/page-tables.ts';
import {
  isRateList,
  linkGraph,
  pageIndex,
  parseRateList,
  type RatedPages,
  ratedPages,
  valuesByPage,
} from '../../lab/sharpness/rated-pages.ts';
import type { SiteToCapture } from '../../science/sharpness/schedule.ts';
import { readPages } from './page-files.ts';
import type { SiteFlags } from './site-options.ts';

export interface GivenSite {
  readonly names: readonly string[];
  readonly site: SiteToCapture;
  /** Another table about the same pages. */
  valuesOf<T>(file: string, parse: TableParser<T>): T[][];
  /** Bad rows left out so far. */
  skipped(): number;
}

type TableParser<T> = (text: string, file: string, options: TableOptions) => PageTable<T>;

/** A site as described by tables. Errors in them are the user's to fix. */
export async function withGivenSite(
  flags: SiteFlags,
  use: (given: GivenSite) => Promise<void>,
): Promise<void> {
  try {
    await use(givenSite(flags));
  } catch (error) {
    if (error instanceof RangeError) throw new UserError(error.message);
    throw error;
  }
}

function givenSite(flags: SiteFlags): GivenSite {
  const skipping = { skipBad: flags.skipBad, skipped: 0 };
  const read = <T>(file: string, parse: TableParser<T>): PageTable<T> => readPages(file, parse, skipping);
  const { names, rates } = ratesOf(flags.rates, read);
  const valuesOf = <T>(file: string, parse: TableParser<T>): T[][] =>
    valuesByPage(names, read(file, parse), file);
  const { graph: graphFile } = flags;
  const graph =
    graphFile === undefined ? undefined : linkGraph(names, read(graphFile, parseLinks), graphFile);
  const indexOf = pageIndex(names);
  const first = graph?.first === undefined ? undefined : [graph.first];
  return {
    names,
    valuesOf,
    skipped: () => skipping.skipped,
    site: {
      rates,
      delay: flags.delay,
      directories: names.map((name) => name.slice(0, name.lastIndexOf('/') + 1)),
      estimatedSize: flags.size,
      links: graph?.links,
      seeds: flags.entry?.map((name) => indexOf(name, '--entry')) ?? first,
      weights: flags.weights === undefined ? undefined : weightsOf(valuesOf(flags.weights, weightTable)),
    },
  };
}

function ratesOf(text: string, read: <T>(file: string, parse: TableParser<T>) => PageTable<T>): RatedPages {
  return isRateList(text) ? parseRateList(text) : ratedPages(read(text, parseRates));
}

const weightTable: TableParser<number> = (text, file, options) => {
  const { weights, skipped } = parseWeights(text, file, options);
  return { pages: new Map([...weights].map(([page, weight]) => [page, [weight]])), skipped };
};

/** Pages without a row have full weight. */
const weightsOf = (values: readonly (readonly number[])[]): Float64Array =>
  Float64Array.from(values, ([weight = 1]) => weight);
