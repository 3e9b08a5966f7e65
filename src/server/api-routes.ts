import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { captureHistory, type HistoryEntry } from '../access/capture-history.ts';
import { archivedUrl } from '../access/capture-name.ts';
import { impairedVersions } from '../access/impaired-versions.ts';
import { counted } from '../access/inference-counts.ts';
import { formatTimestamp, LATEST } from '../access/replay-url.ts';
import { PAGE_RESULTS, type Skip, type Visit } from '../model/crawl.ts';
import { header } from '../model/exchange.ts';
import { SKIPS, type SkipReason } from '../model/fault.ts';
import { checked, RequestProblem } from './api-error.ts';
import type {
  ArchiveInfo,
  CrawlRow,
  InferredRow,
  ListedCapture,
  PageRow,
  SiteRow,
  Slice,
} from './api-types.ts';
import type { Origins } from './origins.ts';
import { INERT_POLICY } from './security-headers.ts';
import type { ServedArchive } from './served-archive.ts';

export interface ApiOptions {
  readonly archive: () => Promise<ServedArchive>;
  readonly collection: string;
  readonly origins: () => Origins;
  /** Whether archived scripts may run in replay. */
  readonly scripts: boolean;
}

const ROWS = 100;
const MOST_ROWS = 1000;
/** Longer than any URL a crawl keeps. */
const MOST_CHARACTERS = 8192;

const url = z.string().min(1, 'name a URL').max(MOST_CHARACTERS);
const count = (most: number) => z.coerce.number().int().min(0).max(most);
const slice = {
  offset: count(Number.MAX_SAFE_INTEGER).default(0),
  limit: count(MOST_ROWS).min(1).default(ROWS),
};
const time = z.coerce.number().int().min(0).max(LATEST);

const PagesQuery = z.object({
  site: z.string().max(MOST_CHARACTERS).optional(),
  q: z.string().max(1000).optional(),
  ...slice,
});
const CapturesQuery = z.object({ url, ...slice });
const VisitsQuery = z.object({
  crawl: count(Number.MAX_SAFE_INTEGER).optional(),
  url: url.optional(),
  outcome: z.enum(['captured', 'unchanged', 'dropped', 'failed', 'deferred']).optional(),
  /** What the report of a crawl counts: pages that turned out so, or `resource`s. */
  result: z.enum([...PAGE_RESULTS, 'captured']).optional(),
  kind: z.enum(['page', 'resource']).default('page'),
  /** Pages that were captured, but not as they should have been. */
  impaired: z.literal('1').optional(),
  site: z.string().max(MOST_CHARACTERS).optional(),
  ...slice,
});
const SkipsQuery = z.object({
  crawl: count(Number.MAX_SAFE_INTEGER),
  reason: z.enum(Object.keys(SKIPS) as [SkipReason, ...SkipReason[]]).optional(),
  limit: slice.limit,
});
const InferencesQuery = z.object({ crawl: count(Number.MAX_SAFE_INTEGER) });
const ThumbnailQuery = z.object({ url, at: time.default(LATEST) });

/** Kinds of picture that cannot carry a script. SVG can. */
const PICTURES = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif']);

