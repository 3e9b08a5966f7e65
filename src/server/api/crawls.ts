import { z } from 'zod';
import { type StartedCrawl, WANTED_CRAWL } from '../../archive/serve/start-crawl.ts';
import { UserError } from '../../archive/user-error.ts';
import type { Crawl, CrawlTally } from '../../model/crawl.ts';
import { RequestProblem } from '../api-error.ts';
import type { ServedArchive } from '../served-archive.ts';
import { done } from '../write-routes.ts';
import { crawlId, site } from './parameters.ts';
import { answer, COUNTED, counted, list, NO_INPUT } from './route.ts';
import { CRAWL } from './schemas/crawls.ts';
import { required } from './work.ts';

export const CRAWL_ROUTES = [
  list({
    path: '/crawls',
    summary: 'Crawls, newest first, each with what it came to',
    input: z.object({
      state: z.enum(['running', 'stopped', 'finished']).optional(),
      site: site.optional().describe('those alone that began at this site'),
      rounds: z.literal('1').optional().describe('1: rounds of a watch as well'),
    }),
    name: 'Crawl',
    row: CRAWL,
    after: COUNTED,
    async rows({ state, site: of, rounds, limit, after }, { archive }) {
      const served = await archive();
      const { siteOf } = served.catalog.siteBounds();
      const wanted = (await served.catalog.crawls())
        .filter(
          ({ spec, state: own }) =>
            (state === undefined || own === state) &&
            // Rounds have no seeds: their tallies tell of which sites they were.
            (of === undefined ||
              spec.watch !== undefined ||
              spec.seeds.some((seed) => siteOf(seed) === of)) &&
            (rounds !== undefined || spec.watch === undefined),
        )
        .sort((a, b) => b.startedAt - a.startedAt || b.id - a.id);
      const { rows, next } = counted(wanted, limit, after);
      const tallies = await served.talliesOf(rows);
      return { rows: await Promise.all(rows.map((crawl) => crawlRow(crawl, tallies, served))), next };
    },
  }),
  answer({
    method: 'GET',
    path: '/crawls/:id',
    role: 'reader',
    summary: 'One crawl',
    input: z.object({ id: crawlId }),
    name: 'Crawl',
    answer: CRAWL,
    async run({ id }, { archive }) {
      const served = await archive();
      const crawl = (await served.catalog.crawls()).find((one) => one.id === id);
      if (!crawl)
        throw new RequestProblem(404, `there is no crawl ${id}`, 'ask /api/crawls for those that there are');
      return crawlRow(crawl, await served.talliesOf([crawl]), served);
    },
  }),
];

const STARTED = z.object({ process: z.int(), crawl: z.int().optional() });

async function begun(starting: Promise<StartedCrawl>, reply: { code(status: number): unknown }) {
  try {
    const { process, crawl } = await starting;
    reply.code(202);
    return { process, ...(crawl !== undefined && { crawl }) };
  } catch (error) {
    if (error instanceof UserError && error.kind === 'conflict')
      throw new RequestProblem(409, error.message, 'stop it, or wait until it ends');
    if (error instanceof UserError && error.kind === 'forbidden')
      throw new RequestProblem(403, error.message, 'see docs/workers.md');
    throw error;
  }
}

export const CRAWL_WRITES = [
  answer({
    method: 'POST',
    path: '/crawls',
    role: 'admin',
    summary: 'Starts a crawl, or resumes the same one, in a process of its own',
    description:
      'Private addresses, proxies, headers and behaviours come from the configuration file alone. 409 where another process writes.',
    input: NO_INPUT,
    body: WANTED_CRAWL,
    name: 'StartedCrawl',
    answer: STARTED,
    run: ({ body }, { work, reply }) => begun(required(work).startCrawl(body), reply),
  }),
  answer({
    method: 'POST',
    path: '/crawls/:id/resume',
    role: 'admin',
    summary: 'Goes on with a crawl that was stopped, under the settings that it was begun with',
    description:
      'Crawls that were given secrets or proxies are resumed by their own command: those are not stored.',
    input: z.object({ id: crawlId }),
    name: 'StartedCrawl',
    answer: STARTED,
    run: ({ id }, { work, reply }) => begun(required(work).resumeCrawl(id), reply),
  }),
  answer({
    method: 'POST',
    path: '/crawls/stop',
    role: 'admin',
    summary: 'Ends what writes to the archive, as Ctrl-C would: the same crawl can be resumed',
    input: NO_INPUT,
    name: 'Stopping',
    answer: z.object({ stopping: z.int().nullable() }),
    run: async (_, { work }) =>
      done('stop', await required(work).ask('stop', {})) as { readonly stopping: number | null },
  }),
];

async function crawlRow(
  crawl: Crawl,
  tallies: ReadonlyMap<number, CrawlTally>,
  { catalog, inferredOf }: ServedArchive,
) {
  return {
    ...crawl,
    tally: tallies.get(crawl.id) as CrawlTally,
    inferred: await inferredOf(crawl),
    notes: await catalog.notes(crawl.id),
  };
}
