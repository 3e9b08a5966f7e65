import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the server saw it, in milliseconds of one clock. */
interface SeenRequest {
  readonly path: string;
  readonly at: number;
}

export interface PoliteSite {
  readonly url: string;
  readonly host: string;
  readonly requests: readonly SeenRequest[];
  /** Most requests that were under way at once. */
  readonly atOnce: number;
  /** Least milliseconds between the beginnings of two requests. */
  closest(): number;
  /** How often each path was asked for, but for robots.txt. */
  counts(): ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Milliseconds that each answer takes, unless told otherwise. */
const ANSWER = 40;

/** A server that keeps a log of who asked what when, and how many at once: what politeness is proven with. */
export async function startPoliteSite(
  host: string,
  answer: (path: string) => { readonly type: string; readonly body: string } | undefined,
  takes = ANSWER,
): Promise<PoliteSite> {
  const requests: SeenRequest[] = [];
  let underWay = 0;
  let atOnce = 0;
  const server = http.createServer((request, response) => {
    const path = request.url ?? '/';
    requests.push({ path, at: performance.now() });
    underWay++;
    atOnce = Math.max(atOnce, underWay);
    // Before the answer goes out: whoever has it may ask again before this process hears that it went.
    let isOpen = true;
    const end = (): void => {
      if (isOpen) underWay--;
      isOpen = false;
    };
    response.once('close', end);
    setTimeout(() => {
      end();
      const found = answer(path);
      response.writeHead(found ? 200 : 404, { 'Content-Type': found?.type ?? 'text/plain' });
      response.end(found?.body ?? 'no such page');
    }, takes);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    host: `${host}:${port}`,
    requests,
    get atOnce() {
      return atOnce;
    },
    closest: () =>
      requests.reduce(
        (least, { at }, i) => (i === 0 ? least : Math.min(least, at - (requests[i - 1]?.at ?? 0))),
        Number.POSITIVE_INFINITY,
      ),
    counts() {
      const counts = new Map<string, number>();
      for (const { path } of requests) {
        if (path !== '/robots.txt') counts.set(path, (counts.get(path) ?? 0) + 1);
      }
      return counts;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
