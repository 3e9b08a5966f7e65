import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { atomFeed } from '../access/alerts/atom-feed.ts';
import { changeFeed } from '../access/feeds/change-feed.ts';
import { searchFeed } from '../access/feeds/search-feed.ts';
import type { Alert } from '../model/alert.ts';
import { PASSAGE_KINDS } from '../model/passage.ts';
import { given, level, site, url } from './api/parameters.ts';
import { send } from './api/send.ts';
import { fromWatchFile } from './api/watch-file.ts';
import { checkedQuery, RequestProblem } from './api-error.ts';
import type { ApiOptions } from './api-routes.ts';
import type { ServedArchive } from './served-archive.ts';
import type { ServerWork } from './server-work.ts';

/** Entries of a feed, and what is looked through for the newest of them. */
const ENTRIES = 50;
const LOOKED_THROUGH = 5_000;
const FOUND = 500;
/** Milliseconds. */
const MONTH = 31 * 86_400_000;
/** Operations whose texts stand in an entry. */
const OPERATIONS = 5;

const ALERTS = z.object({ kind: z.string(), '*': z.string() });
const CHANGES = z.object({ site: site.optional(), url: url.optional(), minSalience: level.optional() });
const SEARCH = z.object({
  q: z.string().min(1, 'name words to look for').max(1000),
  site: site.optional(),
  url: url.optional(),
  kind: z.enum(PASSAGE_KINDS).optional(),
  event: z.enum(['appeared', 'vanished']).default('appeared'),
});

const WHERE =
  'ask for /feeds/changes.atom?site=<site>, /feeds/changes.atom?url=<page>, /feeds/search.atom?q=<words>, /feeds/rules/<name>.atom or /feeds/sites/<site>.atom';

type FeedOptions = Pick<ApiOptions, 'archive' | 'origins'> & {
  readonly work?: Pick<ServerWork, 'rules'>;
};
type FeedCatalog = ServedArchive['catalog'];

/**
 * Atom feeds: of changes (`/feeds/changes.atom`, of a site, a page or all), of what a search finds newly (`/feeds/search.atom`), and
 * of alerts (`/feeds/rules/<name>.atom`, `/feeds/sites/<site>.atom`).
 */
export function feedRoutes({ archive, origins, work }: FeedOptions) {
  const places = (request: FastifyRequest) => {
    const base = origins().ui(request.headers.host).replace(/\/+$/, '');
    return { base, self: `${base}${request.url}` };
  };
  const sendFeed = (request: FastifyRequest, reply: FastifyReply, feed: string): FastifyReply =>
    send({ request, reply }, { type: 'application/atom+xml', body: feed });

  return async (app: FastifyInstance): Promise<void> => {
    app.get('/changes.atom', async (request, reply) => {
      const asked = checkedQuery(CHANGES, request.query);
      const { catalog } = await archive();
      const options = { seen: true, sort: 'time', operationLimit: OPERATIONS, limit: ENTRIES } as const;
      const changes = await catalog.changes({ ...given(asked), ...options });
      const of = asked.url ?? (asked.site === undefined ? 'all sites' : `site ${asked.site}`);
      return sendFeed(request, reply, changeFeed(changes, { ...places(request), of }));
    });

    app.get('/search.atom', async (request, reply) => {
      const { q: text, kind, ...asked } = checkedQuery(SEARCH, request.query);
      const { search } = await archive();
      if (!search) throw new RequestProblem(404, 'nothing can be searched here', 'use `daguerre serve`');
      const found = await search.find({
        ...{ ...asked, text, kinds: kind && [kind], from: Date.now() - MONTH, to: undefined },
        ...{ limit: FOUND, offset: 0 },
      });
      const { event } = asked;
      const timeOf = ({ cameAt, goneAt = 0 }: (typeof found)[number]) =>
        event === 'vanished' ? goneAt : cameAt;
      const newest = found.toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, ENTRIES);
      return sendFeed(request, reply, searchFeed(newest, { ...places(request), text, event }));
    });

    app.get('/:kind/*', async (request, reply) => {
      const { kind, '*': file } = checkedQuery(ALERTS, {
        ...(request.query as object),
        ...(request.params as object),
      });
      const [, name] = /^(.{1,500})\.atom$/.exec(file) ?? [];
      if (name === undefined || (kind !== 'rules' && kind !== 'sites'))
        throw new RequestProblem(404, `no feed is at ${request.url}`, WHERE);
      const { catalog } = await archive();
      const alerts =
        kind === 'rules' ? await alertsOfRule(name, catalog, work) : await alertsOfSite(name, catalog);
      return sendFeed(
        request,
        reply,
        atomFeed(alerts, { ...places(request), of: `${kind.slice(0, -1)} ${name}` }),
      );
    });
  };
}

/** A rule that has told nothing yet has an empty feed; one that nobody knows has none. */
async function alertsOfRule(
  rule: string,
  catalog: FeedCatalog,
  work: FeedOptions['work'],
): Promise<readonly Alert[]> {
  const alerts = await catalog.alerts({ rule, limit: ENTRIES });
  if (alerts.length > 0) return alerts;
  const configured = ((await fromWatchFile(work?.rules())) ?? []).map(({ name }) => name);
  if (configured.includes(rule)) return alerts;
  const told = (await catalog.alerts({ limit: LOOKED_THROUGH })).map(({ rule: name }) => name);
  const names = [...new Set([...configured, ...told])].sort();
  throw new RequestProblem(
    404,
    `there is no rule '${rule}', and none of that name has told anything`,
    names.length === 0 ? 'there are no rules here: docs/alerts.md' : `there are: ${names.join(', ')}`,
  );
}

async function alertsOfSite(site: string, catalog: FeedCatalog): Promise<readonly Alert[]> {
  const { siteOf } = catalog.siteBounds();
  const alerts = (await catalog.alerts({ limit: LOOKED_THROUGH })).filter(
    ({ url: of }) => siteOf(of) === site,
  );
  if (alerts.length > 0) return alerts.slice(0, ENTRIES);
  if ((await catalog.sites()).some(({ site: known }) => known === site)) return [];
  throw new RequestProblem(
    404,
    `nothing of site ${site} is archived`,
    'ask /api/sites for those that there are',
  );
}
