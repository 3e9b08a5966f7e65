/** One hop of one request, assembled piece by piece from CDP's events, and the exchange it becomes. */
import { type Body, EMPTY_BODY, memoryBody } from '../../model/body.ts';
import type { Exchange, HeaderList, Truncation } from '../../model/exchange.ts';
import type { FaultKind } from '../../model/fault.ts';
import type { Millis } from '../../model/time.ts';
import type { GuardProxy } from '../http/guard-proxy.ts';
import type { Session } from '../session/session.ts';
import type { CdpEvent, CdpSession } from './cdp-connection.ts';
import type { LiveBody } from './live-body.ts';
import { headerList, requestHead, responseHead } from './message-heads.ts';
import { Once } from './once.ts';

export type SentRequest = CdpEvent<'Network.requestWillBeSent'>['request'];
export type ReceivedResponse = CdpEvent<'Network.responseReceived'>['response'];

/**
 * started → answered → done        the body came, whole or cut
 *    └→ failed | dropped            no answer; or answered from memory, without the network
 */
export type HopState = 'started' | 'answered' | 'done' | 'failed' | 'dropped';

/** Why the page did not get an answer, or not all of it. */
export interface HopLoss {
  readonly fault: FaultKind;
  readonly why: string;
  /** Cancelled by the page itself. */
  readonly withdrawn?: boolean;
  /** Reported by our guard proxy, which made the connection. */
  readonly byGuard?: boolean;
}

/** Errors reported at the end of an answer that had begun. */
const BROKEN_OFF = /CONTENT_LENGTH_MISMATCH|INCOMPLETE_|CONNECTION_|CONTENT_DECODING|HTTP2_|EMPTY_RESPONSE/;

/** How a request ended for the page: without a failure it has everything. */
export interface PageEnd {
  readonly failure?: CdpEvent<'Network.loadingFailed'>;
}

export class Hop {
  readonly url: string;
  readonly method: string;
  state: HopState = 'started';
  /** The session whose `requestWillBeSent` announced it; a pause may come first. */
  readonly announcement = new Once<CdpSession>();
  /** Wall time; the record gets `recorded` where the crawl has a clock of its own. */
  startedAt: number;
  finishedAt = 0;
  recorded: { startedAt: Millis; finishedAt: Millis } | undefined;
  resourceType = 'other';
  request: SentRequest;
  status = 0;
  statusText = '';
  headers: HeaderList = [];
  /** Only for responses that came over the network. */
  response: ReceivedResponse | undefined;
  body: Body = EMPTY_BODY;
  truncated: Truncation | undefined;
  redirect = false;
  live: LiveBody | undefined;
  /** The page's own view of the end may arrive before its bytes reach us, or after. */
  readonly pageEnd = new Once<PageEnd>();
  loss: HopLoss | undefined;
  /** Id of the frame that asked. */
  frame: string | undefined;
  /** When it left the browser; until then it is queued for one of the few connections to its host. */
  sentAt: number | undefined;
  /** Endless by nature: the page is not kept waiting for it. */
  endless = false;

  constructor(url: string, request: SentRequest, startedAt: number) {
    this.url = url;
    this.method = request.method;
    this.request = request;
    this.startedAt = startedAt;
  }

  /** If the page was told that it broke off, its bytes still reached us as if they were complete. */
  noteBreakOff(): void {
    const failure = this.pageEnd.value?.failure;
    if (!failure || !BROKEN_OFF.test(failure.errorText)) return;
    this.truncated ??= 'disconnect';
    this.loss ??= { fault: 'connection-failed', why: failure.errorText };
  }
}

/**
 * All hops of one network request id; the extra infos come in the order of the hops, but independently of
 * them.
 */
export class Chain {
  readonly hops: Hop[] = [];
  readonly requestExtras: CdpEvent<'Network.requestWillBeSentExtraInfo'>[] = [];
  readonly responseExtras: CdpEvent<'Network.responseReceivedExtraInfo'>[] = [];
}

/** Our guard proxy, which knows what the browser behind it cannot see. */
export type BrowserProxy = Pick<GuardProxy, 'url' | 'ipOf' | 'faultOf' | 'wasCut'>;

export interface ExchangeSurroundings {
  readonly proxy?: BrowserProxy;
  /** The crawl's clock, where it is not the system's. */
  readonly now?: () => Millis;
  /** Whose requests these are; what it keeps out of the records never appears in an exchange. */
  readonly session?: Session;
}

/** Consumes the hop's extra infos: must be called in the order of the hops. */
export function exchangeOf(chain: Chain, hop: Hop, around: ExchangeSurroundings): Exchange {
  const requestExtra = chain.requestExtras.shift();
  const extraAt = chain.responseExtras.findIndex((extra) => extra.statusCode === hop.status);
  const responseExtra = extraAt >= 0 ? chain.responseExtras.splice(0, extraAt + 1).pop() : undefined;

  const request = requestHead(hop.method, hop.url, headerList(requestExtra?.headers ?? hop.request.headers));
  const bodiless = hop.method === 'HEAD' || hop.status === 204 || hop.status === 304;
  const response = responseHead({
    status: hop.status,
    statusText: hop.statusText,
    headers: responseExtra ? headerList(responseExtra.headers) : hop.headers,
    headersText: responseExtra?.headersText,
    bodySize: hop.truncated === undefined ? hop.body.size : undefined,
    bodiless,
  });
  const recorded = hop.recorded ?? hop;
  const ip = around.proxy ? around.proxy.ipOf(hop.url) : hop.response?.remoteIPAddress;
  const exchange: Exchange = {
    url: hop.url,
    startedAt: recorded.startedAt,
    finishedAt: Math.max(recorded.finishedAt, recorded.startedAt),
    request: {
      method: hop.method,
      headers: request.headers,
      head: request.bytes,
      body: postBody(hop.request),
    },
    response: {
      status: hop.status,
      headers: response.headers,
      head: response.bytes,
      body: hop.body,
      framing: 'identity',
    },
    road: 'browser',
    protocols: protocolsOf(hop, responseExtra),
    resourceType: hop.resourceType,
    ...(ip ? { ip: ip.replace(/^\[|\]$/g, '') } : {}),
    ...(hop.truncated ? { truncated: hop.truncated } : {}),
  };
  return around.session?.redactor?.exchange(exchange) ?? exchange;
}

function protocolsOf(hop: Hop, extra: CdpEvent<'Network.responseReceivedExtraInfo'> | undefined): string[] {
  // A response that we gave to the page ourselves has lost its protocol. Only HTTP/1.x has a header text, and
  // HTTP/3 is switched off.
  const told = hop.response?.protocol;
  const http = told?.match(/^(h2|h3|http\/\d\.\d)/i)?.[1]?.toLowerCase();
  const protocols = [http ?? (extra && extra.headersText === undefined ? 'h2' : 'http/1.1')];
  const tls = hop.response?.securityDetails?.protocol;
  if (tls) protocols.push(tls.toLowerCase().replace(' ', '/'));
  return protocols;
}

function postBody(request: SentRequest): Body {
  const parts = (request.postDataEntries ?? []).flatMap((entry) =>
    entry.bytes === undefined ? [] : [Buffer.from(entry.bytes, 'base64')],
  );
  if (parts.length > 0) return memoryBody(Buffer.concat(parts));
  return request.postData === undefined ? EMPTY_BODY : memoryBody(Buffer.from(request.postData, 'utf8'));
}
