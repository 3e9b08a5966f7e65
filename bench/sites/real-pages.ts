/**
 * A site on loopback made of real HTML pages, which changes as it is told and knows each of its changes.
 *
 * A folder whose files are named by times (`20080403T220848Z.html`) is one page, which shows its next version at each crawl:
 * `/live-…/`. Every other HTML file named `index.dom.html` is a page that changes where a seeded draw says so: a few directories
 * often, most hardly ever, `/ref-…/`. Each answer has another comment in it, as dynamic pages do: bytes always differ.
 *
 * Nothing outside is asked for: scripts, frames, links and addresses are taken out, and a policy forbids the rest.
 */
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { randomNumbers } from '../../test/random-numbers.ts';

export interface RealSite {
  readonly origin: string;
  /** Paths asked for, robots.txt left out. */
  readonly asked: string[];
  readonly pages: readonly string[];
  /** The state at this crawl; gives the pages that are other than before. */
  become(crawl: number): ReadonlySet<string>;
  close(): Promise<void>;
}

/** How likely a page of the n-th directory of reference pages changes between two crawls; the last goes for all others. */
const CHANCES = [0.5, 0.15, 0.01];
const PER_DIRECTORY = { ref: 4, live: 2 } as const;
const DATED = /^\d{8}T\d{6}Z\.html$/;

export async function startRealPages(folder: string, references: number): Promise<RealSite> {
  const dated = readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .map((path) =>
      readdirSync(path)
        .filter((file) => DATED.test(file))
        .sort()
        .map((file) => join(path, file)),
    )
    .filter(({ length }) => length > 0);
  const single = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('index.dom.html'))
    .sort()
    .slice(0, references)
    .map((name) => join(folder, name));
  const random = randomNumbers(7);
  const bodies = new Map<string, string>();
  const place = (kind: keyof typeof PER_DIRECTORY, i: number): string =>
    `/${kind}-${Math.floor(i / PER_DIRECTORY[kind])}/page-${i}.html`;
  const edits = new Map<string, number>();
  const become = (crawl: number): ReadonlySet<string> => {
    const changed = new Set<string>();
    const show = (path: string, body: string): void => {
      if (bodies.has(path) && bodies.get(path) !== body) changed.add(path);
      bodies.set(path, body);
    };
    dated.forEach((files, i) => {
      show(place('live', i), plain(readFileSync(files[crawl % files.length] as string, 'utf8')));
    });
    single.forEach((file, i) => {
      const path = place('ref', i);
      const chance = CHANCES[Math.floor(i / PER_DIRECTORY.ref)] ?? (CHANCES.at(-1) as number);
      if (crawl > 0 && random() < chance) edits.set(path, crawl);
      const news = edits.has(path) ? `<p>Edited for the ${edits.get(path)}th time.</p>` : '';
      show(path, news + plain(readFileSync(file, 'utf8')));
    });
    show('/', `<h1>State ${crawl}</h1>`);
    return changed;
  };
  become(0);
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    const path = request.url ?? '/';
    if (path !== '/robots.txt') asked.push(path);
    const body = bodies.get(path);
    const links = [...bodies.keys()].map((to) => `<a href="${to}">${to}</a> `).join('');
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    });
    response.end(
      body === undefined
        ? 'none'
        : `<!doctype html><!-- ${asked.length} -->${body}${path === '/' ? links : ''}`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    pages: [...bodies.keys()],
    become,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Its structure, words and inline styles. */
const plain = (html: string): string =>
  html
    .replace(/<(script|iframe|noscript|object|svg)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<(?:!doctype|link|base|meta|script|iframe|embed|source)\b[^>]*>/gi, '')
    .replace(
      /\s(?:href|src|srcset|poster|background|action|data-src|data-srcset|on\w+)\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi,
      '',
    )
    .replace(/url\([^)]*\)|@import[^;]*;?/gi, '');
