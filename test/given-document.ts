import { EMPTY_BODY, memoryBody } from '../src/model/body.ts';
import type { Exchange } from '../src/model/exchange.ts';

/** For tests: a document as HTTP brought it, which the browser is given instead of asking for it. */
export function testDocument(
  url: string,
  body: Uint8Array,
  headers: Exchange['response']['headers'] = [['Content-Type', 'text/html; charset=utf-8']],
): Exchange {
  return {
    url,
    startedAt: 0,
    finishedAt: 0,
    request: { method: 'GET', headers: [], head: new Uint8Array(), body: EMPTY_BODY },
    response: { status: 200, headers, head: new Uint8Array(), body: memoryBody(body), framing: 'identity' },
    road: 'http',
    protocols: ['http/1.1'],
  };
}
