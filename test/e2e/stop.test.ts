import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findChromium } from '../../src/capture/browser/index.ts';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { daguerre, FAST, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

/* A running crawl is stopped by the process that holds the archive's lock: from the command line, and through `serve`. */

let server: TestPostgres;
let site: SmallSite;

beforeAll(async () => {
  server = await startPostgres();
  // A site without end, at a pace that leaves time to stop.
  site = await startSite((path) => {
    if (path === '/robots.txt') return undefined;
    return page(`Page ${path}`, [`/p${Number(path.slice(2) || 0) + 1}`]);
  });
});
afterAll(async () => {
  await site.close();
  await server.stop();
});

async function running(more: readonly string[] = []) {
  const archive = join(await temporaryFolder(), 'archive');
  const crawl = spawnDaguerre([
    ...['archive', `${site.url}/`, '--archive', archive, ...FAST, '--delay', '20ms', ...more],
  ]);
  while (!existsSync(join(archive, 'writer.sock'))) await Promise.race([wait(20), crawl.ended]);
  await wait(500);
  return { archive, crawl };
}

it.each(['SQLite', 'PostgreSQL'])(
  'stop, catalog in %s => the crawl ends as by Ctrl-C, and can go on',
  async (name) => {
    const more = name === 'SQLite' ? [] : ['--database', server.url];
    const { archive, crawl } = await running(more);
    const asked = await daguerre(['stop', '--archive', archive, '--json', ...more]);
    expect([asked.code, asked.json()]).toEqual([0, { stopping: crawl.child.pid }]);
    const { code, stdout, stderr } = await crawl.ended;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'stopped' });
    expect(stderr).toMatch(/Stopping, asked for by process \d+/);
    const again = await daguerre(['stop', '--archive', archive, '--json', ...more]);
    expect([again.code, again.json()]).toEqual([0, { stopping: null }]);
    const resumed = await daguerre([
      ...[
        'archive',
        `${site.url}/`,
        '--archive',
        archive,
        '--json',
        ...FAST,
        '--delay',
        '20ms',
        '--page-limit',
        '1',
      ],
      ...['--continue', ...more],
    ]);
    expect(resumed.json()).toMatchObject({ crawl: 1 });
    const { json } = await daguerre(['verify', '--archive', archive, '--json', ...more]);
    expect(json()).toMatchObject({ errors: [] });
  },
);

it('stop where there is no archive => exit code 2, and none is made', async () => {
  const archive = join(await temporaryFolder(), 'none');
  expect((await daguerre(['stop', '--archive', archive])).code).toBe(2);
  expect(existsSync(archive)).toBe(false);
});

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** As a program may send it, Host included: `fetch` sets that itself. */
function send(
  url: string,
  { method = 'POST', path = '/api/ask/stop', body = '{}', headers = { origin: new URL(url).origin } }: Sent,
) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(new URL(path, url), {
      method,
      headers: { 'content-type': 'application/json', ...headers },
    });
    sent.once('error', reject).once('response', (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode ?? 0, text: answer }), reject);
    });
    sent.end(body);
  });
}

it('through serve => the crawl ends; other pages, hosts and requests are refused first', async () => {
  const { archive, crawl } = await running();
  const serving = spawnDaguerre([
    ...['serve', '--archive', archive, '--port', '0', '--replay-port', '0', '--json'],
  ]);
  try {
    const { url } = JSON.parse(await serving.said('}\n')) as { url: string };
    const refused: readonly [number, Sent][] = [
      [403, { headers: {} }],
      [403, { headers: { origin: 'http://evil.example' } }],
      [403, { headers: { origin: 'null' } }],
      [403, { headers: { 'sec-fetch-site': 'cross-site' } }],
      [403, { headers: { 'sec-fetch-site': 'same-site' } }],
      [403, { headers: { host: 'evil.example' } }],
      [415, { headers: { 'content-type': 'text/plain', origin: new URL(url).origin } }],
      [405, { method: 'GET', body: '' }],
      // Files of this machine are not for the web page to name.
      [404, { path: '/api/ask/import', body: '{"paths":["/etc/passwd"]}' }],
      [404, { path: '/api/ask/constructor' }],
      [400, { body: '[]' }],
      [400, { body: '{' }],
    ];
    for (const [status, sent] of refused) {
      const answer = await send(url, sent);
      expect([sent, answer.status]).toEqual([sent, status]);
      expect(JSON.parse(answer.text)).toMatchObject({ detail: expect.any(String) });
    }
    expect(crawl.child.exitCode).toBe(null);
    const { status, text } = await send(url, { headers: { origin: new URL(url).origin } });
    expect([status, JSON.parse(text)]).toEqual([200, { stopping: crawl.child.pid }]);
    expect((await crawl.ended).code).toBe(130);
    expect((await send(url, {})).status).toBe(409);
  } finally {
    serving.child.kill('SIGTERM');
    await serving.ended;
  }
});

it('by the button of the web page => the crawl ends; once more => told that nothing runs', async () => {
  const { archive, crawl } = await running();
  const serving = spawnDaguerre([
    ...['serve', '--archive', archive, '--port', '0', '--replay-port', '0', '--json'],
  ]);
  const found = await findChromium();
  const browser = await chromium.launch({
    executablePath: found.path,
    args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
  try {
    const { url } = JSON.parse(await serving.said('}\n')) as { url: string };
    const [view, later] = [await browser.newPage(), await browser.newPage()];
    // Nobody tells this one that the crawl has ended.
    await later.route('**/api/events*', (route) => route.abort());
    for (const one of [view, later]) await one.goto(`${url}/#/crawls`);
    const stop = { name: 'Stop' } as const;
    await later.getByRole('button', stop).waitFor();
    await view.getByRole('button', stop).click();
    await view.getByRole('status').getByText('stopping').waitFor();
    expect((await crawl.ended).code).toBe(130);
    await later.getByRole('button', stop).click();
    await later.getByRole('alert').getByText('nothing writes to the archive').waitFor();
  } finally {
    await browser.close();
    serving.child.kill('SIGTERM');
    await serving.ended;
  }
});
