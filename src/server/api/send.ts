import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { checked, checkedQuery } from '../api-error.ts';
import type { RequestContext } from './context.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { chosenFields, fieldNames, picked } from './fields.ts';
import { csv, type Format, formatFor, ndjson } from './formats.ts';
import type { ReadyAnswer } from './kept-answers.ts';
import { PART } from './parameters.ts';
import type { AnswerRoute, ListRoute, RawRoute } from './route.ts';

type Row = Readonly<Record<string, unknown>>;

/** Path and query string of a request. */
const inputOf = ({ query, params }: FastifyRequest): object => ({
  ...(query as object),
  ...(params as object),
});

export async function sendAnswer(route: AnswerRoute, context: RequestContext): Promise<unknown> {
  const { request, reply, kept } = context;
  const input = checkedQuery(route.input, inputOf(request));
  const body = route.body && checked(route.body, request.body ?? undefined, 'body');
  // What its schema does not name does not leave.
  const run = async (): Promise<string> =>
    JSON.stringify(route.answer.parse(await route.run({ ...input, body } as never, context)));
  if (route.method === 'GET') {
    const compute = async (): Promise<ReadyAnswer> => ({ type: 'application/json', body: await run() });
    if (!route.isKept) return send(context, await compute());
    return send(context, await keptOr(context, [route.path, input], compute));
  }
  try {
    return reply.type('application/json; charset=utf-8').send(await run());
  } finally {
    kept.forget();
  }
}

export async function sendList(route: ListRoute, context: RequestContext): Promise<unknown> {
  const { request, reply } = context;
  const { limit, cursor, fields: asked } = checked(PART, inputOf(request));
  const question = checkedQuery(route.input, inputOf(request), Object.keys(PART.shape));
  const fields = chosenFields(asked, route.row);
  const format = formatFor(request.headers.accept);
  // As it was asked: `since=7d` is another time in the next part, and the same question.
  const { limit: _, cursor: __, fields: ___, ...named } = inputOf(request) as Row;
  const stamped = [route.path, named];
  const after = cursor === undefined ? undefined : readCursor(cursor, stamped, route.after);
  const compute = async (): Promise<ReadyAnswer> => {
    const part = await route.rows({ ...question, limit, after } as never, context);
    const rows = part.rows.map((row) => picked(route.row.parse(row) as Row, fields));
    const next = part.next === undefined ? undefined : writeCursor(stamped, part.next);
    return {
      type: format,
      body: written(format, { rows, next, names: fields ?? fieldNames(route.row) }),
      etag: part.etag,
      // So that CSV and NDJSON, which have no place for it, can be followed too: RFC 8288.
      link: next === undefined ? undefined : `<${nextAddress(request, next)}>; rel="next"`,
    };
  };
  reply.header('vary', 'accept');
  if (route.isFresh) return send(context, await compute());
  return send(context, await keptOr(context, [route.path, question, limit, after, fields, format], compute));
}

/** The answer as it was computed before, while nothing has changed. */
async function keptOr(
  { archive, kept, now }: RequestContext,
  key: readonly unknown[],
  compute: () => Promise<ReadyAnswer>,
): Promise<ReadyAnswer> {
  return kept.get((await archive()).catalog, JSON.stringify(key), now(), compute);
}

interface WrittenList {
  readonly rows: readonly Row[];
  readonly next: string | undefined;
  readonly names: readonly string[];
}

function written(format: Format, { rows, next, names }: WrittenList): string {
  if (format === 'text/csv') return csv(rows, names);
  if (format === 'application/x-ndjson') return ndjson(rows);
  return JSON.stringify({ rows, ...(next !== undefined && { next }) });
}

export async function sendRaw(route: RawRoute, context: RequestContext): Promise<unknown> {
  return route.send(checkedQuery(route.input, inputOf(context.request)) as never, context);
}

function nextAddress({ url, headers }: FastifyRequest, cursor: string): string {
  const address = new URL(url, `http://${headers.host ?? 'localhost'}`);
  address.searchParams.set('cursor', cursor);
  return `${address.pathname}${address.search}`;
}

/** A client that holds this very answer is told so, and gets no body. */
export function send(
  { request, reply }: Pick<RequestContext, 'request' | 'reply'>,
  { type, body, link, etag }: ReadyAnswer,
): FastifyReply {
  const tag = etag ?? bodyTag(body);
  if (link !== undefined) reply.header('link', link);
  reply.header('etag', tag).header('cache-control', 'private, no-cache');
  if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send();
  return reply.type(`${type}; charset=utf-8`).send(body);
}

const bodyTag = (body: string): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

const isKnown = (header: string | undefined, tag: string): boolean =>
  header?.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag) ?? false;
