/** Serves the pages of this folder, and the resources that they load, on loopback. For browser tests. */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** One pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** Every byte value, four times, not valid in any text encoding. */
export const ALL_BYTES = Buffer.from(Array.from({ length: 1024 }, (_, i) => (i * 7) % 256));
export const FIVE_MB = Buffer.alloc(5 * 1024 * 1024, ALL_BYTES);
export const CSS = `h1 { color: teal } /* ${'é'.repeat(500)} */`;

type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void;

function plain(type: string, body: string | Buffer): Answer {
  return (_, response) => {
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }).end(body);
  };
}

/** Without Content-Length, in chunks. */
function chunked(
  type: string,
  parts: readonly (string | Buffer)[],
  headers: http.OutgoingHttpHeaders = {},
): Answer {
  return (_, response) => {
    response.writeHead(200, { 'Content-Type': type, ...headers });
    for (const part of parts) response.write(part);
    response.end();
  };
}

function html(body: string, headers: http.OutgoingHttpHeaders = {}): Answer {
  return chunked('text/html; charset=utf-8', [`<!doctype html>${body}`], headers);
}

const ROUTES: Readonly<Record<string, Answer>> = {
  '/style.css': chunked('text/css', [gzipSync(CSS)], { 'Content-Encoding': 'gzip' }),
  '/page.js': chunked('text/javascript', ['document.body.dataset.ran', ' = "yes";']),
  '/worker.js': plain('text/javascript', "fetch('/from-worker.txt')"),
  '/data.json': chunked('application/json', [gzipSync('{"said":"fetched"}')], { 'Content-Encoding': 'gzip' }),
  '/all-bytes': plain('application/octet-stream', ALL_BYTES),
  '/all-bytes-chunked': chunked('application/octet-stream', [
    ALL_BYTES.subarray(0, 100),
    ALL_BYTES.subarray(100),
  ]),
  '/all-bytes-script': chunked('text/javascript', [
    Buffer.from('/* '),
    Buffer.from(ALL_BYTES.filter((b) => b !== 42)),
    Buffer.from(' */'),
  ]),
  '/all-bytes-gzip': chunked('text/plain; charset=iso-8859-1', [gzipSync(ALL_BYTES)], {
    'Content-Encoding': 'gzip',
  }),
  '/5mb': plain('application/octet-stream', FIVE_MB),
  '/bytes.html': html(`<title>?</title><script src="/all-bytes-script"></script><script>
    Promise.all(['/all-bytes', '/all-bytes-chunked', '/all-bytes-gzip', '/5mb']
      .map((url) => fetch(url).then((r) => r.arrayBuffer())))
      .then((all) => { document.title = all.map((one) => one.byteLength).join(' '); });
  </script>`),
  '/redirect-1': (_, response) => {
    response.writeHead(301, { Location: '/redirect-2', 'Set-Cookie': 'hop=1' }).end('moved');
  },
  '/redirect-2': (_, response) => {
    response.writeHead(302, { Location: '/simple.html' }).end();
  },
  '/events': (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write('data: heard\n\n');
  },
  '/drip': (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/plain' });
    response.write('drop');
  },
  '/never': () => {},
  '/no-content': (_, response) => {
    response.writeHead(204).end();
  },
  '/stuck.html': html(`<img src="/1.png"><p>text<script>
    const waitForImage = document.images[0];
    waitForImage.onload = () => { const x = new XMLHttpRequest(); x.open('GET', '/never', false); x.send(); };
  </script>`),
  '/script-redirect.html': html('<script>location.replace("/simple.html")</script>'),
  '/meta-refresh.html': html('<meta http-equiv="refresh" content="0; url=/simple.html">going'),
  '/restless.html': (request, response) => {
    html(`<title>restless</title><script>location = '/restless.html?' + Math.random()</script>`)(
      request,
      response,
    );
  },
  '/about-me.html': html(`<title>me</title><body><script>
    const had = document.cookie + '|' + localStorage.length + '|' + sessionStorage.length;
    document.cookie = 'mine=1'; localStorage.mine = 1; sessionStorage.mine = 1;
    document.body.append([navigator.userAgent, navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone,
      innerWidth + 'x' + innerHeight, 'had:' + had].join(' '));
  </script>`),
  '/leaves.html': html(
    `<title>leaves</title><p>stay<script>addEventListener('beforeunload', (e) => { e.preventDefault(); e.returnValue = 'x'; })</script>`,
  ),
};

export interface PageServer {
  readonly base: string;
  /** `GET /path cookie` of each request so far. */
  readonly asked: { method: string; path: string; cookie: string; userAgent: string; body: string }[];
  close(): void;
}

export async function servePages(): Promise<PageServer> {
  const asked: PageServer['asked'] = [];
  const server = http.createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    const seen = {
      method: request.method ?? '',
      path: request.url ?? '',
      cookie: request.headers.cookie ?? '',
      userAgent: request.headers['user-agent'] ?? '',
      body: '',
    };
    asked.push(seen);
    request.setEncoding('utf8').on('data', (part: string) => {
      seen.body += part;
    });
    const answer = ROUTES[path];
    if (answer) answer(request, response);
    else if (path.endsWith('.html')) {
      const page = readFileSync(new URL(`.${path}`, import.meta.url));
      chunked('text/html', [gzipSync(page)], {
        'Content-Encoding': 'gzip',
        'Set-Cookie': ['a=1', 'b=2; HttpOnly'],
      })(request, response);
    } else if (path.endsWith('.png')) plain('image/png', PNG)(request, response);
    else plain('text/plain', `answer to ${path}`)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
