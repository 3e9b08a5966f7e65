/** The newspaper on loopback: serves the state at clock time and remembers what it served. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Millis } from '../../model/time.ts';
import { bodyCache } from './body-cache.ts';
import { httpTime } from './days.ts';
import { answerDynamic, type DynamicAnswer, gone, missing, redirect } from './dynamic.ts';
import { uniform } from './random.ts';
import { AD_INTERVAL, type AdMode, adHtml, CAMPAIGNS, campaignAt, nonceHtml, token } from './render/ads.ts';
import type { Hole, Rendered } from './render/parts.ts';
import { bodyBytes, CONTENT_TYPES, render } from './render/render.ts';
import type { Newspaper, Resolution } from './world.ts';

export type ServerFault = {
  /** An exact path, or a prefix that ends in `*`. */
  readonly path: string;
  /** Newspaper time; always, if absent. */
  readonly from?: Millis;
  readonly to?: Millis;
} & (
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: number }
  /** The connection is cut without an answer. */
  | { readonly kind: 'reset' }
  /** Half of the body, then the connection is cut. */
  | { readonly kind: 'truncate' }
);

export interface AccessEntry {
  /** Newspaper time. */
  readonly at: Millis;
  readonly method: string;
  /** With query. */
  readonly path: string;
  /** 0 if the connection was cut. */
  readonly status: number;
  /** Set when a version of a page was served or confirmed by 304. */
  readonly version?: number;
  /** Bytes of the body as sent. */
  readonly bytes: number;
}

export interface NewspaperServerOptions {
  readonly world: Newspaper;
  readonly clock: () => Millis;
  /** The default, 0, takes a free port. */
  readonly port?: number;
  readonly ads?: AdMode;
  /** Newspaper milliseconds between ad rotations. */
  readonly adInterval?: number;
  /** A nonce in every page and a csrf field in the form: new with each request. */
  readonly tokens?: boolean;
  /** Real milliseconds before an answer. */
  readonly latency?: number | ((path: string) => number);
  readonly faults?: readonly ServerFault[];
  /** Seconds, in robots.txt. */
  readonly crawlDelay?: number;
}

export interface NewspaperServer {
  readonly origin: string;
  readonly world: Newspaper;
  /** Every request so far, in order. */
  readonly log: readonly AccessEntry[];
  addFault(fault: ServerFault): void;
  clearFaults(): void;
  close(): Promise<void>;
}

const CACHE_BYTES = 24 * 1024 * 1024;
const COMPRESS_FROM = 600;

const matches = (fault: ServerFault, path: string, time: Millis): boolean =>
  (fault.path.endsWith('*') ? path.startsWith(fault.path.slice(0, -1)) : path === fault.path) &&
  time >= (fault.from ?? -Infinity) &&
  time < (fault.to ?? Infinity);

