import type { FastifyReply, FastifyRequest } from 'fastify';
import { cdxLines } from '../../access/cdx/cdx-lines.ts';
import { pywbAnswer, pywbQuestion } from '../../access/cdx/pywb-dialect.ts';
import { acceptDatetime } from '../../access/memento/accept-datetime.ts';
import {
  beforeInSecond,
  commonLinks,
  httpDate,
  type MementoBase,
  mementoAddress,
  mementoLinks,
} from '../../access/memento/memento-links.ts';
import { timeMap } from '../../access/memento/time-map.ts';
import { LATEST } from '../../access/replay-url.ts';
import type { Millis } from '../../model/time.ts';
import type { CaptureCatalog } from '../../ports/catalog.ts';
import { RequestProblem } from '../api-error.ts';
import type { CollectionPath } from './collection-path.ts';
import { streamedText } from './streamed-text.ts';

type Asked<Kind extends CollectionPath['kind']> = Extract<CollectionPath, { kind: Kind }>;

/** A TimeMap; undefined where nothing of the URL is archived. */
export async function answerTimeMap(
  reply: FastifyReply,
  catalog: Pick<CaptureCatalog, 'indexLines'>,
  { format, url, from }: Asked<'timemap'>,
  base: MementoBase,
): Promise<FastifyReply | undefined> {
  const map = await timeMap(catalog, base, url, from);
  if (!map) return undefined;
  if (format === 'link') return reply.type('application/link-format; charset=utf-8').send(streamedText(map));
  // As pywb: the same lines as its CDX server tells. They need no pages, for nothing is held to write them.
  const { request, ...question } = pywbQuestion(new URLSearchParams({ url, output: format }));
  const lines = cdxLines(catalog, { ...request, ...(from !== undefined && { from }) });
  reply.header('link', commonLinks(base, url).join(', '));
  return reply
    .type(format === 'json' ? 'application/x-ndjson; charset=utf-8' : 'text/x-cdxj; charset=utf-8')
    .send(streamedText(pywbAnswer(lines, question)));
}

/** The moment that a TimeGate is asked for: `Accept-Datetime`, or the newest. */
export function askedDatetime({ headers }: FastifyRequest): Millis {
  const value = headers['accept-datetime'];
  if (value === undefined) return LATEST;
  const at = acceptDatetime(Array.isArray(value) ? (value[0] ?? '') : value);
  if (at !== undefined) return at;
  throw new RequestProblem(
    400,
    `Accept-Datetime: '${value}' is no HTTP date`,
    `write e.g. ${httpDate(Date.UTC(2024, 0, 1, 12))}`,
  );
}

/** What a TimeGate negotiates by. */
export function varies(reply: FastifyReply, { headers }: FastifyRequest): void {
  reply.header('vary', headers.prefer === undefined ? 'accept-datetime' : 'accept-datetime, prefer');
}

/** 302 to the memento: RFC 7089 §4.1.2. */
export async function redirectToMemento(
  reply: FastifyReply,
  catalog: Pick<CaptureCatalog, 'indexLines'>,
  fact: { readonly url: string; readonly at: Millis },
  base: MementoBase,
): Promise<FastifyReply> {
  reply.header('link', await mementoLinks(catalog, base, fact));
  const before = await beforeInSecond(catalog, fact);
  return reply.redirect(mementoAddress(base, fact, before), 302);
}

/** How a memento is to be sent. */
export type Preference = 'raw' | 'rewritten';

/**
 * `Prefer: raw | banner-only | rewritten`, as the Memento protocol's preferences are drafted. Pages are rewritten in the
 * browser, on the origin of their site, so that is where one is sent for it; a banner alone is not made.
 */
export function preferred(request: FastifyRequest, reply: FastifyReply): Preference | undefined {
  const value = request.headers.prefer;
  const names = (Array.isArray(value) ? value.join(',') : (value ?? ''))
    .split(',')
    .map((name) => name.split(/[;=]/, 1)[0]?.trim().toLowerCase());
  const known = names.find((name) => name === 'raw' || name === 'rewritten') as Preference | undefined;
  if (known !== undefined) reply.header('preference-applied', known);
  return known;
}
