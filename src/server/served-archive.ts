import { type InferenceCounts, inferenceCounts } from '../access/inference-counts.ts';
import { type CaptureResolver, captureResolver } from '../access/resolve-capture.ts';
import type { Crawl, CrawlSpec, CrawlTally } from '../model/crawl.ts';
import type {
  CaptureCatalog,
  ChangeCatalog,
  InferenceCatalog,
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
  InferenceCatalog &
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
  inferredOf(crawl: Crawl): Promise<InferenceCounts | null>;
}

/** Asked at each request, so that none is answered out of an archive that is no longer there. */
export function servedArchive(current: () => Promise<ArchiveParts>): () => Promise<ServedArchive> {
  let known: { readonly catalog: ServedCatalog; readonly served: ServedArchive } | undefined;
  return async () => {
    const { catalog, reader } = await current().catch(cannotBeRead);
    if (known?.catalog === catalog) return known.served;
    const served = {
      catalog,
      resolver: captureResolver(catalog, reader),
      tallyOf: onceFinished(({ id }) => catalog.tally(id)),
      inferredOf: onceFinished(({ id, spec }) => inferredIn(catalog, id, spec)),
    };
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
function onceFinished<T>(count: (crawl: Crawl) => Promise<T>): (crawl: Crawl) => Promise<T> {
  const known = new Map<number, T>();
  return async (crawl) => {
    const found = known.get(crawl.id);
    if (found !== undefined) return found;
    const counted = await count(crawl);
    if (crawl.state === 'finished') known.set(crawl.id, counted);
    return counted;
  };
}

async function inferredIn(
  catalog: InferenceCatalog,
  crawlId: number,
  { skipByRules }: CrawlSpec,
): Promise<InferenceCounts | null> {
  return skipByRules ? inferenceCounts(await catalog.inferences({ crawlId })) : null;
}
