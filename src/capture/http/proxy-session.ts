import type { Socket } from 'node:net';
import { header } from '../../model/exchange.ts';
import { CaptureFault } from '../../model/fault.ts';
import { type HttpHead, parseHttpHead } from '../../model/http-message.ts';
import { AnswerWatch } from './answer-watch.ts';
import { BodyFraming } from './body-framing.ts';
import { HeadBuffer } from './head-buffer.ts';
import { proxyAnswer } from './proxy-answer.ts';
import { HEAD_LIMIT } from './response-reader.ts';

type Connect = (hostname: string, port: number) => Promise<Socket>;

/**
 * One connection from the browser.
 *
 *   head ──► connecting ──► body ──► head …      (absolute-form: request by request)
 *                 └──────► tunnel                (CONNECT, or an Upgrade)
 *
 * Only the browser's own requests are parsed. Answers are piped unchanged, broken ones too, and watched for whether they arrive whole: a
 * browser sends its next request only when it has the whole answer to the last. When the server closes, the browser's side is closed, as it
 * would be without a proxy.
 */
export class ProxySession {
  private state: 'head' | 'connecting' | 'body' | 'tunnel' | 'over' = 'head';
  private readonly client: Socket;
  private readonly connect: Connect;
  private readonly buffer = new HeadBuffer();
  private body: BodyFraming | undefined;
  private upstream: Socket | undefined;
  private authority = '';
  private readonly answers: AnswerWatch;

  /** @param tell whether an answer arrived whole, for those outside a tunnel */
  constructor(client: Socket, connect: Connect, tell: (url: string, isWhole: boolean) => void) {
    this.client = client;
    this.connect = connect;
    this.answers = new AnswerWatch(tell);
  }

  start(): void {
    this.client.on('data', (piece: Buffer) => this.onData(piece));
    this.client.once('close', () => this.end());
  }

  private onData(piece: Buffer): void {
    if (this.state === 'body') this.forwardBody(piece);
    else if (this.state === 'head' || this.state === 'connecting') {
      this.buffer.add(piece);
      if (this.state === 'head') this.readHead();
    }
  }

  private readHead(): void {
    const bytes = this.buffer.next();
    if ((bytes?.length ?? this.buffer.size) > HEAD_LIMIT) {
      this.refuse(new CaptureFault('unsupported-url', '', 'the request head is too large'));
      return;
    }
    if (bytes === undefined) return;
    const head = parseHttpHead(bytes);
    const route = head && routeOf(head);
    if (!head || !route) {
      const line = JSON.stringify(bytes.toString('latin1', 0, 64));
      this.refuse(new CaptureFault('unsupported-url', '', `no request that this proxy can pass on: ${line}`));
      return;
    }
    this.state = 'connecting';
    this.client.pause();
    this.route(head, route, bytes).then(
      () => this.client.resume(),
      (error) => this.refuse(error),
    );
  }

  private async route(head: HttpHead, route: Route, bytes: Buffer): Promise<void> {
    const upstream = await this.upstreamFor(route);
    if (this.isOver()) {
      upstream.destroy();
      return;
    }
    if (head.method === 'CONNECT') {
      this.client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      this.tunnel(upstream);
      return;
    }
    upstream.write(originForm(head.method, route.path, bytes));
    if (header(head.headers, 'upgrade') !== undefined) {
      this.tunnel(upstream);
      return;
    }
    this.answers.begin(head.method, route.url);
    this.body = BodyFraming.ofRequest(head.headers);
    this.state = 'body';
    this.forwardBody(this.buffer.rest());
  }

  /** The connection of the last request if it leads to the same place, else a new one. */
  private async upstreamFor(route: Route): Promise<Socket> {
    const authority = `${route.hostname}:${route.port}`;
    const current = this.upstream;
    if (current && authority === this.authority && current.writable) return current;
    if (current) {
      this.upstream = undefined;
      current.unpipe(this.client);
      current.destroy();
    }
    const upstream = await this.connect(route.hostname, route.port);
    this.upstream = upstream;
    this.authority = authority;
    upstream.on('data', (piece: Buffer) => this.answers.take(piece));
    upstream.pipe(this.client, { end: false });
    upstream.once('end', () => this.upstreamOver(upstream));
    upstream.once('close', () => this.upstreamOver(upstream));
    upstream.on('drain', () => this.client.resume());
    return upstream;
  }

  private tunnel(upstream: Socket): void {
    this.state = 'tunnel';
    const early = this.buffer.rest();
    if (early.length > 0) upstream.write(early);
    this.client.removeAllListeners('data');
    this.client.pipe(upstream);
  }

  private forwardBody(piece: Buffer): void {
    const { body, upstream } = this;
    if (!body || !upstream) return;
    const mine = body.take(piece);
    if (mine > 0 && !upstream.write(piece.subarray(0, mine))) this.client.pause();
    if (!body.done) return;
    this.state = 'head';
    if (mine < piece.length) {
      this.buffer.add(piece.subarray(mine));
      this.readHead();
    }
  }

  private upstreamOver(upstream: Socket): void {
    if (upstream !== this.upstream) return;
    this.upstream = undefined;
    this.answers.end();
    // Everything received must still be delivered: end, not destroy.
    if (this.state !== 'connecting') this.client.end();
  }

  private refuse(error: unknown): void {
    if (this.isOver()) return;
    this.state = 'over';
    this.upstream?.destroy();
    this.client.removeAllListeners('data');
    this.client.resume();
    this.client.end(proxyAnswer(error));
  }

  private end(): void {
    this.state = 'over';
    this.upstream?.destroy();
  }

  private isOver(): boolean {
    return this.state === 'over' || this.client.destroyed;
  }
}

interface Route {
  readonly hostname: string;
  readonly port: number;
  readonly path: string;
  readonly url: string;
}

function routeOf(head: HttpHead): Route | undefined {
  if (head.kind !== 'request' || /\s|\0/.test(head.target)) return undefined;
  const isConnect = head.method === 'CONNECT';
  const text = isConnect ? `http://${head.target}` : head.target;
  if (!URL.canParse(text) || (isConnect && /[/?#@]/.test(head.target))) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'ws:') return undefined;
  const port = url.port === '' ? 80 : Number(url.port);
  return { hostname: url.hostname, port, path: originPath(head.target), url: url.href };
}

/** Path and query in the browser's own spelling. */
function originPath(target: string): string {
  const slash = target.indexOf('/', target.indexOf('://') + 3);
  return slash < 0 ? '/' : target.slice(slash);
}

/** Request line in origin form, proxy fields removed, everything else verbatim. */
function originForm(method: string, path: string, bytes: Buffer): Buffer {
  const lines = bytes.toString('latin1').split(/\r?\n/);
  lines[0] = `${method} ${path} HTTP/1.1`;
  return Buffer.from(lines.filter((line) => !/^proxy-[a-z-]+\s*:/i.test(line)).join('\r\n'), 'latin1');
}
