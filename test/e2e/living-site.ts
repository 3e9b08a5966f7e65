import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A small site whose pages change when they are told to; it writes down what it is asked for. */
export interface LivingSite {
  readonly url: string;
  /** Paths, in the order they were asked for. */
  readonly asked: string[];
  /** The page has another text from now on; one that was not there is there. */
  change(path: string, more?: { readonly inFeed?: boolean }): void;
  /** It is not there any more. */
  remove(path: string): void;
  /** A hub that its feed announces. */
  hub: string | undefined;
  /** Milliseconds that answers take from now on. */
  delay: number;
  timesAsked(path: string): number;
  close(): Promise<void>;
}

export async function startLivingSite(pages = 6): Promise<LivingSite> {
  const versions = new Map<string, number>([['/', 0]]);
  for (let number = 1; number <= pages; number++) versions.set(`/p${number}`, 0);
  const inFeed = new Map<string, string>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    asked.push(path);
    setTimeout(() => {
      const [status, type, body] = contentOf(path);
      response.writeHead(status, { 'content-type': type });
      response.end(body);
    }, site.delay);
  });
  const contentOf = (path: string): readonly [status: number, type: string, body: string] => {
    if (path === '/robots.txt') return [200, 'text/plain', 'User-agent: *\nDisallow:\n'];
    if (path === '/feed.xml') return [200, 'application/rss+xml', feed()];
    const version = versions.get(path);
    if (version === undefined) return [404, 'text/html', 'not there'];
    const links =
      path === '/' ? [...versions.keys()].map((one) => `<li><a href="${one}">${one}</a></li>`) : [];
    const body =
      `<!doctype html><title>${path}</title><link rel="alternate" type="application/rss+xml" href="/feed.xml">` +
      `<h1>${path}, version ${version}</h1><ul>${links.join('')}</ul>`;
    return [200, 'text/html', body];
  };
  const feed = (): string =>
    `<rss version="2.0"><channel><title>news</title>${site.hub ? `<atom:link rel="hub" href="${site.hub}"/>` : ''}${[
      ...inFeed,
    ]
      .map(([path, date]) => `<item><link>${site.url}${path}</link><pubDate>${date}</pubDate></item>`)
      .join('')}</channel></rss>`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const site: LivingSite = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    delay: 0,
    hub: undefined,
    change(path, more = {}) {
      versions.set(path, (versions.get(path) ?? 0) + 1);
      if (more.inFeed) inFeed.set(path, new Date().toUTCString());
    },
    remove: (path) => void versions.delete(path),
    timesAsked: (path) => asked.filter((one) => one === path).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return site;
}
