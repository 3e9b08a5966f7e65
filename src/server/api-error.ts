import { STATUS_CODES } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { CdxProblem } from '../access/cdx/cdx-problem.ts';
import { allowedMethods } from './allowed-methods.ts';
import type { Problem } from './api/schemas/problem.ts';
import { knownFailure, VERIFY } from './known-failure.ts';

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

/**
 * The query string, or a 400 that names each wrong parameter. One that nothing knows is refused too: whoever misspells `since` would
 * otherwise be answered as if they had not asked for it.
 *
 * @param more names that are checked elsewhere
 */
export function checkedQuery<Schema extends z.ZodObject>(
  schema: Schema,
  given: unknown,
  more: readonly string[] = [],
): z.output<Schema> {
  const known = [...Object.keys(schema.shape), ...more];
  const unknown = Object.keys((given ?? {}) as object).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new RequestProblem(
      400,
      `the request is not valid (there is no parameter '${unknown.join("', '")}')`,
      known.length === 0 ? 'this takes no parameters' : `this takes ${known.join(', ')}`,
    );
  return checked(schema, given);
}

/** What was given, checked at the edge, or a 400 that names each wrong part. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  part: 'query string' | 'body' = 'query string',
): z.output<Schema> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const { issues } = result.error;
  const names = [...new Set(issues.map(({ path }) => path.join('.')))].filter((name) => name !== '');
  const isMissing = issues.every(({ message }) => MISSING.test(message));
  const what = names.length === 0 ? `the ${part}` : names.join(', ');
  throw new RequestProblem(
    400,
    `the request is not valid (${issues.map((issue) => sentenceOf(issue, part)).join('; ')})`,
    isMissing ? `give ${what}` : `correct ${what}`,
  );
}

/** How zod says that something required was not given. */
const MISSING = /received undefined$/;

function sentenceOf({ path, message }: z.core.$ZodIssue, part: string): string {
  const name = path.join('.') || part;
  if (MISSING.test(message)) return `${name}: it is missing`;
  // Some messages name it themselves.
  return message.startsWith(`${name}: `) ? message : `${name}: ${message}`;
}

/** An address that cannot be read at all is refused before any route or hook is asked. */
export const REFUSED_ADDRESSES = {
  frameworkErrors(error: Error, _request: FastifyRequest, reply: FastifyReply): void {
    sendProblem(reply, problem(400, error.message, 'correct the address'));
  },
};

const sendProblem = (reply: FastifyReply, told: Problem): FastifyReply =>
  reply.code(told.status).type('application/problem+json; charset=utf-8').send(told);

/** Every failure of a server leaves as problem details (RFC 9457). */
export function answerProblems(app: FastifyInstance, start = '/'): void {
  const allowed = allowedMethods(app);
  app.setNotFoundHandler((request, reply) => {
    // As it was asked: replay rewrites addresses to names of its own.
    const { originalUrl: asked } = request;
    const methods = allowed(request.url);
    // Where the method is right, what it asks for is not there.
    if (methods.length > 0 && !methods.includes(request.method)) {
      reply.header('allow', methods.join(', '));
      throw new RequestProblem(405, `${request.method} is not for ${asked}`, `use ${methods.join(', ')}`);
    }
    throw new RequestProblem(404, `nothing is at ${asked}`, `start at ${start}`);
  });
  app.setErrorHandler((error: unknown, request, reply) => {
    // A download that already began can only be cut.
    if (reply.sent) return;
    const told = problemOf(error);
    if (told.status === 401) reply.header('www-authenticate', 'Bearer realm="daguerre"');
    if (told.status >= 500) request.log.error({ err: error, url: request.url }, 'request failed');
    return sendProblem(reply, told);
  });
}

function problemOf(error: unknown): Problem {
  if (error instanceof RequestProblem) return problem(error.status, error.message, error.hint);
  if (error instanceof CdxProblem) return problem(400, error.message, error.hint);
  const status = (error as { statusCode?: unknown }).statusCode;
  const detail = error instanceof Error ? error.message : String(error);
  if (typeof status === 'number' && status >= 400 && status < 500)
    return problem(status, detail, 'change what it names, then ask again');
  const known = knownFailure(error);
  return known ? problem(known.status, known.detail, known.hint) : problem(500, detail, VERIFY);
}

function problem(status: number, detail: string, hint: string): Problem {
  // Without a type of its own a problem is named by its status: RFC 9457, 4.2.1.
  return { type: 'about:blank', title: STATUS_CODES[status] ?? 'Problem', status, detail, hint };
}
