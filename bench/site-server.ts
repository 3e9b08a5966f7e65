/**
 * Serves a made-up site from memory, in its own process, and counts requests.
 *
 * HTTP by hand on bare sockets: with node:http the server would cost more processor time per page than the fastest
 * client, and the benchmark would measure the server.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { folderSite } from './sites/folder-site.ts';
import { frenchSite, plainSite } from './sites/plain-site.ts';
import { richSite } from './sites/rich-site.ts';
import { screensSite } from './sites/screens-site.ts';

const SITES = { plain: plainSite, french: frenchSite, rich: richSite, screens: screensSite };
/** A made-up site, or a folder with real pages. */
export type SiteName = keyof typeof SITES | `/${string}`;

export interface Counts {
  /** Number of different pages served. */
  readonly pages: number;
  /** Number of different files served, pages included. */
  readonly files: number;
  readonly requests: number;
  readonly connections: number;
}

export interface SiteServer {
  readonly url: string;
  /** Requests since the last call. */
  takeCounts(): Promise<Counts>;
  close(): void;
}

export async function startSite(site: SiteName, pages: number): Promise<SiteServer> {
  const child = fork(fileURLToPath(import.meta.url), ['--serve', site, String(pages)]);
  const port = await answer<number>(child);
  return {
    url: `http://127.0.0.1:${port}/`,
    takeCounts() {
      const counts = answer<Counts>(child);
      child.send('counts');
      return counts;
    },
    close: () => child.disconnect(),
  };
}

function answer<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as T));
    child.once('exit', (code) => reject(new Error(`the site's server ended with exit code ${code}`)));
  });
}

function serve(name: SiteName, count: number): void {
  const { files } = name in SITES ? SITES[name as keyof typeof SITES](count) : folderSite(name, count);
  const answers = new Map<string, Buffer>();
  for (const [path, { type, body }] of files) {
    const head = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
    answers.set(path, Buffer.concat([Buffer.from(head), body]));
  }
  const missing = Buffer.from(
    'HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nnot found',
  );
  let seen = new Set<string>();
  let requests = 0;
  let connections = 0;

  const server = createServer((socket) => {
    connections++;
    let pending = '';
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1');
      for (let end = pending.indexOf('\r\n\r\n'); end >= 0; end = pending.indexOf('\r\n\r\n')) {
        const path = pending.slice(4, pending.indexOf(' ', 4));
        pending = pending.slice(end + 4);
        requests++;
        const found = answers.get(path);
        if (found) seen.add(path);
        socket.write(found ?? missing);
      }
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(typeof address === 'object' ? address?.port : undefined);
  });
  process.on('message', () => {
    const isPage = (path: string): boolean => path === '/' || path.endsWith('.html');
    const counts: Counts = {
      pages: [...seen].filter(isPage).length,
      files: seen.size,
      requests,
      connections,
    };
    seen = new Set();
    requests = 0;
    connections = 0;
    process.send?.(counts);
  });
  process.on('disconnect', () => process.exit());
}

if (process.argv[2] === '--serve') serve(process.argv[3] as SiteName, Number(process.argv[4]));
