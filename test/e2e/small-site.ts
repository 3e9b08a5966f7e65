import http from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer =
  | string
  | {
      readonly status?: number;
      readonly headers?: http.OutgoingHttpHeaders;
      readonly body?: string | Buffer;
      /** Milliseconds before the answer. */
      readonly after?: number;
    }
  | ((request: http.IncomingMessage, response: http.ServerResponse) => void);

/** Answers by path with its query. Text is an HTML page; what is not named is 404. */
export type Pages =
  | Readonly<Record<string, Answer>>
  | ((path: string, request: http.IncomingMessage) => Answer | undefined);

export interface SmallSite {
  /** http://127.0.0.1:port, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Paths in the order they were asked for. */
  readonly asked: readonly string[];
  /** Connections accepted so far. */
  readonly connections: number;
  /** Resolves when `count` requests for pages (not robots.txt) have come in all. */
  seen(count: number): Promise<void>;
  /** Other answers from now on. */
  become(pages: Pages): void;
  close(): Promise<void>;
}

/** `port`: any that is free unless given. */
export async function startSite(pages: Pages, host = '127.0.0.1', given = 0): Promise<SmallSite> {
  const asked: string[] = [];
  let current = pages;
  let connections = 0;
  let waiting: { count: number; resolve: () => void }[] = [];
  const pagesAsked = (): number => asked.filter((path) => path !== '/robots.txt').length;
  const server = http.createServer((request, response) => {
    const path = request.url ?? '/';
    asked.push(path);
    const count = pagesAsked();
    for (const { resolve } of waiting.filter((one) => one.count <= count)) resolve();
    waiting = waiting.filter((one) => one.count > count);
    const answer = typeof current === 'function' ? current(path, request) : current[path];
    send(answer ?? { status: 404, body: 'no such page' }, request, response);
  });
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(given, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    asked,
    get connections() {
      return connections;
    },
    seen: (count) =>
      new Promise((resolve) => {
        if (pagesAsked() >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    become(next) {
      current = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function send(answer: Answer, request: http.IncomingMessage, response: http.ServerResponse): void {
  if (typeof answer === 'function') {
    answer(request, response);
    return;
  }
  const {
    status = 200,
    headers,
    body = '',
    after = 0,
  } = typeof answer === 'string' ? { body: answer } : answer;
  const reply = (): void => {
    response.writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      ...headers,
    });
    response.end(body);
  };
  if (after > 0) setTimeout(reply, after);
  else reply();
}

/** An HTML page of this title with these links, long enough that a copy of it becomes a revisit. */
export function page(title: string, links: readonly string[] = [], text = ''): string {
  const list = links.map((href) => `<li><a href="${href}">${href}</a></li>`).join('');
  return `<!doctype html><title>${title}</title><h1>${title}</h1><ul>${list}</ul><p>${text || filler(title)}</p>`;
}

function filler(title: string): string {
  return `${title}. `.repeat(Math.ceil(200 / (title.length + 2)));
}
