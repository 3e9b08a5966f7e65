import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatTimestamp } from '../access/replay-url.ts';
import type { CaptureResolution } from '../access/resolve-capture.ts';
import { RequestProblem } from './api-error.ts';
import { notArchivedPage } from './not-archived-page.ts';
import { AS_DOCUMENT, AS_FRAME } from './send-capture.ts';
import type { ServedArchive } from './served-archive.ts';

type Miss = Exclude<CaptureResolution, { kind: 'found' }>;

const GO_ON = 'archive it, or ask for another address';

/** To people and tools: 404 that says why, as a page or as `{error, hint}`. */
export async function answerMiss(
  request: FastifyRequest,
  reply: FastifyReply,
  { told }: { readonly told: Pick<ServedArchive['told'], 'why'> },
  miss: Miss & { readonly url: string },
): Promise<FastifyReply> {
  const why = miss.kind === 'not-archived' ? ((await told.why?.(miss.url)) ?? []) : [];
  if (request.headers.accept?.includes('text/html'))
    return reply
      .code(404)
      .type('text/html; charset=utf-8')
      .send(notArchivedPage(miss.url, miss.kind, why));
  throw miss.kind === 'not-archived'
    ? new RequestProblem(404, `not archived: ${miss.url}`, [...why, GO_ON].join(' '))
    : new RequestProblem(
        404,
        `the original of the revisit of ${miss.url} at ${formatTimestamp(miss.fact.at)} is missing`,
        'import the WARC file that holds it',
      );
}

/** To the service worker: documents alone are read by people, and explained to them where they are the page itself. */
export async function answerWorkerMiss(
  request: FastifyRequest,
  reply: FastifyReply,
  served: Pick<ServedArchive, 'told'>,
  miss: Miss & { readonly url: string },
): Promise<FastifyReply> {
  if (!request.headers.accept?.includes('text/html')) return reply.code(404).type('text/plain').send('');
  // To find out why reads the log of a crawl, and a page may have a dozen frames that were never captured.
  const { told } = request.headers[AS_DOCUMENT] === AS_FRAME ? { told: {} } : served;
  return answerMiss(request, reply, { told }, miss);
}
