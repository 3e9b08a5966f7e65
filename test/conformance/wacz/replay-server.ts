import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** ReplayWeb.page as its npm package ships it; its `exports` hide these files from `import.meta.resolve`. */
const viewer = fileURLToPath(new URL('../../../node_modules/replaywebpage', import.meta.url));

export interface LoopbackServer {
  readonly origin: string;
  /** Request lines, `GET /a.wacz bytes=0-99`. */
  readonly seen: readonly string[];
  close(): Promise<void>;
}

/** A page that embeds the viewer on one WACZ. */
export function serveViewer(source: string, url: string, ts: string): Promise<LoopbackServer> {
  const page = `<!doctype html><script src="/ui.js"></script>
<replay-web-page source="${source}" url="${url}" ts="${ts}" replaybase="/replay/" style="height:90vh"></replay-web-page>`;
  return listen(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    if (path === '/') response.setHeader('content-type', 'text/html').end(page);
    else if (path === '/ui.js' || path === '/replay/ui.js')
      await sendFile(join(viewer, 'ui.js'), request, response);
    else if (path === '/replay/sw.js') await sendFile(join(viewer, 'sw.js'), request, response);
    else response.writeHead(404).end();
  });
}

/** Files of a folder by name, for another origin to read in ranges. */
export function serveFiles(dir: string): Promise<LoopbackServer> {
  return listen(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'range');
    response.setHeader('access-control-expose-headers', 'content-range, content-length, accept-ranges');
    if (request.method === 'OPTIONS') response.writeHead(204).end();
    else await sendFile(join(dir, (request.url ?? '/').slice(1)), request, response);
  });
}

async function sendFile(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { size } = await stat(path);
  response.setHeader('accept-ranges', 'bytes');
  response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'application/wacz');
  const range = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '');
  let start = 0;
  let end = size - 1;
  if (range) {
    const [, from = '', to = ''] = range;
    // `-N` is the last N bytes; viewers ask for more than a small file has.
    start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
    if (from !== '' && to !== '') end = Math.min(end, Number(to));
    response.setHeader('content-range', `bytes ${start}-${end}/${size}`);
  }
  response.writeHead(range ? 206 : 200, { 'content-length': end - start + 1 });
  if (request.method === 'HEAD') response.end();
  else createReadStream(path, { start, end }).pipe(response);
}

async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<LoopbackServer> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.range ?? ''}`.trimEnd());
    answer(request, response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
