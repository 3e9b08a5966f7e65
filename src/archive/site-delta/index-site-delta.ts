import { siteOf as hostSite } from '../../model/site.ts';
import type { DeltaCrawl, DeltaMirror, SiteHistory } from '../../model/site-delta.ts';
import type { Millis } from '../../model/time.ts';
import type {
  CommitCatalog,
  ImportedHistories,
  OwnerCatalog,
  SiteCatalog,
  SiteDeltaCatalog,
} from '../../ports/catalog.ts';
import { readSiteDelta } from './read-site-delta.ts';

export interface HistoryCounts {
  readonly sites: number;
  readonly pages: number;
  /** One per access. */
  readonly documents: number;
}

export interface HistoryProblems {
  /** The first errors. */
  readonly errors: readonly string[];
  readonly notes: readonly string[];
  /** Errors beyond those. */
  readonly more: number;
}

/**
 * Problems that are listed individually: without a limit, a file of a million wrong lines would produce a
 * million problems.
 */
const TOLD = 200;

/** Approximate number of documents per transaction. */
const BATCH = 5_000;

type HistoryCatalog = Pick<CommitCatalog, 'index'> &
  Pick<OwnerCatalog, 'owner'> &
  Pick<SiteCatalog, 'siteBounds'> &
  Pick<SiteDeltaCatalog, 'inPassing'>;

interface ReadHistory {
  readonly counts: HistoryCounts;
  readonly problems: HistoryProblems;
}

/**
 * Reads a site-delta through, and into the catalog if one is given. Throws SiteDeltaError for what is not a site-delta.
 * What it tells of the archive `own` itself (by default the catalog's) is left out: only its own records can tell that.
 */
export function indexSiteDelta(
  chunks: AsyncIterable<Uint8Array>,
  before: Millis,
  catalog?: HistoryCatalog,
  own?: string,
): Promise<ReadHistory> {
  const read = async (): Promise<ReadHistory> =>
    readThrough(chunks, { before, own: own ?? (await catalog?.owner())?.id }, catalog);
  return catalog ? catalog.inPassing(read) : read();
}

async function readThrough(
  chunks: AsyncIterable<Uint8Array>,
  { before, own }: { readonly before: Millis; readonly own: string | undefined },
  catalog: HistoryCatalog | undefined,
): Promise<ReadHistory> {
  let ofOwn = 0;
  const counts = { sites: 0, pages: 0, documents: 0 };
  const problems = { errors: [] as string[], notes: [] as string[], more: 0 };
  const siteOf = catalog?.siteBounds().siteOf ?? hostSite;
  const batch = new HistoryBatch();
  const flush = async (): Promise<void> => {
    const histories = batch.take();
    await catalog?.index({ captures: [], pages: [], histories, fileLengths: new Map() });
  };
  for await (const item of readSiteDelta(chunks, before)) {
    switch (item.kind) {
      case 'site':
        counts.sites++;
        batch.site(item.site);
        break;
      case 'crawl':
        batch.site(item.site).crawls.push(item.crawl);
        break;
      case 'mirror':
        batch.site(item.site).mirrors.push(item.mirror);
        break;
      case 'page': {
        const documents = item.page.documents.filter(({ archive }) => archive !== own);
        const { length } = documents;
        ofOwn += item.page.documents.length - length;
        if (length === 0) break;
        counts.pages++;
        counts.documents += length;
        // The writer's rules may count several hosts as one site; here our rules decide.
        batch.page({ ...item.page, documents, site: siteOf(item.page.url) });
        if (batch.size >= BATCH) await flush();
        break;
      }
      case 'problem': {
        const list = item.severity === 'error' ? problems.errors : problems.notes;
        if (list.length < TOLD) list.push(item.reason);
        else problems.more++;
      }
    }
    // The number of crawls per site is unlimited.
    if (batch.size >= BATCH) await flush();
  }
  await flush();
  if (ofOwn > 0)
    problems.notes.push(
      `${ofOwn} of its documents are told as held by this archive itself (${own}): left out, what it holds is told by its own records`,
    );
  return { counts, problems };
}

interface OpenHistory extends SiteHistory {
  readonly crawls: DeltaCrawl[];
  readonly mirrors: DeltaMirror[];
}

class HistoryBatch {
  size = 0;
  #sites = new Map<string, OpenHistory>();
  #pages: ImportedHistories['pages'][number][] = [];

  site(site: string): OpenHistory {
    const known = this.#sites.get(site) ?? { site, crawls: [], mirrors: [] };
    this.#sites.set(site, known);
    this.size++;
    return known;
  }

  page(page: ImportedHistories['pages'][number]): void {
    this.#pages.push(page);
    this.size += page.documents.length;
  }

  take(): ImportedHistories {
    const taken = { sites: [...this.#sites.values()], pages: this.#pages };
    this.#sites = new Map();
    this.#pages = [];
    this.size = 0;
    return taken;
  }
}
