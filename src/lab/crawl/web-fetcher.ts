import { EMPTY_BODY, memoryBody } from '../../model/body.ts';
import type { Exchange, HeaderList } from '../../model/exchange.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Fetcher, FetchRequest } from '../../ports/fetcher.ts';
import type { SyntheticWeb } from './synthetic-web.ts';

export interface WebAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: string;
  /** Milliseconds until the answer arrives. */
  readonly latency: number;
}

/**
 * A synthetic web's answer to a request at a time: pages as they are then; 404 for everything else, including
 * robots.txt.
 */
export function webAnswer(
  web: SyntheticWeb,
  { url, ifNoneMatch }: { readonly url: string; readonly ifNoneMatch?: string | undefined },
  at: number,
): WebAnswer {
  const page = web.page(url);
  if (!page || page.isThere?.(at) === false)
    return { status: 404, headers: [['Content-Type', 'text/plain']], body: 'not here', latency: 0 };
  const version = page.changes.countAt(at);
  const { latency } = page;
  const etag = `"${page.index}-${version}"`;
  const validators: HeaderList = web.validators ? [['ETag', etag]] : [];
  if (web.validators && ifNoneMatch === etag) return { status: 304, headers: validators, body: '', latency };
  const headers = [['Content-Type', 'text/html; charset=utf-8'], ...validators] as const;
  return { status: 200, headers, body: page.html(version, at), latency };
}

/** A synthetic web behind the HTTP port: nothing leaves the process. */
export function webFetcher(web: SyntheticWeb, clock: Clock): Fetcher {
  return {
    async fetch(request) {
      const startedAt = clock.now();
      const ifNoneMatch = request.headers?.['if-none-match'] ?? request.headers?.['If-None-Match'];
      const answer = webAnswer(web, { url: request.url, ifNoneMatch }, startedAt);
      await clock.sleep(answer.latency, request.signal);
      request.signal?.throwIfAborted();
      return exchangeOf(request, answer, startedAt, clock.now());
    },
    close: async () => {},
  };
}

const encoder = new TextEncoder();

function exchangeOf(
  { url, userAgent, headers = {} }: FetchRequest,
  answer: WebAnswer,
  startedAt: number,
  finishedAt: number,
): Exchange {
  const { host, pathname } = new URL(url);
  const asked: HeaderList = [['Host', host], ['User-Agent', userAgent], ...Object.entries(headers)];
  const bytes = encoder.encode(answer.body);
  const told: HeaderList = [...answer.headers, ['Content-Length', String(bytes.byteLength)]];
  return {
    url,
    startedAt,
    finishedAt,
    road: 'http',
    protocols: ['http/1.1'],
    request: {
      method: 'GET',
      headers: asked,
      head: headOf(`GET ${pathname} HTTP/1.1`, asked),
      body: EMPTY_BODY,
    },
    response: {
      status: answer.status,
      headers: told,
      head: headOf(`HTTP/1.1 ${answer.status}`, told),
      body: memoryBody(bytes),
      framing: 'identity',
    },
  };
}

const headOf = (first: string, fields: HeaderList): Uint8Array =>
  encoder.encode(`${[first, ...fields.map(([name, value]) => `${name}: ${value}`)].join('\r\n')}\r\n\r\n`);
