/**
 * Records what a page loads: every request of the page, its iframes and its workers, through CDP.
 *
 * `Fetch` pauses each response so that its bytes can be taken (exact, unlike `Network.getResponseBody`, which re-encodes
 * text). `Network` reports the rest: headers as sent and received, address, protocol. The events of both come in no
 * fixed order; a Chain gathers them by network request id.
 */
import { setMaxListeners } from 'node:events';
import { type Exchange, type HeaderList, header, isRedirect } from '../../model/exchange.ts';
import { REFUSED_HEADER } from '../http/proxy-answer.ts';
import type { CdpEvent, CdpSession } from './cdp-connection.ts';
import { isLive, LiveBody } from './live-body.ts';
import type { Losses } from './lost-requests.ts';
import { kindOfNetError, kindOfRefusal } from './net-errors.ts';
import type { Hop, HopLoss } from './recorded-request.ts';
import type { Paused, RecorderOptions } from './recorder-options.ts';
import { RequestLog, withoutFragment } from './request-log.ts';
import { isEndless, takeResponse } from './response-intake.ts';
import { within } from './within.ts';

const EMPTY_PAGE = [{ name: 'content-type', value: 'text/html' }];

/** Milliseconds within which an event arrives that another process of the browser is about to report. */
const PROMPT = 1000;

export class Recorder {
  readonly #options: RecorderOptions;
  readonly log: RequestLog;
  readonly #over = new AbortController();
  readonly #intakes = new Set<Promise<void>>();
  readonly #workers = new WeakSet<CdpSession>();
  /** URLs that the guard proxy did not pass on, with the fault it named. */
  readonly refused = new Map<string, string>();

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.log = new RequestLog(options);
    // Each answer being taken adds a listener, and a page may load thousands.
    setMaxListeners(0, this.#over.signal);
  }

