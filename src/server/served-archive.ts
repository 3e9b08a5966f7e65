import { type AnsweringVersion, type ChoiceRequest, chooseVersion } from '../access/choice/choose-version.ts';
import { type InferenceCounts, inferenceCounts } from '../access/inference-counts.ts';
import { type CaptureResolver, captureResolver } from '../access/resolve-capture.ts';
import { type VirtualPage, virtualIn, virtualPages } from '../access/virtual-pages.ts';
import type { ServedSearch } from '../archive/search/served-search.ts';
import type { Crawl, CrawlSpec, CrawlTally } from '../model/crawl.ts';
import type { Decision } from '../model/decision.ts';
import { Decisions } from '../model/decisions.ts';
import type { MirrorFact } from '../model/mirror.ts';
import type { Catalog, InferenceCatalog } from '../ports/catalog.ts';
import type { PageReader } from '../ports/page-reader.ts';
import type { RecordReader } from '../ports/record-store.ts';
import { RequestProblem } from './api-error.ts';
import { isUnreachable } from './known-failure.ts';

/** Read alone: what is written goes through the process that writes. */
type ServedCatalog = Catalog;

/** What a server reads from. Another one takes its place when the catalog's file is replaced while we serve it. */
export interface ArchiveParts {
  readonly catalog: ServedCatalog;
  readonly reader: RecordReader;
  /** Asked at each request: somebody may have decided since. */
  readonly told?: ToldOfSites;
  readonly search?: Pick<ServedSearch, 'find' | 'unsearched'>;
}

/** What the archive has written down beside its captures. */
export interface ToldOfSites {
  /** Those in force. */
  decisions(): Promise<Decisions>;
  /** All that were ever made, oldest first. */
  made(): Promise<readonly Decision[]>;
  mirrors(): Promise<readonly MirrorFact[]>;
  /** Why a URL is not in the archive, in sentences. */
  why?(url: string): Promise<readonly string[]>;
}

const NOTHING_TOLD: ToldOfSites = {
  decisions: async () => new Decisions(),
  made: async () => [],
  mirrors: async () => [],
};

export interface ServedArchive {
  readonly catalog: ServedCatalog;
  readonly reader: RecordReader;
  readonly resolver: CaptureResolver;
  /** By id of the crawl. */
  talliesOf(crawls: readonly Crawl[]): Promise<ReadonlyMap<number, CrawlTally>>;
  inferredOf(crawl: Crawl): Promise<InferenceCounts | null>;
  readonly told: ToldOfSites;
  /** Absent where nothing can be searched. */
  readonly search?: Pick<ServedSearch, 'find' | 'unsearched'>;
  /** Which version answers for a moment; undefined where nothing of the URL is archived. */
  choose(request: ChoiceRequest): Promise<AnsweringVersion | undefined>;
  /** By site. */
  virtualPages(): Promise<ReadonlyMap<string, readonly VirtualPage[]>>;
}

/** Asked at each request, so that none is answered out of an archive that is no longer there. */
export function servedArchive(
  current: () => Promise<ArchiveParts>,
  pageReader?: Pick<PageReader, 'readSitemap'>,
): () => Promise<ServedArchive> {
  let known: { readonly catalog: ServedCatalog; readonly served: ServedArchive } | undefined;
  return async () => {
    const { catalog, reader, search, told = NOTHING_TOLD } = await current().catch(cannotBeRead);
    if (known?.catalog === catalog) return known.served;
    const virtualOf = onceFinished((crawl) => virtualIn(catalog, crawl));
    const served: ServedArchive = {
      catalog,
      reader,
      choose: (request) => chooseVersion({ catalog, reader, ...(pageReader && { pageReader }) }, request),
      told,
      ...(search && { search }),
      virtualPages: () => virtualPages(catalog, virtualOf),
      resolver: captureResolver(catalog, reader),
      talliesOf: onceFinishedEach(async (crawls) => catalog.tallies(crawls.map(({ id }) => id))),
      inferredOf: onceFinished(({ id, spec }) => inferredIn(catalog, id, spec)),
    };
    known = { catalog, served };
    return served;
  };
}

function cannotBeRead(error: unknown): never {
  if (isUnreachable(error)) throw error;
  const why = error instanceof Error ? error.message : String(error);
  throw new RequestProblem(
    503,
    why,
    'mend that, then load this page again: the server need not be restarted',
  );
}

/** A finished crawl keeps its numbers, and counting a large one takes a moment. */
function onceFinished<T>(count: (crawl: Crawl) => Promise<T>): (crawl: Crawl) => Promise<T> {
  const each = onceFinishedEach(
    async (crawls) =>
      new Map(await Promise.all(crawls.map(async (crawl) => [crawl.id, await count(crawl)] as const))),
  );
  return async (crawl) => (await each([crawl])).get(crawl.id) as T;
}

/** The same of several that are counted together. */
function onceFinishedEach<T>(
  count: (crawls: readonly Crawl[]) => Promise<ReadonlyMap<number, T>>,
): (crawls: readonly Crawl[]) => Promise<ReadonlyMap<number, T>> {
  const known = new Map<number, T>();
  return async (crawls) => {
    const counted = await count(crawls.filter(({ id }) => !known.has(id)));
    return new Map(
      crawls.map(({ id, state }) => {
        const one = (known.has(id) ? known : counted).get(id) as T;
        if (state === 'finished') known.set(id, one);
        return [id, one];
      }),
    );
  };
}

async function inferredIn(
  catalog: InferenceCatalog,
  crawlId: number,
  { skipByRules }: CrawlSpec,
): Promise<InferenceCounts | null> {
  return skipByRules ? inferenceCounts(await catalog.inferences({ crawlId })) : null;
}
