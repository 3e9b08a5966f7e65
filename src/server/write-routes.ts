import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Role } from '../archive/serve/server-settings.ts';
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
  /** Somebody was faster. */
  | { readonly kind: 'conflict'; readonly why: string }
  /** Nobody writes. */
  | { readonly kind: 'nobody' }
  /** Somebody else writes, and cannot be asked, or has not answered. */
  | { readonly kind: 'busy'; readonly why: string }
  /** This server may only read. */
  | { readonly kind: 'forbidden'; readonly why: string }
>;

/** Requests of the writer by their name: those of the table in api/ say what each takes. */
export function writeRoutes(ask: Ask, admit: (request: FastifyRequest, role: Role) => void) {
  return async (api: FastifyInstance): Promise<void> => {
    api.post<{ Params: { name: string } }>('/ask/:name', async (request) => {
      const { name } = request.params;
      admit(request, name === 'stop' ? 'admin' : 'editor');
      return done(name, await ask(name, request.body));
    });
  };
}

/** What to do about a request that is not valid. */
const HINTS: Readonly<Record<string, string>> = {
  decide:
    'name at least a part of the host: *.example.org or example.org/* is a pattern, * alone is the whole web',
  ping: 'give whole addresses of pages, such as https://example.org/a',
};

/** What came of it, or why not. */
export function done(name: string, answer: Awaited<ReturnType<Ask>>): unknown {
  switch (answer.kind) {
    case 'done':
      return answer.result;
    case 'invalid':
      throw new RequestProblem(400, answer.why, HINTS[name] ?? 'see docs/api.md');
    case 'conflict':
      throw new RequestProblem(412, answer.why, 'read it again, then decide');
    case 'unknown':
      throw new RequestProblem(404, `nothing is called '${name}' here`, 'see docs/api.md');
    case 'busy':
      throw new RequestProblem(409, answer.why, 'ask again when that has ended');
    case 'forbidden':
      throw new RequestProblem(403, answer.why, 'see docs/workers.md');
    case 'nobody':
      throw name === 'ping'
        ? new RequestProblem(409, 'nothing watches the archive now', "start 'daguerre watch': it hears pings")
        : new RequestProblem(409, 'nothing writes to the archive now', 'there is nothing to ask');
  }
}