/** Weak comparison (RFC 9110 §8.8.3.2): the W/ prefix does not count. */
function etagMatches(field: string, etag: string): boolean {
  const bare = etag.replace(/^W\//, '');
  return field.trim() === '*' || field.split(',').some((tag) => tag.trim().replace(/^W\//, '') === bare);
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > 10_000) break;
  }
  return new URLSearchParams(text);
}

export async function startNewspaper(options: NewspaperServerOptions): Promise<NewspaperServer> {
  const { world, clock, ads = 'timed', adInterval = AD_INTERVAL, tokens = false, latency = 0 } = options;
  const robots = {
    traps: world.traps,
    ...(options.crawlDelay === undefined ? {} : { crawlDelay: options.crawlDelay }),
  };
  const log: AccessEntry[] = [];
  let faults: readonly ServerFault[] = options.faults ?? [];
  let serial = 0;
  const bodies = bodyCache<Rendered>(CACHE_BYTES);

  function filler(path: string, time: Millis, origin: string): (name: Hole) => string {
    return (name) => {
      if (name === 'origin') return origin;
      if (name === 'nonce') return tokens ? nonceHtml(token(world.seed, serial)) : '';
      if (name === 'csrf') return tokens ? token(world.seed, 'csrf', serial) : '';
      const slot = name.slice(3);
      if (ads === 'off') return '';
      const campaign =
        ads === 'timed'
          ? campaignAt(world.seed, path, slot, time, adInterval)
          : Math.floor(uniform(world.seed, 'ad', path, slot, serial) * CAMPAIGNS);
      return adHtml(slot, campaign);
    };
  }

  function answerPage(
    { spec, version }: Extract<Resolution, { kind: 'page' }>,
    request: IncomingMessage,
    time: Millis,
    origin: string,
  ): DynamicAnswer {
    const rendered = bodies.get(`${spec.path} ${version.version}`, () => {
      const value = render(spec, spec.content(version.from), robots);
      const size =
        value.kind === 'bytes'
          ? value.bytes.length
          : 2 * value.parts.reduce((sum, part) => sum + part.length, 0);
      return { value, size };
    });
    // Ads and tokens change the bytes but not the page: then the validator is a weak one.
    const noisy =
      rendered.kind === 'text' &&
      rendered.parts.some(
        (part, i) =>
          i % 2 === 1 &&
          ((part.startsWith('ad:') && ads !== 'off') ||
            (tokens && part !== 'origin' && !part.startsWith('ad:'))),
      );
    const etag = `${noisy ? 'W/' : ''}"${(version.from / 1000).toString(36)}-${version.version}"`;
    const headers = {
      etag,
      'last-modified': httpTime(version.from),
      'cache-control':
        spec.class === 'style' || spec.class === 'script'
          ? 'public, max-age=86400'
          : 'public, max-age=0, must-revalidate',
    };
    const ifNoneMatch = request.headers['if-none-match'];
    const since = Date.parse(request.headers['if-modified-since'] ?? '');
    if (ifNoneMatch !== undefined ? etagMatches(ifNoneMatch, etag) : since >= version.from)
      return { status: 304, headers };
    return {
      status: 200,
      type: CONTENT_TYPES[spec.media],
      body: bodyBytes(spec, rendered, filler(spec.path, time, origin)),
      headers,
    };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const method = request.method ?? 'GET';
    const wait = typeof latency === 'number' ? latency : latency(path);
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const form = method === 'POST' ? await readForm(request) : new URLSearchParams();
    const time = clock();
    serial++;
    const origin = `http://${request.headers.host ?? '127.0.0.1'}`;
    const fault = faults.find((candidate) => matches(candidate, path, time));
    if (fault?.kind === 'reset') {
      log.push({ at: time, method, path, status: 0, bytes: 0 });
      response.destroy();
      return;
    }
    let answer: DynamicAnswer;
    let version: number | undefined;
    if (fault?.kind === 'status') {
      const retry = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
      answer = {
        status: fault.status,
        type: 'text/plain',
        body: Buffer.from(`fault ${fault.status}\n`),
        headers: retry,
      };
    } else {
      const url = new URL(path, 'http://127.0.0.1');
      const dynamic = answerDynamic(world, {
        method,
        url,
        cookie: request.headers.cookie ?? '',
        time,
        serial,
        form,
      });
      if (dynamic) answer = dynamic;
      else {
        let found = world.resolve(path, time);
        // Unknown query parameters are ignored, as most servers do.
        if (found.kind === 'none' && url.search) found = world.resolve(url.pathname, time);
        if (found.kind === 'page') {
          answer = answerPage(found, request, time, origin);
          version = found.version.version;
        } else if (found.kind === 'redirect') answer = redirect(found.status, found.to);
        else answer = found.kind === 'gone' ? gone() : missing();
      }
    }
    send(request, response, answer, {
      time,
      truncate: fault?.kind === 'truncate',
      record: (bytes, status) =>
        log.push({ at: time, method, path, status, ...(version === undefined ? {} : { version }), bytes }),
    });
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A fault in the lab itself must fail loudly in the test that meets it, not hang.
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(`newspaper: ${error instanceof Error ? error.stack : String(error)}\n`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    world,
    log,
    addFault: (fault) => {
      faults = [...faults, fault];
    },
    clearFaults: () => {
      faults = [];
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

interface Sending {
  readonly time: Millis;
  /** Whether to break off half-way. */
  readonly truncate: boolean;
  readonly record: (bytes: number, status: number) => void;
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, type, body, headers }: DynamicAnswer,
  { time, truncate, record }: Sending,
): void {
  response.sendDate = false;
  const fields: Record<string, string | number> = { date: httpTime(time), ...headers };
  let bytes = body ?? Buffer.alloc(0);
  if (type !== undefined) {
    fields['content-type'] = type;
    if (/^text|json|xml/.test(type)) {
      fields.vary = 'accept-encoding';
      if (
        bytes.length >= COMPRESS_FROM &&
        !isGzip(bytes) &&
        /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
      ) {
        bytes = gzipSync(bytes, { level: 1 });
        fields['content-encoding'] = 'gzip';
      }
    }
  }
  if (isGzip(bytes) && fields['content-encoding'] === undefined) fields['content-type'] = 'application/gzip';
  if (status !== 304) fields['content-length'] = bytes.length;
  response.writeHead(status, fields);
  if (truncate) {
    const half = bytes.subarray(0, bytes.length >> 1);
    record(half.length, status);
    response.write(half, () => response.destroy());
    return;
  }
  const sent = request.method === 'HEAD' || status === 304 ? Buffer.alloc(0) : bytes;
  record(sent.length, status);
  response.end(sent);
}

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