  /**
   * Routes the session's events here; a later recorder of the same tab replaces this one. `isWorker`: its thread may block
   * until it has the answer, as `importScripts` does.
   */
  listen(session: CdpSession, isWorker = false): void {
    if (isWorker) this.#workers.add(session);
    session.on('Fetch.requestPaused', (event) => this.#paused(session, event));
    session.on('Network.requestWillBeSent', (event) => this.#willBeSent(session, event));
    session.on('Network.requestWillBeSentExtraInfo', (event) => {
      this.log.chain(event.requestId).requestExtras.push(event);
      const hop = this.log.last(event.requestId);
      if (hop) hop.sentAt = Date.now();
    });
    session.on('Network.responseReceivedExtraInfo', (event) => {
      this.log.chain(event.requestId).responseExtras.push(event);
    });
    session.on('Network.responseReceived', (event) => {
      const hop = this.log.last(event.requestId);
      if (hop) hop.response = event.response;
    });
    session.on('Network.dataReceived', (event) => {
      this.log.last(event.requestId)?.live?.add(event.data, event.dataLength);
    });
    session.on('Network.loadingFinished', (event) => this.#ended(event.requestId, undefined));
    session.on('Network.loadingFailed', (event) => this.#ended(event.requestId, event));
    session.on('Network.webSocketCreated', ({ url }) => {
      this.#options.facts.add(`web socket not recorded: ${url}`);
    });
    session.on('Network.webTransportCreated', ({ url }) => {
      this.#options.facts.add(`web transport not recorded: ${url}`);
    });
  }

  /** For a request that we answer ourselves: it is already in somebody else's record. */
  leaveOut(networkId: string | undefined): void {
    const hop = networkId === undefined ? undefined : this.log.last(networkId);
    if (hop) this.log.end(hop, 'dropped');
  }

  /** For a request that a rule blocks: it is no loss, and the caller reports it. True: it is dealt with. */
  block(session: CdpSession, paused: Paused): true {
    const { requestId, resourceType } = paused;
    this.log.end(this.log.paused(paused), 'dropped');
    // A frame stays empty: for a failed document Chromium shows an error page of its own, which would appear in
    // pictures.
    const sending: Promise<unknown> =
      resourceType === 'Document'
        ? session.send('Fetch.fulfillRequest', {
            requestId,
            responseCode: 200,
            responseHeaders: EMPTY_PAGE,
            body: '',
          })
        : session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    sending.catch(() => {});
    return true;
  }

  /** Closes the record: nothing that comes later is in it. */
  async finish(): Promise<{ readonly exchanges: Exchange[] } & Losses> {
    this.#over.abort();
    // The signal ends streams at once; bodies requested in one message may never arrive.
    await within(250, Promise.all(this.#intakes));
    for (const url of this.log.madeByWorkers)
      this.#options.facts.add(`answered by the page's service worker alone, not recorded: ${url}`);
    return this.log.close();
  }

  #willBeSent(session: CdpSession, event: CdpEvent<'Network.requestWillBeSent'>): void {
    if (!isHttp(event.request.url) || this.#over.signal.aborted) return;
    const chain = this.log.chain(event.requestId);
    if (event.redirectResponse) {
      const previous = chain.hops.findLast((hop) => hop.redirect && !hop.response);
      if (previous) previous.response = event.redirectResponse;
    }
    const url = withoutFragment(event.request.url);
    const hop = chain.hops.find((each) => !each.announcement.value && each.url === url);
    const known = hop ?? this.log.begin(chain, url, event.request);
    known.announcement.tell(session);
    known.request = event.request;
    known.startedAt = Math.round(event.wallTime * 1000);
    known.frame = event.frameId;
    if (event.type) known.resourceType = event.type.toLowerCase();
  }

  #paused(session: CdpSession, event: Paused): void {
    if (this.#over.signal.aborted) {
      session
        .send('Fetch.failRequest', { requestId: event.requestId, errorReason: 'Aborted' })
        .catch(() => {});
      return;
    }
    const isResponse = event.responseStatusCode !== undefined || event.responseErrorReason !== undefined;
    if (!isResponse && this.#options.request(session, event)) return;
    if (event.responseStatusCode === undefined || !isHttp(event.request.url)) {
      const further = isResponse ? {} : this.#suppliedHeaders(event.request);
      session.send('Fetch.continueRequest', { requestId: event.requestId, ...further }).catch(() => {});
      return;
    }
    this.#awaitIntake(this.#answered(session, event, event.responseStatusCode));
  }

  /** All fields of the request, with those supplied for its host. A redirect asks again. */
  #suppliedHeaders({ url, method, headers }: Paused['request']): {
    headers?: { name: string; value: string }[];
  } {
    const supplied = this.#options.session?.headersFor(new URL(url), method) ?? [];
    if (supplied.length === 0) return {};
    const names = new Set(supplied.map(([name]) => name.toLowerCase()));
    const own = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()));
    return { headers: [...own, ...supplied].map(([name, value]) => ({ name, value })) };
  }

  #awaitIntake(work: Promise<void>): void {
    this.#intakes.add(work);
    void work.finally(() => this.#intakes.delete(work));
  }

  async #answered(session: CdpSession, event: Paused, status: number): Promise<void> {
    const hop = this.log.paused(event);
    const { url } = hop;
    const headers = (event.responseHeaders ?? []).map(({ name, value }) => [name, value] as const);
    const refusal = this.#options.proxy ? header(headers, REFUSED_HEADER) : undefined;
    hop.state = 'answered';
    hop.status = status;
    hop.statusText = event.responseStatusText ?? '';
    hop.headers = headers;
    if (!hop.announcement.value) hop.resourceType = event.resourceType.toLowerCase();
    if (refusal !== undefined) {
      // The answer is our guard proxy's, not the server's: it must not be kept as the server's.
      this.#blocked(hop, refusal);
      this.log.end(hop, 'failed');
      await session
        .send('Fetch.failRequest', { requestId: event.requestId, errorReason: 'BlockedByClient' })
        .catch(() => {});
      return;
    }
    if (isRedirect(status) && headers.some(([name]) => name.toLowerCase() === 'location')) {
      hop.redirect = true;
      if (saysSomething(headers))
        this.#options.facts.add(
          `what this redirect says beside its address is not handed out by the browser: ${url}`,
        );
      this.log.end(hop, 'done');
      await session.send('Fetch.continueRequest', { requestId: event.requestId }).catch(() => {});
      return;
    }
    hop.endless = isEndless(headers);
    if (isLive(event.resourceType, headers) && event.networkId) {
      const { spoolDir, sizeLimit } = this.#options;
      const announcer = await hop.announcement.wait(PROMPT, this.#over.signal);
      // A worker waiting for a script it imports answers nothing until it has it: the two would wait for each other.
      const waits =
        announcer !== undefined && event.resourceType === 'Script' && this.#workers.has(announcer);
      if (announcer && !waits)
        hop.live = await LiveBody.begin(announcer, event.networkId, spoolDir, sizeLimit);
      if (hop.live) {
        await session.send('Fetch.continueRequest', { requestId: event.requestId }).catch(() => {});
        return;
      }
    }
    try {
      const intake = await takeResponse(session, event, headers, {
        sizeLimit: this.#options.sizeLimit,
        spoolDir: this.#options.spoolDir,
        signal: this.#over.signal,
      });
      hop.body = intake.body;
      hop.truncated = intake.truncated;
      if (intake.truncated === 'disconnect')
        hop.loss = { fault: 'connection-failed', why: 'the answer broke off' };
      if (intake.withheld) this.#options.facts.add(`kept from the page, ${intake.withheld}: ${url}`);
      if (intake.pageEndTells && hop.announcement.value) await hop.pageEnd.wait(PROMPT, this.#over.signal);
    } catch {
      // The answer broke off after its head, or the tab went away.
      hop.truncated = this.#over.signal.aborted ? 'time' : 'disconnect';
      hop.loss = this.#over.signal.aborted
        ? { fault: 'timeout', why: 'not all of the answer came before the page was done' }
        : { fault: 'connection-failed', why: 'the browser lost the body of the answer' };
      session.send('Fetch.continueRequest', { requestId: event.requestId }).catch(() => {});
    }
    hop.noteBreakOff();
    if (hop.truncated === undefined && this.#options.proxy?.wasCut(url)) {
      hop.truncated = 'disconnect';
      hop.loss = { fault: 'connection-failed', why: 'the answer broke off' };
    }
    this.log.end(hop, 'done');
  }

  /** Private addresses are kept from the page by choice; everything else the guard reports is a loss. */
  #blocked(hop: Hop, refusal: string): void {
    const { url } = hop;
    this.refused.set(url, refusal);
    this.#options.facts.add(
      refusal === 'private-address' ? `blocked: ${url} (${refusal})` : `request failed: ${url} (${refusal})`,
    );
    if (refusal !== 'private-address')
      hop.loss = { fault: kindOfRefusal(refusal), why: 'the host could not be reached', byGuard: true };
  }

  /** The page's own view of the end: matters for requests that were never paused. */
  #ended(id: string, failure: CdpEvent<'Network.loadingFailed'> | undefined): void {
    const hop = this.log.last(id);
    if (hop?.state === 'answered' && hop.live) {
      this.#awaitIntake(this.#endLive(hop, hop.live, failure));
      return;
    }
    hop?.pageEnd.tell(failure ? { failure } : {});
    if (hop?.state === 'done') hop.noteBreakOff();
    if (hop?.state !== 'started') return;
    if (failure) {
      const { proxy } = this.#options;
      const refusal = failure.errorText === 'net::ERR_TUNNEL_CONNECTION_FAILED' && proxy?.faultOf(hop.url);
      if (refusal) this.#blocked(hop, refusal);
      // What the page's own rules forbid (its policy, CORS), no visitor gets.
      const rule = failure.blockedReason ?? failure.corsErrorStatus?.corsError;
      const why = rule ?? failure.errorText;
      if (!failure.canceled && !refusal) this.#options.facts.add(`request failed: ${hop.url} (${why})`);
      if (rule === undefined && !refusal) hop.loss = lossOf(failure);
      this.log.end(hop, 'failed');
      return;
    }
    // Answered from the page's memory, e.g. an image used twice on it.
    this.log.end(hop, 'dropped');
  }

  async #endLive(
    hop: Hop,
    live: LiveBody,
    failure: CdpEvent<'Network.loadingFailed'> | undefined,
  ): Promise<void> {
    const { body, truncated } = await live.finish();
    hop.body = body;
    hop.truncated = failure ? 'disconnect' : truncated;
    if (failure) hop.loss = lossOf(failure);
    else if (truncated === 'unspecified')
      hop.loss = { fault: 'connection-failed', why: 'the browser did not hand out all of the answer' };
    this.log.end(hop, 'done');
  }
}

function lossOf({ canceled, errorText }: CdpEvent<'Network.loadingFailed'>): HopLoss {
  return canceled
    ? { fault: 'connection-failed', why: 'withdrawn before all of it had come', withdrawn: true }
    : { fault: kindOfNetError(errorText), why: errorText };
}

function saysSomething(headers: HeaderList): boolean {
  const length = header(headers, 'content-length');
  return length === undefined ? header(headers, 'transfer-encoding') !== undefined : Number(length) > 0;
}

function isHttp(url: string): boolean {
  return url.startsWith('http://') || url.startsWith('https://');
}
