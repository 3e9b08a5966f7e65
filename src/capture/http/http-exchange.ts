import { EMPTY_BODY } from '../../model/body.ts';
import type { Exchange, Truncation } from '../../model/exchange.ts';
import { CaptureFault } from '../../model/fault.ts';
import type { Millis } from '../../model/time.ts';
import type { FetchRequest } from '../../ports/fetcher.ts';
import { isFullDisk, StorageFull } from '../../ports/record-store.ts';
import { BodySpool } from './body-spool.ts';
import type { ConnectionPool, ConnectionUser, HttpConnection } from './connection-pool.ts';
import { type RequestHead, requestHead } from './request-head.ts';
import { HEAD_LIMIT, ResponseReader } from './response-reader.ts';

/** Once the framing broke, the body ends when the server has been silent for this long, in milliseconds. */
const BROKEN_SILENCE = 1000;
/** setTimeout's largest delay; beyond it Node fires at once. */
const MAX_DELAY = 2 ** 31 - 1;

/** What the exchanges of one fetcher share. */
export interface ExchangeContext {
  readonly pool: ConnectionPool;
  readonly spoolDir: string;
  now(): Millis;
  connect(url: URL, signal: AbortSignal): Promise<HttpConnection>;
}

/**
 * One request and its answer, from connection to last byte.
 *
 *   connecting ──► waiting ──► receiving ──► settled
 *       ▲             │ head        │ end, limit, disconnect
 *       └─────────────┘ a reused connection was closed before any byte came: once
 *
 * A fault, the deadline or the signal settles it from any state; before the head it throws, after it the
 * exchange is resolved and marked truncated (the signal always throws).
 */
export class HttpExchange implements ConnectionUser {
  private state: 'connecting' | 'waiting' | 'receiving' | 'settled' = 'connecting';
  private readonly context: ExchangeContext;
  private readonly url: URL;
  private readonly request: FetchRequest;
  private readonly resolve: (exchange: Exchange) => void;
  private readonly reject: (reason: unknown) => void;
  private readonly head: RequestHead;
  private readonly startedAt: Millis;
  private readonly deadline: NodeJS.Timeout;
  private silence: NodeJS.Timeout | undefined;
  private connection: HttpConnection | undefined;
  private connecting: AbortController | undefined;
  private reader: ResponseReader;
  private readonly spool: BodySpool;
  private mayRetry = true;
  private isOverLimit = false;

  constructor(
    context: ExchangeContext,
    url: URL,
    request: FetchRequest,
    resolve: (exchange: Exchange) => void,
    reject: (reason: unknown) => void,
  ) {
    this.context = context;
    this.url = url;
    this.request = request;
    this.resolve = resolve;
    this.reject = reject;
    this.head = requestHead(url, request);
    this.startedAt = context.now();
    this.spool = new BodySpool(context.spoolDir, {
      onDrain: () => this.connection?.socket.resume(),
      onError: (error) => this.fail(this.spoolFault(error)),
    });
    this.reader = new ResponseReader((part) => this.onBody(part));
    this.deadline = setTimeout(() => this.onDeadline(), Math.min(request.timeLimit, MAX_DELAY));
    request.signal?.addEventListener('abort', this.onAbort, { once: true });
  }

  start(): void {
    const idle = this.context.pool.take(this.url.origin);
    if (idle) this.send(idle);
    else this.connect();
  }

  onData(piece: Buffer): void {
    const { reader } = this;
    reader.feed(piece);
    if (this.isSettled()) return;
    switch (reader.state) {
      case 'garbage':
        this.fail(this.malformed('not an HTTP response'));
        break;
      case 'head-too-large':
        this.fail(this.malformed(`the header block is larger than ${HEAD_LIMIT} bytes`));
        break;
      case 'head':
        break;
      case 'body':
        this.state = 'receiving';
        if (this.isOverLimit) this.finish('length');
        else if (reader.head?.body.broken) this.awaitSilence();
        break;
      case 'done':
        this.state = 'receiving';
        this.finish(this.isOverLimit ? 'length' : undefined);
    }
  }

  onClose(error: Error | undefined): void {
    if (this.isSettled()) return;
    const { reader, connection } = this;
    if (this.state === 'receiving') {
      const framing = reader.head?.body;
      if (framing?.broken) this.finish('unspecified');
      else this.finish(framing?.endsAtClose && error === undefined ? undefined : 'disconnect');
    } else if (!reader.started && connection?.reused && this.mayRetry) {
      this.mayRetry = false;
      this.connect();
    } else {
      const how = error === undefined ? 'closed' : `broken (${(error as NodeJS.ErrnoException).code})`;
      const when = reader.started ? `after ${reader.received().length} bytes of a head` : 'without an answer';
      const detail = `the connection was ${how} by the server ${when}`;
      this.fail(new CaptureFault('connection-failed', this.request.url, detail, { cause: error }));
    }
  }

