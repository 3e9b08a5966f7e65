import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RequestProblem } from './api-error.ts';

/** Has the process that writes to the archive do something. */
export type Ask = (
  name: string,
  input: unknown,
) => Promise<
  | { readonly kind: 'done'; readonly result: unknown }
  /** There is no such request, or not for the web page. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'invalid'; readonly why: string }
  /** Nobody writes. */
  | { readonly kind: 'nobody' }
>;

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/**
 * Writes of the web page. From this machine alone, and never by another page: browsers send JSON to another origin only after
 * asking, and are told no.
 */
export function writeRoutes(ask: Ask) {
  return async (api: FastifyInstance): Promise<void> => {
    api.post<{ Params: { name: string } }>('/ask/:name', async (request) => {
      requireOwn(request);
      const { name } = request.params;
      const answer = await ask(name, request.body);
      if (answer.kind === 'done') return answer.result;
      if (answer.kind === 'invalid')
        throw new RequestProblem(400, `the request is not valid (${answer.why})`, 'correct the body');
      if (answer.kind === 'unknown')
        throw new RequestProblem(404, `nothing is called '${name}' here`, 'see docs/json.md');
      throw new RequestProblem(409, 'nothing writes to the archive now', 'there is nothing to ask');
    });
  };
}

function requireOwn({ socket, headers }: FastifyRequest): void {
  if (!LOOPBACK.test(socket.remoteAddress ?? ''))
    throw new RequestProblem(
      403,
      'the archive is written from its own machine alone',
      'use the command line there',
    );
  if (headers.origin !== undefined && headers.origin !== `http://${headers.host}`)
    throw new RequestProblem(403, 'another origin may not use this API', 'open the web page itself');
  if (!/^application\/json\b/.test(headers['content-type'] ?? ''))
    throw new RequestProblem(415, 'the body is not JSON', 'send content-type: application/json');
}
