import { createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** One body the site has answered with; what an archive holds of it must be one of these. */
export interface ServedBody {
  readonly path: string;
  readonly sha256: string;
}

export interface ChangingSite {
  readonly url: string;
  /** Pages that links lead to, at every moment. */
  readonly pages: number;
  /** Requests for pages and pictures so far. */
  readonly asked: number;
  /** Digests of all bodies ever given for a path. */
  served(path: string): ReadonlySet<string>;
  /** A new edition: every third page changes. */
  publish(): void;
  /** Resolves when this many more requests have come. */
  more(count: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * A site on loopback that remembers every byte it gave out. Pages come as servers send them: with a length, in
 * chunks, gzipped, with validators that hold, behind redirects; some are slow.
 */
export async function startChangingSite(pages: number): Promise<ChangingSite> {
  let edition = 0;
  let asked = 0;
  let waiting: { until: number; resolve: () => void }[] = [];
  const given = new Map<string, Set<string>>();
  const editionOf = (page: number): number => edition - ((edition + page) % 3);

  const server = http.createServer((request, response) => {
    const path = request.url ?? '/';
    if (path === '/robots.txt') return void response.writeHead(404).end();
    asked++;
    for (const { resolve } of waiting.filter(({ until }) => until <= asked)) resolve();
    waiting = waiting.filter(({ until }) => until > asked);
    answer(path, request, response);
  });

  function answer(path: string, request: http.IncomingMessage, response: http.ServerResponse): void {
    const moved = /^\/moved(\d+)$/.exec(path);
    if (moved) return void response.writeHead(302, { Location: `/p${moved[1]}` }).end();
    const picture = /^\/picture(\d+)\.svg$/.exec(path);
    if (picture) {
      send(path, response, pictureOf(Number(picture[1])), { type: 'image/svg+xml' });
      return;
    }
    const page = path === '/' ? 0 : Number(/^\/p(\d+)$/.exec(path)?.[1] ?? Number.NaN);
    if (Number.isNaN(page) || page >= pages) return void response.writeHead(404).end('no such page');
    const version = editionOf(page);
    const etag = page % 4 === 0 ? `"${page}-${version}"` : undefined;
    if (etag !== undefined && request.headers['if-none-match'] === etag)
      return void response.writeHead(304, { ETag: etag }).end();
    const reply = (): void =>
      send(path, response, pageOf(page, version, pages), {
        type: 'text/html; charset=utf-8',
        gzip: page % 3 === 0,
        chunked: page % 3 === 1,
        ...(etag !== undefined && { etag }),
      });
    setTimeout(reply, (page * 7) % 20);
  }

  function send(
    path: string,
    response: http.ServerResponse,
    text: string,
    how: { type: string; gzip?: boolean; chunked?: boolean; etag?: string },
  ): void {
    const body = how.gzip ? gzipSync(text) : Buffer.from(text);
    const known = given.get(path) ?? new Set();
    given.set(path, known.add(createHash('sha256').update(text).digest('hex')));
    response.writeHead(200, {
      'Content-Type': how.type,
      ...(how.gzip && { 'Content-Encoding': 'gzip' }),
      ...(how.etag !== undefined && { ETag: how.etag }),
      ...(!how.chunked && { 'Content-Length': body.length }),
    });
    if (how.chunked) response.write(body.subarray(0, 50));
    response.end(how.chunked ? body.subarray(50) : body);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    pages,
    get asked() {
      return asked;
    },
    served: (path) => given.get(path) ?? new Set(),
    publish() {
      edition++;
    },
    more: (count) =>
      new Promise((resolve) => {
        waiting.push({ until: asked + count, resolve });
      }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A tree: page n leads to 3n+1, 3n+2, 3n+3, every fifth of them by way of a redirect. */
function pageOf(page: number, version: number, pages: number): string {
  const links = [1, 2, 3]
    .map((child) => 3 * page + child)
    .filter((child) => child < pages)
    .map((child) => `<li><a href="/${child % 5 === 0 ? 'moved' : 'p'}${child}">Page ${child}</a></li>`);
  const words = `Edition ${version} of page ${page}. `.repeat(10 + (page % 40));
  return `<!doctype html><title>Page ${page}</title><img src="/picture${page % 10}.svg" alt=""><ul>${links.join('')}</ul><p>${words}</p>`;
}

function pictureOf(number: number): string {
  const circle = `<circle cx="20" cy="20" r="${5 + number}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">${circle}</svg>`;
}