  private connect(): void {
    this.state = 'connecting';
    this.connection = undefined;
    this.connecting = new AbortController();
    this.context.connect(this.url, this.connecting.signal).then(
      (connection) => {
        if (this.isSettled()) this.context.pool.give(connection);
        else this.send(connection);
      },
      (error) => this.fail(error),
    );
  }

  private send(connection: HttpConnection): void {
    this.state = 'waiting';
    this.connection = connection;
    connection.user = this;
    connection.socket.write(this.head.bytes);
  }

  private onBody(part: Uint8Array): void {
    const room = this.request.sizeLimit - this.spool.size;
    if (part.byteLength > room) this.isOverLimit = true;
    const kept = part.byteLength > room ? part.subarray(0, Math.max(0, room)) : part;
    if (kept.byteLength > 0 && !this.spool.write(kept)) this.connection?.socket.pause();
  }

  private awaitSilence(): void {
    if (this.silence) this.silence.refresh();
    else this.silence = setTimeout(() => this.finish('unspecified'), BROKEN_SILENCE);
  }

  private onDeadline(): void {
    if (this.state === 'receiving') {
      this.finish('time');
      return;
    }
    const what = this.state === 'connecting' ? 'no connection' : 'no answer';
    const detail = `${what} within ${this.request.timeLimit} ms`;
    this.fail(new CaptureFault('timeout', this.request.url, detail));
  }

  private readonly onAbort = (): void => this.fail(this.request.signal?.reason);

  private isSettled(): boolean {
    return this.state === 'settled';
  }

  /** Ends the exchange for the outside; true for the one caller that may conclude it. */
  private settle(): boolean {
    if (this.state === 'settled') return false;
    this.state = 'settled';
    clearTimeout(this.deadline);
    clearTimeout(this.silence);
    this.request.signal?.removeEventListener('abort', this.onAbort);
    return true;
  }

  private fail(reason: unknown): void {
    if (!this.settle()) return;
    this.connecting?.abort(reason);
    this.connection?.destroy();
    this.spool.discard().then(
      () => this.reject(reason),
      () => this.reject(reason),
    );
  }

  private finish(truncated: Truncation | undefined): void {
    const { connection, reader } = this;
    const { head } = reader;
    if (!connection || !head || !this.settle()) return;
    const finishedAt = this.context.now();
    const isReusable = truncated === undefined && head.keepAlive && !reader.excess && reader.state === 'done';
    if (isReusable) {
      // A spool that paused the connection sends no more events once it is finishing.
      if (connection.socket.isPaused()) connection.socket.resume();
      this.context.pool.give(connection);
    } else connection.destroy();
    this.spool.finish().then(
      (body) =>
        this.resolve({
          url: withoutFragment(this.url),
          startedAt: this.startedAt,
          finishedAt,
          request: { method: 'GET', headers: this.head.headers, head: this.head.bytes, body: EMPTY_BODY },
          response: {
            status: head.status,
            headers: head.headers,
            head: head.bytes,
            body,
            framing: head.body.framing,
          },
          road: 'http',
          protocols: connection.tls ? [head.protocol, connection.tls] : [head.protocol],
          ...(connection.ip !== undefined ? { ip: connection.ip } : {}),
          ...(truncated !== undefined ? { truncated } : {}),
        }),
      (error) => {
        const reason = this.spoolFault(error);
        void this.spool.discard().finally(() => this.reject(reason));
      },
    );
  }

  private malformed(what: string): CaptureFault {
    const first = JSON.stringify(this.reader.received().subarray(0, 64).toString('latin1'));
    // JSON leaves C1 controls as they are, and terminals obey some of them.
    const safe = first.replace(/[\x7f-\xff]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
    return new CaptureFault('malformed-response', this.request.url, `${what}; it begins ${safe}`);
  }

  private spoolFault(error: NodeJS.ErrnoException): Error {
    const file = error.path ?? this.context.spoolDir;
    if (isFullDisk(error)) return new StorageFull(file, error);
    const detail = `the body could not be spooled to ${file}: ${error.message}`;
    return new CaptureFault('internal', this.request.url, detail, { cause: error });
  }
}

function withoutFragment(url: URL): string {
  return url.hash === '' && !url.href.endsWith('#') ? url.href : url.href.slice(0, url.href.indexOf('#'));
}
