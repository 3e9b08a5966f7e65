import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { textOf } from '../../src/model/body.ts';
import type { PageInfo } from '../../src/model/capture.ts';
import { daguerre, eachRecord, temporaryFolder, withCatalog } from './daguerre.ts';

/** What pages ask for in the browser and do not get: asked for directly, or stored as lost. */

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);

let server: Server;
let base: string;
let deadPort: number;
const asked = new Map<string, number>();

const pageOf = (name: string): string => `<!doctype html><title>${name}</title><h1>${name}</h1>
  <a href="/two">two</a>
  <img src="/ok.png"><img src="/slow.png"><img src="/broken.png"><img src="/reset.png">
  <img src="http://127.0.0.1:${deadPort}/dead.png"><img src="http://127.0.0.7/forbidden.png">
  <script>
    fetch('/poll?${name}'); fetch('/sent?${name}', { method: 'POST', body: 'x' });
    navigator.sendBeacon('/beacon?${name}', 'x');
  </script>`;

/** More text than is kept; and a link that leads nowhere, before one that does. */
const LONG = `<!doctype html><title>long</title>
  <svg><a href="http://[/"><text y="20">nowhere</text></a></svg><a href="/ok.png">somewhere</a>
  <pre>${'0123456789'.repeat(510_000)}</pre>`;

const picture = (answer: ServerResponse): void => {
  answer.writeHead(200, { 'content-type': 'image/png', 'content-length': PIXEL.length }).end(PIXEL);
};

beforeAll(async () => {
  // A port that nothing listens at.
  const dead = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => dead.once('listening', resolve));
  deadPort = (dead.address() as AddressInfo).port;
  await new Promise((resolve) => dead.close(resolve));
  server = createServer((request, answer) => {
    const url = request.url ?? '';
    const [path = ''] = url.split('?', 1);
    const times = (asked.get(path) ?? 0) + 1;
    asked.set(path, times);
    if (path === '/' || path === '/two') {
      answer
        .writeHead(200, {
          'content-type': 'text/html',
          'content-security-policy': `img-src 'self' http://127.0.0.1:${deadPort}`,
        })
        .end(pageOf(path === '/' ? 'one' : 'two'));
    } else if (path === '/long') answer.writeHead(200, { 'content-type': 'text/html' }).end(LONG);
    else if (path === '/ok.png') picture(answer);
    // The first page waits for it in vain.
    else if (path === '/slow.png') {
      if (times > 1) picture(answer);
    } else if (path === '/broken.png') {
      if (times > 1) picture(answer);
      else {
        answer.writeHead(200, { 'content-type': 'image/png', 'content-length': PIXEL.length });
        answer.write(PIXEL.subarray(0, 40), () => setTimeout(() => answer.destroy(), 100));
      }
    } else if (path === '/reset.png') request.socket.destroy();
    else if (path !== '/poll' && path !== '/sent' && path !== '/beacon') answer.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

interface Report {
  readonly captured: number;
  readonly failed: number;
  readonly resources: Record<string, number>;
  readonly skips: Record<string, number>;
}

it('what the browser asked for in vain => asked for directly once, each a visit with an outcome', async () => {
  const archive = join(await temporaryFolder(), 'archive');
  const options = ['--archive', archive, '--allow-private', '--delay', '0', '--response-time', '6s'];
  const run = await daguerre(['archive', `${base}/`, ...options, '--attempts', '1', '--json']);
  expect(run.code).toBe(0);
  const report = run.json<Report>();
  expect(report).toMatchObject({
    captured: 2,
    failed: 0,
    resources: { captured: 2, unchanged: 0, failed: 2, lost: 4 },
  });
  // Two pages, each with a script that polls and one that sends; beacons are no part of a page.
  expect(report.skips).toEqual({ unrepeatable: 4 });
  expect(asked.get('/forbidden.png')).toBeUndefined();
  await withCatalog(archive, async (catalog) => {
    const outcome = async (url: string) => {
      const [visit] = await catalog.visits({ url, limit: 1 });
      return visit && [visit.outcome, visit.fault?.kind];
    };
    expect(await outcome(`${base}/slow.png`)).toEqual(['captured', undefined]);
    expect(await outcome(`${base}/broken.png`)).toEqual(['captured', undefined]);
    expect(await outcome(`${base}/reset.png`)).toEqual(['failed', 'connection-failed']);
    expect(await outcome(`http://127.0.0.1:${deadPort}/dead.png`)).toEqual(['failed', 'connection-refused']);
    const whole = await catalog.closest(`${base}/slow.png`, Number.MAX_SAFE_INTEGER);
    expect(whole).toMatchObject({ status: 200, digest: { size: PIXEL.length } });
  });
  // It is brought back from the records alone.
  const again = await daguerre(['reindex', '--archive', archive, '--json']);
  expect(again.code).toBe(0);
  await withCatalog(archive, async (catalog) => {
    expect((await catalog.tally(1)).resources).toEqual({ captured: 2, unchanged: 0, failed: 2, lost: 4 });
  });
}, 120_000);

it('a page with more text than is kept => a fact of the page, counted as impaired, no link lost', async () => {
  const archive = join(await temporaryFolder(), 'archive');
  const options = ['--archive', archive, '--allow-private', '--delay', '0', '--depth', '0'];
  const run = await daguerre(['archive', `${base}/long`, ...options, '--json']);
  expect(run.json<Report & { impaired?: object }>()).toMatchObject({
    captured: 1,
    impaired: { 'page-cut': 1 },
  });
  let info = '';
  await eachRecord(archive, async ({ url, payload }) => {
    if (url.startsWith('urn:pageinfo:')) info = await textOf(payload);
  });
  const { facts, links } = JSON.parse(info) as PageInfo;
  expect(facts.join()).toMatch(/only the first 5000000 of 51\d+ characters of text were kept/);
  expect(links).toContain(`${base}/ok.png`);
  await withCatalog(archive, async (catalog) => {
    const [visit] = await catalog.visits({ crawlId: 1, impaired: true });
    expect(visit?.fault?.detail).toMatch(
      /only the first 5000000 of 51\d+ characters of text were kept; the layout is partial: texts past the limit/,
    );
  });
}, 120_000);
