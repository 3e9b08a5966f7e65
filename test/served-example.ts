import http from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll } from 'vitest';
import { type RunningServer, startServer } from '../src/server/start-server.ts';
import { type SmallArchive, smallArchive } from './e2e/small-archive.ts';

/** A server on a small archive with one capture of each kind that is answered in its own way. */
export const T = Date.UTC(2024, 0, 1);
export const TEXT = '0123456789';
const HTML = [['Content-Type', 'text/html']] as const;
const PLAIN = [['Content-Type', 'text/plain']] as const;

export interface ServedExample {
  readonly archive: SmallArchive;
  readonly server: RunningServer;
}

/** Started before the tests of a file, and closed after them. */
export function servedExample(): () => ServedExample {
  let served: ServedExample | undefined;
  beforeAll(async () => {
    const archive = await exampleArchive();
    served = {
      archive,
      server: await startServer({ ...archive, port: 0, replayPort: 0, webRoot: '/nowhere' }),
    };
  });
  afterAll(async () => {
    await served?.server.close();
    await served?.archive.close();
  });
  return () => {
    if (!served) throw new Error('the server is not started yet');
    return served;
  };
}

const exampleArchive = (): Promise<SmallArchive> =>
  smallArchive(
    [
      { url: 'http://x.org/', at: T, headers: HTML, body: 'one', title: 'Home' },
      { url: 'http://x.org/', at: T + 1000, headers: HTML, body: 'two', title: 'Home' },
      { url: 'http://x.org/', at: T + 2000, status: 304, title: 'Home', revisit: 'server-not-modified' },
      { url: 'http://x.org/about', at: T, headers: HTML, body: 'about', title: 'About us' },
      {
        url: 'http://x.org/acting',
        at: T,
        headers: HTML,
        body: '<link rel="preconnect" href="//y.org"><script>1</script><p onclick="2">text</p>',
      },
      { url: 'http://x.org/drawn', at: T, headers: HTML, body: '<title>D</title><script>1</script>' },
      {
        url: 'urn:text:http://x.org/drawn',
        at: T,
        body: 'what a script had written <here>, long enough',
        resource: 'text/plain',
      },
      { url: 'urn:view:http://x.org/drawn', at: T, body: 'picture', resource: 'image/png' },
      { url: 'http://x.org/ten', at: T, headers: PLAIN, body: TEXT },
      { url: 'http://x.org/a%zz?q=%', at: T, headers: PLAIN, body: 'odd' },
      {
        url: 'http://x.org/packed',
        at: T,
        headers: [['Content-Encoding', 'gzip']],
        body: gzipSync('packed'),
      },
      { url: 'http://x.org/lies', at: T, headers: [['Content-Encoding', 'gzip']], body: 'not packed' },
      {
        url: 'http://x.org/go',
        at: T,
        status: 302,
        headers: [
          ['Location', '/ten'],
          ['Set-Cookie', 'a=1'],
        ],
      },
      { url: 'http://x.org/odd-status', at: T, status: 599, headers: PLAIN, body: 'odd' },
      { url: 'urn:thumbnail:http://x.org/', at: T, body: 'early', resource: 'image/png' },
      { url: 'urn:thumbnail:http://x.org/', at: T + 2000, body: 'late', resource: 'image/png' },
      { url: 'urn:thumbnail:http://x.org/about', at: T, body: '<script>', resource: 'text/html' },
    ],
    {
      visits: [
        {
          url: 'http://x.org/down',
          at: T,
          duration: 5,
          reason: 'breadth-first: depth 1',
          outcome: 'failed',
          bytes: 0,
          fault: { kind: 'connection-refused', detail: 'nothing listens' },
        },
      ],
      skips: [{ url: 'http://x.org/private', reason: 'robots', detail: 'Disallow: /private', depth: 1 }],
    },
  );

/** As on the wire: no decoding, no following, any header. */
export function raw(url: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: http.IncomingHttpHeaders; body: string }>(
    (resolve, reject) => {
      const { hostname, port } = new URL(url);
      const path = url.slice(new URL(url).origin.length);
      const request = http.get({ hostname, port, path, headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString('latin1'),
          }),
        );
      });
      request.on('error', reject);
    },
  );
}
