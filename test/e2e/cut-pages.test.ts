import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { daguerre, FAST, temporaryFolder } from './daguerre.ts';

/** Announces more than it sends, and breaks off at the same byte each time. */
let server: Server;
let site: string;
beforeAll(async () => {
  server = createServer(({ socket }) => {
    const body = `<html><body><h1>Long</h1>${'<p>lorem ipsum</p>'.repeat(200)}`;
    socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n${body}`, () =>
      socket.end(),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  site = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

test('a page that breaks off at the same byte twice => not sharp, in crawl, certificate, verify and report', async () => {
  const archive = join(await temporaryFolder(), 'archive');
  const there = ['--archive', archive];
  const asText = FAST.filter((option) => option !== '--json');
  const page = ['--scope-type', 'page', '--revisit', 'sharp', '--attempts', '1'];
  const { stdout } = await daguerre(['archive', `http://${site}/`, ...asText, ...page, ...there]);
  expect(stdout).not.toContain('every page stayed the same');
  expect(stdout).toMatch(/impaired +1 .*\n +1 cut-short: the answer broke off/);
  const verified = await daguerre(['verify', ...there, '--json']);
  expect(verified.code).toBe(0);
  expect(verified.json()).toMatchObject({ certificates: [{ pages: 1, strict: 0, visible: 0, date: null }] });
  const report = await daguerre(['report', site, ...there]);
  expect(report.stdout).toMatch(/cut short +1 of 1 .*the connection broke off/);
  const impaired = async () =>
    (await daguerre(['report', site, ...there, '--json'])).json<{ coverage: { impaired?: object } }>()
      .coverage.impaired;
  expect(await impaired()).toEqual({ 'cut-short': 1 });
  await daguerre(['reindex', ...there]);
  expect(await impaired()).toEqual({ 'cut-short': 1 });
});
