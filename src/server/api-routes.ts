import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { archivedUrl } from '../access/capture-name.ts';
import { counted } from '../access/inference-counts.ts';
import { LATEST } from '../access/replay-url.ts';
import { PAGE_RESULTS, type Skip, type Visit } from '../model/crawl.ts';
import { SKIPS, type SkipReason } from '../model/fault.ts';
import { NO_INPUT } from './api/route.ts';
import { checkedQuery, RequestProblem } from './api-error.ts';
import type { ArchiveInfo, DroppedRow, InferredRow, Slice, VirtualRow } from './api-types.ts';
import type { Access } from './guard/identity.ts';
import type { Origins } from './origins.ts';
import { replayPattern } from './replay-config.ts';
import { sendPicture } from './send-picture.ts';
import type { ServedArchive } from './served-archive.ts';
import type { ServerWork } from './server-work.ts';

export interface ApiOptions {
  readonly archive: () => Promise<ServedArchive>;
  readonly collection: string;
  readonly origins: () => Origins;
  /** Whether archived scripts may run in replay. */
  readonly scripts: boolean;
  readonly access: Access;
  readonly watch?: ArchiveInfo['watch'];
  readonly work?: Pick<ServerWork, 'watches'>;
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

const VirtualQuery = z.object({ site: z.string().min(1, 'name a site').max(MOST_CHARACTERS), ...slice });
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
/** `absent=empty`: 204 where there is none, for pages that would otherwise be told of an error. */
const ThumbnailQuery = z.object({ url, at: time.default(LATEST), absent: z.literal('empty').optional() });

export function apiRoutes({ archive, collection, origins, scripts, access, watch, work }: ApiOptions) {
  return async (api: FastifyInstance): Promise<void> => {
    api.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });

    api.get(
      '/archive',
      async (request): Promise<ArchiveInfo> => ({
        ...checkedQuery(NO_INPUT, request.query),
        collection,
        replayPattern: replayPattern({ origins, access }, request),
        rawUrl: origins().raw(request.headers.host),
        scripts,
        siteRules: (await archive()).catalog.siteBounds().rules,
        ...(watch && { watch }),
        watching: watch === 'runs' || ((await work?.watches?.()) ?? false),
      }),
    );

    api.get('/virtual', async (request): Promise<Slice<VirtualRow>> => {
      const { site, offset, limit } = checkedQuery(VirtualQuery, request.query);
      const pages = (await (await archive()).virtualPages()).get(site) ?? [];
      return sliced(pages.slice(offset, offset + limit + 1), offset, limit);
    });

    api.get('/dropped', async (request): Promise<Slice<DroppedRow>> => {
      const query = checkedQuery(CapturesQuery, request.query);
      const { catalog } = await archive();
      const stored = (await archivedUrl(query.url, catalog)) ?? query.url;
      const rows = (await catalog.versions({ url: stored }))
        .filter(({ kept }) => !kept)
        .map(({ at, importance, sha256 }): DroppedRow => ({ at, importance, sha256 }));
      return sliced(rows.slice(query.offset, query.offset + query.limit + 1), query.offset, query.limit);
    });

    api.get('/visits', async (request): Promise<readonly Visit[]> => {
      const { crawl, url, outcome, result, kind, impaired, site, offset, limit } = checkedQuery(
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
      const { crawl, reason, limit } = checkedQuery(SkipsQuery, request.query);
      return (await archive()).catalog.skips({
        crawlId: crawl,
        ...(reason === undefined ? {} : { reason }),
        limit,
      });
    });

    api.get('/inferences', async (request): Promise<readonly InferredRow[]> => {
      const { crawl } = checkedQuery(InferencesQuery, request.query);
      return (await (await archive()).catalog.inferences({ crawlId: crawl })).map(counted);
    });

    api.get('/thumbnail', async (request, reply) => {
      const { url, at, absent } = checkedQuery(ThumbnailQuery, request.query);
      const found = await (await archive()).resolver.resolve(`urn:thumbnail:${url}`, at);
      if (found.kind !== 'found' && absent !== undefined) return reply.code(204).send();
      return sendPicture(reply, found, `thumbnail of ${url}`);
    });
  };
}

function sliced<Row>(rows: readonly Row[], offset: number, limit: number): Slice<Row> {
  return rows.length > limit ? { rows: rows.slice(0, limit), next: offset + limit } : { rows };
}
