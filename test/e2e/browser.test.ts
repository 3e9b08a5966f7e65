import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../src/capture/browser/find-chromium.ts';
import type { CaptureFact, PageInfo } from '../../src/model/capture.ts';
import {
  capturesOf,
  collect,
  complaints,
  daguerre,
  eachRecord,
  type Finished,
  temporaryFolder,
  withCatalog,
} from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

const noChromium = await findChromium().then(
  () => false,
  () => true,
);
if (noChromium) console.warn('skipped: crawls with a browser, because there is no Chromium');

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const SITE = {
  '/': `<!doctype html><title>Before</title><link rel="stylesheet" href="/style.css"><h1>News</h1>
    <img src="/dot.png"><div id="text"></div><script src="/app.js"></script>
    <embed src="/leaflet.pdf" type="application/pdf"><object data="/plan.pdf" type="application/pdf"></object>
    <a href="/alerts">alerts</a> <a href="/loop">loop</a> <a href="/paper.txt">paper</a> <a href="/moved">moved</a>`,
  '/style.css': { headers: { 'Content-Type': 'text/css' }, body: 'h1 { color: teal }' },
  '/dot.png': { headers: { 'Content-Type': 'image/png' }, body: PIXEL },
  '/app.js': {
    headers: { 'Content-Type': 'text/javascript' },
    body: `document.title = 'After';
      fetch('/data.json').then((answer) => answer.json()).then(({ said }) => {
        document.querySelector('#text').innerHTML = said + ' <a href="/made-by-script">more</a>';
      });`,
  },
  '/data.json': { headers: { 'Content-Type': 'application/json' }, body: '{"said":"Text out of a script"}' },
  '/made-by-script': page('Made by script'),
  '/alerts':
    '<!doctype html><title>Alerts</title><p>Before the alerts<script>for (;;) alert("again")</script>',
  '/loop': '<!doctype html><title>Loop</title><p>Before the loop<script>for (;;) {}</script>',
  '/paper.txt': { headers: { 'Content-Type': 'text/plain' }, body: 'A plain paper. '.repeat(20) },
  '/leaflet.pdf': { headers: { 'Content-Type': 'application/pdf' }, body: '%PDF-1.4 leaflet' },
  '/plan.pdf': { headers: { 'Content-Type': 'application/pdf' }, body: '%PDF-1.4 plan' },
  '/moved': { status: 302, headers: { Location: '/made-by-script' } },
};

const PAGES = ['/', '/alerts', '/loop', '/made-by-script', '/paper.txt'];

describe.skipIf(noChromium)('--render auto', () => {
  let site: SmallSite;
  let archive: string;
  let run: Finished;
  let captures: readonly CaptureFact[];
  const bodies = new Map<string, string>();

  beforeAll(async () => {
    site = await startSite(SITE);
    archive = await temporaryFolder();
    const limits = ['--response-time', '8s', '--attempts', '1'];
    const args = ['--archive', archive, '--allow-private', '--delay', '0', '--json', ...limits];
    run = await daguerre(['archive', `${site.url}/`, '--render', 'auto', ...args]);
    captures = await capturesOf(archive);
    await eachRecord(archive, async ({ type, url, payload }) => {
      if (type !== 'resource') return;
      bodies.set(url, Buffer.concat(await collect(payload.chunks())).toString());
    });
  }, 240_000);
  afterAll(() => site.close());

  const info = (path: string): PageInfo =>
    JSON.parse(bodies.get(`urn:pageinfo:${site.url}${path}`) ?? 'null') as PageInfo;

  it('ends by itself, every page captured', async () => {
    expect(run.stderr).not.toContain('Error');
    expect(run.code).toBe(0);
    expect(run.json()).toMatchObject({
      state: 'finished',
      captured: PAGES.length,
      redirects: 1,
      failed: 0,
      pending: 0,
    });
    const pages = await withCatalog(archive, (catalog) => catalog.pages({}));
    expect(pages.map(({ url }) => url.slice(site.url.length)).toSorted()).toEqual(PAGES);
    expect(await complaints(archive)).toEqual([]);
  });

  it('each URL was asked for once: the browser is given the document that HTTP brought', () => {
    const asked = site.asked.filter((path) => path !== '/favicon.ico');
    expect(asked.toSorted()).toEqual(
      [
        ...PAGES,
        ...[
          '/app.js',
          '/data.json',
          '/dot.png',
          '/leaflet.pdf',
          '/moved',
          '/plan.pdf',
          '/robots.txt',
          '/style.css',
        ],
      ].toSorted(),
    );
  });

  it('the link that a script made => followed; title and text are those after scripts', () => {
    expect(info('/')).toMatchObject({ title: 'After', status: 200 });
    expect(info('/').links).toContain(`${site.url}/made-by-script`);
    expect(bodies.get(`urn:text:${site.url}/`)).toContain('Text out of a script');
    expect(info('/made-by-script').depth).toBe(1);
  });

  it('style, image, script and fetch => stored in the event of the page', () => {
    const main = captures.find(({ url }) => url === `${site.url}/`);
    expect(main?.eventId).toBeTruthy();
    for (const path of ['/style.css', '/dot.png', '/app.js', '/data.json']) {
      const capture = captures.find(({ url }) => url === `${site.url}${path}`);
      expect(capture).toMatchObject({ status: 200, eventId: main?.eventId });
      expect(info('/').resources).toHaveProperty([`${site.url}${path}`]);
    }
  });

  it('every HTML page => view, thumbnail, text and page info', () => {
    const urls = new Set(captures.map(({ url }) => url));
    for (const path of PAGES.filter((one) => one !== '/paper.txt')) {
      for (const kind of ['view', 'thumbnail', 'text', 'pageinfo'])
        expect(urls).toContain(`urn:${kind}:${site.url}${path}`);
    }
    // What is no HTML is not rendered.
    expect(urls).not.toContain(`urn:view:${site.url}/paper.txt`);
    expect(urls).toContain(`urn:pageinfo:${site.url}/paper.txt`);
  });

  it('alert() without end, for (;;) {} => captured, with what was done about it', () => {
    expect(bodies.get(`urn:text:${site.url}/alerts`)).toContain('Before the alerts');
    expect(info('/alerts').facts.join('\n')).toMatch(/dialog|alert/);
    expect(bodies.get(`urn:text:${site.url}/loop`)).toContain('Before the loop');
    expect(info('/loop').facts).not.toEqual([]);
  });
});
