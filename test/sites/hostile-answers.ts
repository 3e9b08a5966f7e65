import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

export interface HostileRequest {
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Requests answered before on the same connection. */
  readonly served: number;
}

/** `rest` is what follows the name in the path. */
type Answer = (socket: Socket, request: HostileRequest, rest: string) => void;

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** A whole, proper answer. */
export function plain(
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
  status = '200 OK',
): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const fields = Object.entries({ ...headers, 'Content-Length': String(bytes.length) });
  const head = `HTTP/1.1 ${status}\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return Buffer.concat([latin1(head), bytes]);
}

const HTML = { 'Content-Type': 'text/html; charset=utf-8' };
const OK_HTML = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';
const PAGE = '<!doctype html><title>A page</title><p>Hello';

const redirect = (location: string): Buffer => plain('', { Location: location }, '302 Found');

/** Writes until the other side closes the connection: `next` gives the piece, or undefined at the end. */
function stream(socket: Socket, next: () => Buffer | undefined): void {
  const go = (): void => {
    while (!socket.destroyed) {
      const piece = next();
      if (piece === undefined) return;
      if (!socket.write(piece)) {
        socket.once('drain', go);
        return;
      }
    }
  };
  go();
}

/** One piece every `pause` milliseconds for as long as the connection lives. */
function drip(socket: Socket, pieces: Iterator<Buffer>, pause: number): void {
  const timer = setInterval(() => {
    const piece = pieces.next();
    if (piece.done || socket.destroyed) clearInterval(timer);
    else socket.write(piece.value);
  }, pause);
  socket.once('close', () => clearInterval(timer));
}

function* repeat(text: string): Generator<Buffer> {
  for (;;) yield latin1(text);
}

const FILLER = Buffer.alloc(64 * 1024, '0123456789abcde\n');

/** 64 MB of zeros are 64 KB of gzip. */
let bomb: Buffer | undefined;

const LAST_MODIFIED = 'Sun, 01 Feb 2026 10:00:00 GMT';
const ETAG = '"v1"';
/** Length of the chain at /redirect/0. */
export const REDIRECTS = 10_000;

/** One fault per path name. */
export const ANSWERS: Readonly<Record<string, Answer>> = {
  // Well-behaved, to compare with.
  ok: (socket) => socket.write(plain(PAGE, HTML)),
  chunked: (socket) =>
    socket.write(
      `${OK_HTML}Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nHello\r\n6\r\n world\r\n0\r\nX-T: t\r\n\r\n`,
    ),
  'close-delimited': (socket) => socket.end(`${OK_HTML}\r\n${PAGE}`),
  http10: (socket) => socket.end(`HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n${PAGE}`),
  gzip: (socket) => socket.write(plain(gzipSync(PAGE), { ...HTML, 'Content-Encoding': 'gzip' })),
  interim: (socket) => {
    socket.write(
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n',
    );
    setImmediate(() => socket.write(plain(PAGE, HTML)));
  },
  conditional: (socket, { headers }) => {
    const validators = { ETag: ETAG, 'Last-Modified': LAST_MODIFIED };
    const isSame =
      headers.get('if-none-match') === ETAG || headers.get('if-modified-since') === LAST_MODIFIED;
    if (isSame) {
      // A length that speaks of the body a 200 would have had: none follows.
      const fields = `ETag: ${ETAG}\r\nLast-Modified: ${LAST_MODIFIED}\r\nContent-Length: ${PAGE.length}\r\n`;
      socket.write(`HTTP/1.1 304 Not Modified\r\n${fields}\r\n`);
    } else socket.write(plain(PAGE, { ...HTML, ...validators }));
  },

  // Framing.
  'broken-chunk': (socket) =>
    socket.write(`${OK_HTML}Transfer-Encoding: chunked\r\n\r\n5\r\nHello\r\nzz\r\nworld`),
  'not-chunked': (socket) => socket.end(`${OK_HTML}Transfer-Encoding: chunked\r\n\r\n${PAGE}`),
  'cut-chunk': (socket) => socket.end(`${OK_HTML}Transfer-Encoding: chunked\r\n\r\n40\r\nHello`),
  'long-length': (socket) => socket.end(`${OK_HTML}Content-Length: 1000\r\n\r\n${PAGE}`),
  'short-length': (socket) => socket.write(`${OK_HTML}Content-Length: 5\r\n\r\nHello, and more`),
  'two-lengths': (socket) => socket.end(`${OK_HTML}Content-Length: 5\r\nContent-Length: 9\r\n\r\n${PAGE}`),
  'same-length-twice': (socket) =>
    socket.write(`${OK_HTML}Content-Length: 5\r\ncontent-length: 5\r\n\r\nHello`),
  'length-and-chunks': (socket) =>
    socket.write(`${OK_HTML}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nHello\r\n0\r\n\r\n`),
  /** A trailer field of 200 KB in one line. */
  'huge-trailer': (socket) =>
    socket.write(
      `${OK_HTML}Transfer-Encoding: chunked\r\n\r\n5\r\nHello\r\n0\r\nX: ${'t'.repeat(200_000)}\r\n\r\n`,
    ),
  'bare-lf': (socket) => socket.write(`HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: 5\n\nHello`),

  // Headers.
  'header-injection': (socket) => {
    const fields = 'X-Nul: a\0b\r\nX-Cr: a\rSet-Cookie: evil=1\r\nno colon here\r\nX Space: 1\r\n';
    socket.write(latin1(`${OK_HTML}${fields}Content-Length: 10\r\n\r\nHello`));
    setTimeout(() => socket.write(latin1('world')), 20);
  },
  'location-injection': (socket) =>
    socket.write(latin1('HTTP/1.1 302 Found\r\nLocation: /ok\0\rX-Evil: 1\xff\r\nContent-Length: 0\r\n\r\n')),
  /** /huge-headers/KB, 1024 without a number. */
  'huge-headers': (socket, _request, rest) => {
    const lines = Math.ceil(((Number(rest) || 1024) * 1024) / 1024);
    socket.write(`${OK_HTML}Content-Length: 5\r\n`);
    let line = 0;
    stream(socket, () => {
      if (line > lines) return undefined;
      if (line++ < lines) return latin1(`X-${String(line).padStart(6, '0')}: ${'h'.repeat(1012)}\r\n`);
      return latin1('\r\nHello');
    });
  },
  'invalid-utf8': (socket) =>
    socket.write(plain(Buffer.from('<p>caf\xe9 \xff\xfe \xc3</p>', 'latin1'), HTML)),
  garbage: (socket) => socket.end(latin1('\x00\x01\x1b[31mSSH-2.0-nonsense\x9b\r\n')),
  http09: (socket) => socket.end(PAGE),

  // Sizes.
  endless: (socket) => {
    socket.write(`${OK_HTML}\r\n`);
    stream(socket, () => FILLER);
  },
  'endless-chunks': (socket) => {
    socket.write(`${OK_HTML}Transfer-Encoding: chunked\r\n\r\n`);
    const chunk = Buffer.concat([latin1('10000\r\n'), FILLER, latin1('\r\n')]);
    stream(socket, () => chunk);
  },
  'endless-interim': (socket) => {
    const interim = latin1('HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n'.repeat(100));
    stream(socket, () => interim);
  },
  'endless-head': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    stream(socket, () => FILLER);
  },
  'gzip-bomb': (socket) => {
    bomb ??= gzipSync(Buffer.alloc(64 * 1024 * 1024));
    socket.write(plain(bomb, { ...HTML, 'Content-Encoding': 'gzip' }));
  },
  'cut-gzip': (socket) => {
    const whole = gzipSync(PAGE.repeat(2000) + Array.from({ length: 3000 }, (_, i) => i * 7919).join());
    socket.write(plain(whole.subarray(0, whole.length / 2), { ...HTML, 'Content-Encoding': 'gzip' }));
  },
  /** /large/MB, 300 without a number. Made on the fly. */
  large: (socket, _request, rest) => {
    let left = (Number(rest) || 300) * 16;
    socket.write(`${OK_HTML}Content-Length: ${left * FILLER.length}\r\n\r\n`);
    stream(socket, () => (left-- > 0 ? FILLER : undefined));
  },

  // Time.
  hang: () => {},
  'hang-after-head': (socket) => socket.write(`${OK_HTML}Content-Length: 100\r\n\r\nHello`),
  drip: (socket) => {
    socket.write(`${OK_HTML}\r\n`);
    drip(socket, repeat('.'), 10);
  },
  'drip-head': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
    drip(socket, repeat('.'), 10);
  },

  // Connections.
  reset: (socket) => socket.resetAndDestroy(),
  'reset-body': (socket) => {
    socket.write(`${OK_HTML}Content-Length: 100\r\n\r\nHello`, () =>
      setTimeout(() => socket.resetAndDestroy(), 30),
    );
  },
  'close-silently': (socket) => socket.end(),
  /** Answers the first request of a connection, resets it at the second. */
  stale: (socket, { served }) => {
    if (served === 0) socket.write(plain(PAGE, HTML));
    else socket.resetAndDestroy();
  },

  // Redirects and refusals.
  /** /redirect/N → /redirect/N+1 … → /ok after 10,000. */
  redirect: (socket, _request, rest) => {
    const next = (Number(rest) || 0) + 1;
    socket.write(redirect(next >= REDIRECTS ? '/ok' : `/redirect/${next}`));
  },
  /** /loop/a → /loop/b → /loop/a; /loop/self → itself. */
  loop: (socket, _request, rest) =>
    socket.write(redirect(rest === 'self' ? '/loop/self' : rest === 'a' ? '/loop/b' : '/loop/a')),
  'too-many': (socket) => socket.write(plain('slow down', { 'Retry-After': '2' }, '429 Too Many Requests')),
  busy: (socket) => {
    const until = new Date(Date.now() + 3000).toUTCString();
    socket.write(plain('later', { 'Retry-After': until }, '503 Service Unavailable'));
  },
};
