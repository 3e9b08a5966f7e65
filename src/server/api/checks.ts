import { z } from 'zod';
import { archivedUrl } from '../../access/capture-name.ts';
import { checksOf, storedChecks, summaryOf } from '../../access/stored-checks.ts';
import { WANTED_CHECK } from '../../archive/serve/start-check.ts';
import { UserError } from '../../archive/user-error.ts';
import { replayedUri, viewUri } from '../../model/derived-uris.ts';
import { type PageCheck, VERDICTS } from '../../model/page-check.ts';
import { isWithin, timeOfCrawl } from '../../model/time-of-crawl.ts';
import { RequestProblem } from '../api-error.ts';
import { sendPicture } from '../send-picture.ts';
import type { ServedArchive } from '../served-archive.ts';
import { at, crawlId, site, url } from './parameters.ts';
import { answer, COUNTED, counted, list, NO_INPUT, raw } from './route.ts';
import { CHECK_STATE, CHECK_SUMMARY, PAGE_CHECK } from './schemas/checks.ts';
import { required } from './work.ts';

const OF = { site: site.optional(), crawl: crawlId.optional() };

export const CHECK_ROUTES = [
  list({
    path: '/checks',
    summary: 'Whether replay shows what was seen live: verdicts of `check`, the worst first',
    description: 'Of one page (url) the newest verdict on each of its captures, the newest first.',
    input: z.object({ url: url.optional(), ...OF, verdict: z.enum(VERDICTS).optional() }),
    name: 'PageCheck',
    row: PAGE_CHECK,
    after: COUNTED,
    async rows({ url: page, verdict, limit, after, ...of }, { archive }) {
      const served = await archive();
      const checks = page === undefined ? await worstFirst(of, served) : await ofPage(page, served);
      const wanted = checks.filter((check) => verdict === undefined || check.verdict === verdict);
      return counted(wanted, limit, after);
    },
  }),
  answer({
    method: 'GET',
    path: '/checks/summary',
    role: 'reader',
    summary: 'The same in numbers',
    input: z.object(OF),
    isKept: true,
    name: 'CheckSummary',
    answer: CHECK_SUMMARY,
    async run(of, { archive }) {
      const checks = await worstFirst(of, await archive());
      return {
        ...summaryOf(checks),
        missing: checks.reduce((sum, { missingCount }) => sum + missingCount, 0),
      };
    },
  }),
  answer({
    method: 'GET',
    path: '/checks/state',
    role: 'reader',
    summary: 'What this server is checking now, and how the last check ended',
    input: NO_INPUT,
    name: 'CheckState',
    answer: CHECK_STATE,
    run: async (_, { work }) => work?.checks() ?? {},
  }),
  raw({
    method: 'GET',
    path: '/checks/picture',
    role: 'reader',
    summary: 'The first screen of a checked page: live (at: of the capture) or replayed (at: madeAt)',
    input: z.object({ url, at, side: z.enum(['live', 'replayed']) }),
    type: 'image/jpeg',
    async send({ url: page, at: when, side }, { archive, reply }) {
      const uri = side === 'live' ? viewUri(page) : replayedUri(page);
      const found = await (await archive()).resolver.resolve(uri, when);
      // A live page that looked as before keeps the picture of then; a check has its own or none.
      if (found.kind === 'found' && side === 'replayed' && found.capture.fact.at !== when) {
        await found.capture.payload.release();
        return sendPicture(reply, { kind: 'not-archived', url: page }, `${side} picture of ${page}`);
      }
      return sendPicture(reply, found, `${side} picture of ${page}`);
    },
  }),
  answer({
    method: 'POST',
    path: '/checks',
    role: 'admin',
    summary:
      'Checks a page, or what a crawl captured, in a process of its own; with `mend`, asks the web again',
    description:
      'Verdicts come one by one; /api/checks/state tells when it is done. 409 while another check runs.',
    input: NO_INPUT,
    body: WANTED_CHECK,
    name: 'StartedCheck',
    answer: CHECK_STATE.shape.running.unwrap(),
    async run({ body }, { work, reply }) {
      try {
        const started = await required(work).startCheck(body);
        reply.code(202);
        return started;
      } catch (error) {
        if (error instanceof UserError && error.kind === 'conflict')
          throw new RequestProblem(409, error.message, 'wait until it ends');
        if (error instanceof UserError && error.kind === 'forbidden')
          throw new RequestProblem(403, error.message, 'see docs/workers.md');
        throw error;
      }
    },
  }),
];

async function ofPage(page: string, served: ServedArchive): Promise<readonly PageCheck[]> {
  const stored = (await archivedUrl(page, served.catalog)) ?? page;
  return (await checksOf(stored, served)).filter(isReadable);
}

async function worstFirst(
  { site: of, crawl: id }: { readonly site?: string | undefined; readonly crawl?: number | undefined },
  served: ServedArchive,
): Promise<readonly PageCheck[]> {
  if (of !== undefined && id !== undefined)
    throw new RequestProblem(400, 'site and crawl: which of them?', 'give one of the two');
  const { prefixesOf, siteOf } = served.catalog.siteBounds();
  const crawl = id === undefined ? undefined : (await served.catalog.crawls()).find((one) => one.id === id);
  if (id !== undefined && !crawl)
    throw new RequestProblem(404, `there is no crawl ${id}`, 'ask /api/crawls for those that there are');
  const span = crawl && timeOfCrawl(crawl);
  const sites = crawl
    ? (await served.talliesOf([crawl])).get(crawl.id)?.sites.map((one) => one.site)
    : of && [of];
  const wanted = new Set(sites);
  const checks = await storedChecks(
    sites ? sites.flatMap(prefixesOf) : [''],
    (check) =>
      isReadable(check) &&
      (!sites || wanted.has(siteOf(check.url))) &&
      (span === undefined || isWithin(check.at, span)),
    served,
  );
  return [...checks].sort((a, b) => (a.score ?? 0) - (b.score ?? 0) || (a.url < b.url ? -1 : 1));
}

/** Records of other archives may hold anything in the lists. */
const isReadable = (check: PageCheck): boolean => PAGE_CHECK.safeParse(check).success;
