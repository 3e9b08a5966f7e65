import { type CaptureResolver, captureResolver } from '../access/resolve-capture.ts';
import type { Crawl, CrawlTally } from '../model/crawl.ts';
import type {
  CaptureCatalog,
  ChangeCatalog,
  PageCatalog,
  ResultCatalog,
  SiteCatalog,
} from '../ports/catalog.ts';
import type { RecordReader } from '../ports/record-store.ts';
import { RequestProblem } from './api-error.ts';

/** What the web page and replay show. */
type ServedCatalog = PageCatalog &
  CaptureCatalog &
  ChangeCatalog &
  ResultCatalog &
  Pick<SiteCatalog, 'siteBounds'>;

/** What a server reads from. Another one takes its place when the catalog's file is replaced while we serve it. */
export interface ArchiveParts {
  readonly catalog: ServedCatalog;
  readonly reader: RecordReader;
}

export interface ServedArchive {
  readonly catalog: ServedCatalog;
  readonly resolver: CaptureResolver;
  tallyOf(crawl: Crawl): Promise<CrawlTally>;
}

/** Asked at each request, so that none is answered out of an archive that is no longer there. */
export function servedArchive(current: () => Promise<ArchiveParts>): () => Promise<ServedArchive> {
  let known: { readonly catalog: ServedCatalog; readonly served: ServedArchive } | undefined;
  return async () => {
    const { catalog, reader } = await current().catch(cannotBeRead);
    if (known?.catalog === catalog) return known.served;
    const served = { catalog, resolver: captureResolver(catalog, reader), tallyOf: tallies(catalog) };
    known = { catalog, served };
    return served;
  };
}

function cannotBeRead(error: unknown): never {
  const why = error instanceof Error ? error.message : String(error);
  throw new RequestProblem(
    503,
    why,
    'mend that, then load this page again: the server need not be restarted',
  );
}

/** A finished crawl keeps its numbers, and counting a large one takes a moment. */
function tallies(catalog: ResultCatalog): ServedArchive['tallyOf'] {
  const known = new Map<number, CrawlTally>();
  return async ({ id, state }) => {
    const found = known.get(id);
    if (found) return found;
    const tally = await catalog.tally(id);
    if (state === 'finished') known.set(id, tally);
    return tally;
  };
}
