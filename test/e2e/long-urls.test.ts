import { writeFile } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CaptureRow, ListPart, PageRow, SiteRow } from '../../src/server/api-types.ts';
import { chromiumPath } from './chromium-path.ts';
import { daguerre, type Running, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { CHROMIUM_ARGS } from './replay-address.ts';

/*
 * Addresses of 5,000 characters, as session ids and embedded forms make them, and with characters that a browser escapes:
 * the server shows them like any.
 */

const HOST = 'http://example.com/';
const LONG = {
  path: `${HOST}${'long/'.repeat(1000)}`.padEnd(5000, 'x'),
  query: `${HOST}?form=${'%7B%22a%22%3A1%7D&'.repeat(300)}`.slice(0, 5000),
  accents: `${HOST}${'é'.repeat(5000 - HOST.length)}`,
  spaces: `${HOST}${'a b '.repeat(1300)}`.slice(0, 4999).concat('c'),
};

function warcRecord(url: string, body: string, i: number): string {
  const block = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>${body}</title><p>${body}</p>`;
  const fields = [
    'WARC/1.0',
    'WARC-Type: response',
    `WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-00000000000${i}>`,
    'WARC-Date: 2020-01-02T03:04:05Z',
    `WARC-Target-URI: ${url}`,
    'Content-Type: application/http; msgtype=response',
    `Content-Length: ${Buffer.byteLength(block)}`,
  ];
  return `${fields.join('\r\n')}\r\n\r\n${block}\r\n\r\n`;
}

let server: Running;
let browser: Browser;
let ui: string;
let replay: string;
beforeAll(async () => {
  const folder = await temporaryFolder();
  const archive = join(folder, 'archive');
  const records = Object.entries(LONG).map(([name, url], i) => warcRecord(url, name, i));
  await writeFile(join(folder, 'long.warc'), records.join(''));
  const imported = await daguerre(['import', join(folder, 'long.warc'), '--archive', archive, '--json']);
  expect(imported.json()).toMatchObject({ captures: 4, pages: 4, errors: [] });
  server = spawnDaguerre(['serve', '--archive', archive, '--json', '--port', '0', '--replay-port', '0']);
  const said = await server.said('"replayUrl"');
  const line = said.split('\n').find((one) => one.startsWith('{')) ?? '';
  ({ url: ui, replayUrl: replay } = JSON.parse(line) as { url: string; replayUrl: string });
  browser = await chromium.launch({ executablePath: await chromiumPath(), args: CHROMIUM_ARGS });
});
afterAll(async () => {
  await browser?.close();
  server?.child.kill('SIGTERM');
});

async function json<T>(path: string): Promise<T> {
  const answer = await fetch(ui + path);
  expect(answer.status, (await answer.clone().text()).slice(0, 300)).toBe(200);
  return (await answer.json()) as T;
}

it('the lists of sites and pages => each address, whole', async () => {
  const { rows: sites } = await json<ListPart<SiteRow>>('/api/sites');
  expect(sites).toMatchObject([{ site: 'example.com', pages: 4 }]);
  const { rows } = await json<ListPart<PageRow>>('/api/pages?site=example.com');
  expect(rows.map(({ url }) => url).toSorted()).toEqual(Object.values(LONG).toSorted());
});

it.each(Object.entries(LONG))('%s => its captures, and the page in replay', async (name, url) => {
  const asked = encodeURIComponent(url);
  const { rows } = await json<ListPart<CaptureRow>>(`/api/captures?url=${asked}`);
  expect(rows).toMatchObject([{ url, timestamp: '20200102030405' }]);
  await json(`/api/visits?url=${asked}`);
  expect((await fetch(`${ui}/api/thumbnail?url=${asked}`)).status).toBe(404);
  const asArchived = await get(`${replay}/archive/20200102030405id_/${url}`);
  expect([asArchived.status, asArchived.body]).toEqual([200, expect.stringContaining(`<p>${name}</p>`)]);
  const inView = await get(`${replay}/archive/20200102030405mp_/${url}`);
  expect(inView.status).toBe(302);
  // The fragment holds the address as a browser spells it, escaped once: the loader takes it as it stands.
  expect(inView.location.replace(/^[^#]*#scripts\/\d+\//, '')).toBe(new URL(url).href);
  for (const dialect of ['wabac', 'still']) {
    const answer = await get(`${replay}/${dialect}/archive/20200102030405id_/${url}`);
    expect([dialect, answer.status, answer.body]).toEqual([dialect, 200, asArchived.body]);
  }
});

it.each(Object.entries(LONG))(
  '%s, opened by its replay address in a browser => the page is shown',
  async (name, url) => {
    const tab = await browser.newPage();
    await tab.goto(`${replay}/archive/20200102030405mp_/${url}`);
    await tab.waitForURL((at) => at.href.startsWith(`${ui}/#/replay?`));
    const { hash } = new URL(tab.url());
    expect(new URLSearchParams(hash.slice(hash.indexOf('?'))).get('url')).toBe(new URL(url).href);
    const paragraphs = (): Promise<(string | null)[]> =>
      Promise.all(tab.frames().map((frame) => frame.textContent('p', { timeout: 500 }).catch(() => null)));
    await expect.poll(paragraphs, { timeout: 60_000 }).toContain(name);
    await tab.close();
  },
  120_000,
);

/** As a browser, which takes answers with far longer heads than fetch() in Node does; redirects are not followed. */
function get(address: string): Promise<{ status: number; location: string; body: string }> {
  return new Promise((resolve, reject) => {
    const request = http.get(new URL(address), { agent: false, maxHeaderSize: 256 * 1024 }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        body += piece;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? '', body }),
      );
    });
    request.on('error', reject);
  });
}
