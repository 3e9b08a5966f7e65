import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowserRenderer } from '../browser-renderer.ts';
import { findChromium } from '../find-chromium.ts';
import { consentList, rulesFor } from './consent-list.ts';

/** A Cookiebot banner, as far as the list inspects it; it tells the server what was clicked. */
const BANNER = `<!doctype html><title>A page</title><p>Text</p>
<dialog open class="cookie-consent"><form class="cookie-consent__form" method="dialog">
<button value="yes" onclick="fetch('/answer?yes')">Yes</button><button value="no" onclick="fetch('/answer?no')">No</button>
</form></dialog>`;

const noChromium = await findChromium().then(
  () => false,
  () => true,
);
if (noChromium) console.warn('skipped: banners in the browser, because there is no Chromium');

describe.skipIf(noChromium)('a banner that the list knows', () => {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('Content-Type', 'text/html').end(request.url === '/plain' ? '<p>Text</p>' : BANNER);
  });
  let renderer: Awaited<ReturnType<typeof openBrowserRenderer>>;
  let base: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    renderer = await openBrowserRenderer();
  });
  afterAll(async () => {
    await renderer?.close();
    server.closeAllConnections();
    server.close();
  });

  const factsAt = async (path: string, consent: 'accept' | 'reject' | 'none') => {
    const { facts } = await renderer.render({
      url: `${base}${path}`,
      userAgent: 'test',
      timeLimit: 60_000,
      sizeLimit: 1e6,
      screenshots: false,
      consent,
    });
    return facts.filter((fact) => fact.startsWith('consent'));
  };

  it.each([
    ['accept', '/answer?yes', 'consent accepted: a banner was answered'],
    ['reject', '/answer?no', 'consent rejected: a banner was answered'],
  ] as const)(
    '%s => %s asked for, and a fact that names the rule',
    async (answer, path, fact) => {
      asked.length = 0;
      const [told] = await factsAt('/', answer);
      expect(told).toContain(fact);
      expect(told).toMatch(/by the rule '.+' of autoconsent \d/);
      expect(asked).toContain(path);
    },
    120_000,
  );

  it('none, or a page without a banner => nothing clicked, no fact', async () => {
    asked.length = 0;
    expect([await factsAt('/', 'none'), await factsAt('/plain', 'reject')]).toEqual([[], []]);
    expect(asked.filter((path) => path.startsWith('/answer'))).toEqual([]);
  }, 120_000);
});

it('rules for an address => those for all addresses, and those for its site', () => {
  const rules = [
    { name: 'all' },
    { name: 'own', runContext: { urlPattern: '^https://(www\\.)?a\\.example/' } },
  ];
  const names = (url: string) => rulesFor(url, { ...consentList(), rules }).map(({ name }) => name);
  expect([names('https://a.example/x'), names('https://b.example/')]).toEqual([['all', 'own'], ['all']]);
});