export function apiRoutes({ archive, collection, origins, scripts }: ApiOptions) {
  return async (api: FastifyInstance): Promise<void> => {
    api.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });

    api.get(
      '/archive',
      async (request): Promise<ArchiveInfo> => ({
        collection,
        replayPattern: origins().replay(request.headers.host),
        rawUrl: origins().raw(request.headers.host),
        scripts,
        siteRules: (await archive()).catalog.siteBounds().rules,
      }),
    );

    api.get('/sites', async (): Promise<readonly SiteRow[]> => (await archive()).catalog.sites());

    api.get('/pages', async (request): Promise<Slice<PageRow>> => {
      const { site, q, offset, limit } = checked(PagesQuery, request.query);
      const { catalog } = await archive();
      // One more than asked tells whether the list goes on.
      const rows = await catalog.pages({
        ...(site ? { site } : {}),
        ...(q ? { text: q } : {}),
        offset,
        limit: limit + 1,
      });
      const impairment = await impairedVersions(catalog);
      const told = rows.map((row) => {
        const impaired = impairment(row.url, row.lastAt);
        return { ...row, ...(impaired && { impaired }) };
      });
      return sliced(told, offset, limit);
    });

    api.get('/captures', async (request): Promise<Slice<ListedCapture>> => {
      const query = checked(CapturesQuery, request.query);
      const { catalog } = await archive();
      const stored = (await archivedUrl(query.url, catalog)) ?? query.url;
      // The row before the slice is read as well: the first row says what changed since.
      const lead = query.offset > 0 ? 1 : 0;
      const history = captureHistory(catalog, {
        url: stored,
        offset: query.offset - lead,
        limit: query.limit + lead + 1,
      });
      const rows: ListedCapture[] = [];
      for await (const entry of history) rows.push(captureRow(entry));
      return sliced(rows.slice(lead), query.offset, query.limit);
    });

    api.get('/crawls', async (): Promise<readonly CrawlRow[]> => {
      const { catalog, tallyOf, inferredOf } = await archive();
      const crawls = [...(await catalog.crawls())].sort((a, b) => b.startedAt - a.startedAt);
      return Promise.all(
        crawls.map(async (crawl) => ({
          ...crawl,
          tally: await tallyOf(crawl),
          inferred: await inferredOf(crawl),
          notes: await catalog.notes(crawl.id),
        })),
      );
    });

    api.get('/visits', async (request): Promise<readonly Visit[]> => {
      const { crawl, url, outcome, result, kind, impaired, site, offset, limit } = checked(
        VisitsQuery,
        request.query,
      );
      const { catalog } = await archive();
      if (result !== undefined) {
        if (crawl === undefined)
          throw new RequestProblem(400, 'result: of which crawl?', 'add crawl=<number>');
        const of = { crawlId: crawl, result, kind, offset, limit };
        return catalog.settledVisits({ ...of, ...(site === undefined ? {} : { site }) });
      }
      return catalog.visits({
        ...(crawl === undefined ? {} : { crawlId: crawl }),
        ...(url === undefined ? {} : { url }),
        ...(outcome === undefined ? {} : { outcome }),
        ...(impaired && { impaired: true as const }),
        offset,
        limit,
      });
    });

    api.get('/skips', async (request): Promise<readonly Skip[]> => {
      const { crawl, reason, limit } = checked(SkipsQuery, request.query);
      return (await archive()).catalog.skips({
        crawlId: crawl,
        ...(reason === undefined ? {} : { reason }),
        limit,
      });
    });

    api.get('/inferences', async (request): Promise<readonly InferredRow[]> => {
      const { crawl } = checked(InferencesQuery, request.query);
      return (await (await archive()).catalog.inferences({ crawlId: crawl })).map(counted);
    });

    api.get('/thumbnail', async (request, reply) => {
      const { url, at } = checked(ThumbnailQuery, request.query);
      const found = await (await archive()).resolver.resolve(`urn:thumbnail:${url}`, at);
      if (found.kind !== 'found') {
        throw new RequestProblem(404, `no thumbnail of ${url}`, 'archive it with --render always to get one');
      }
      const { headers, payload } = found.capture;
      const type = header(headers, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
      if (!PICTURES.has(type)) {
        await payload.release();
        throw new RequestProblem(415, `the thumbnail of ${url} is '${type}', no picture`, 'nothing to do');
      }
      reply.raw.once('close', () => void payload.release());
      return reply
        .type(type)
        .header('content-security-policy', INERT_POLICY)
        .header('cache-control', 'private, max-age=3600')
        .send(payload.bytes ? Buffer.from(payload.bytes) : Readable.from(payload.chunks()));
    });
  };
}

function captureRow({ fact, ...marks }: HistoryEntry): ListedCapture {
  return {
    url: fact.url,
    at: fact.at,
    timestamp: formatTimestamp(fact.at),
    type: fact.type,
    method: fact.method,
    status: fact.status,
    mime: fact.mime,
    size: fact.digest.size,
    stored: fact.length,
    ...marks,
    sha256: fact.digest.sha256,
    ...(fact.truncated ? { truncated: fact.truncated } : {}),
    file: fact.file,
    offset: fact.offset,
  };
}

function sliced<Row>(rows: readonly Row[], offset: number, limit: number): Slice<Row> {
  return rows.length > limit ? { rows: rows.slice(0, limit), next: offset + limit } : { rows };
}
