import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { ApiError } from './api-types.ts';

/** An answer that is no success: the status, what happened, what to do. */
export class RequestProblem extends Error {
  override readonly name = 'RequestProblem';
  readonly status: number;
  readonly hint: string;
  constructor(status: number, error: string, hint: string) {
    super(error);
    this.status = status;
    this.hint = hint;
  }
}

/** The query checked at the edge, or a 400 that names each wrong parameter. */
export function checked<Schema extends z.ZodType>(schema: Schema, query: unknown): z.output<Schema> {
  const result = schema.safeParse(query);
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) => `${issue.path.join('.') || 'query'}: ${issue.message}`);
  throw new RequestProblem(
    400,
    `the request is not valid (${issues.join('; ')})`,
    'correct the query string',
  );
}

/** Every failure of a server leaves as `{error, hint}`. */
export function answerProblems(app: FastifyInstance): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    // A download that already began can only be cut.
    if (reply.sent) return;
    const [status, body] = describe(error);
    if (status >= 500) request.log.error({ err: error, url: request.url }, 'request failed');
    return reply.code(status).type('application/json; charset=utf-8').send(body);
  });
}

function describe(error: unknown): [number, ApiError] {
  if (error instanceof RequestProblem) return [error.status, { error: error.message, hint: error.hint }];
  const status = (error as { statusCode?: unknown }).statusCode;
  const text = error instanceof Error ? error.message : String(error);
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return [status, { error: text, hint: 'correct the request' }];
  }
  // A catalog whose server is away; the next request may find it again.
  if ((error as { kind?: unknown }).kind === 'unreachable')
    return [503, { error: text, hint: 'start the database server, then try again' }];
  return [500, { error: text, hint: 'run `daguerre verify` to check the record files, then try again' }];
}
