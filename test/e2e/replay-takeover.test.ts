import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium, type Frame, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/start-server.ts';
import { builtWeb, CHROMIUM_ARGS, chromiumPath, replayAddress, shown } from './replay-browser.ts';
import { type SmallArchive, smallArchive } from './small-archive.ts';

/** An archived page that tries to be there after it is gone: in the worker's configuration, in storage, in names. */

const T = Date.UTC(2024, 4, 1, 10);
const HTML = [['Content-Type', 'text/html; charset=utf-8']] as const;

/** Every way we know to make the service worker show something else, tried by the archived script itself. */
const TAKEOVER = `
const loader = Function('return parent')();
const forged = 'data:text/html,<h1>forged</h1><!--';
const open = (name) => new Promise((done, fail) => {
  const request = loader.indexedDB.open(name);
  request.onsuccess = () => done(request.result);
  request.onerror = fail;
});
async function rewriteCollections() {
  for (const { name } of await loader.indexedDB.databases()) {
    const db = await open(name);
    for (const store of db.objectStoreNames) {
      const write = db.transaction(store, 'readwrite').objectStore(store);
      const all = await new Promise((done) => { write.getAll().onsuccess = (event) => done(event.target.result); });
      for (const one of all) {
        if (!one.config?.extraConfig) continue;
        one.config.extraConfig.prefix = forged;
        one.config.extraConfig.csp = 'default-src *';
        write.put(one);
      }
    }
    db.close();
  }
}
async function fillCaches() {
  const page = new Response('<h1>forged</h1>', { headers: { 'content-type': 'text/html' } });
  for (const name of ['wabac-offline', 'wabac-archive', 'wabac-scripts']) {
    const cache = await loader.caches.open(name);
    await cache.put(location.href.replace('evil.example/', 'evil.example/second'), page.clone());
    await cache.put('/', page.clone());
  }
}
async function tellWorker() {
  const container = loader.navigator.serviceWorker;
  if (!container) return;
  const { active } = await container.ready;
  for (const name of ['scripts', 'still', 'archive']) {
    active.postMessage({ msg_type: 'deleteColl', name });
    active.postMessage({ msg_type: 'addColl', name, type: 'live',
      file: { sourceUrl: 'proxy:' + forged }, extraConfig: { prefix: forged, isLive: false, csp: 'default-src *' } });
  }
  active.postMessage({ msg_type: 'reload_all' });
  await container.register('/sw.js?root=x&injectScripts=' + forged).catch(() => {});
}
(async () => {
  for (const attempt of [rewriteCollections, fillCaches, tellWorker]) await attempt().catch(() => {});
  loader.parent['post' + 'Message']({ type: 'daguerre-replay', state: 'shown', url: 'http://bank.example/', title: 'Bank' }, '*');
  document.documentElement.dataset.done = 'yes';
})();`;

const STORING = `
(async () => {
  const before = [localStorage.length, (await indexedDB.databases()).length, (await caches.keys()).length, document.cookie];
  localStorage.setItem('kept', '1');
  document.cookie = 'kept=1';
  await caches.open('kept');
  await new Promise((done) => { indexedDB.open('kept').onsuccess = done; });
  document.documentElement.dataset.before = JSON.stringify(before);
})();`;

let archive: SmallArchive;
let server: RunningServer;
let profile: string;
let context: BrowserContext;

async function freshBrowser(): Promise<Page> {
  context = await chromium.launchPersistentContext(profile, {
    executablePath: await chromiumPath(),
    args: CHROMIUM_ARGS,
  });
  return context.newPage();
}

beforeAll(async () => {
  archive = await smallArchive([
    {
      url: 'http://evil.example/',
      at: T,
      headers: HTML,
      body: `<title>evil</title><h1>evil</h1><script>${TAKEOVER}</script><a id=out href="http://bank.example/">out</a>`,
      title: 'evil',
    },
    { url: 'http://evil.example/second', at: T, headers: HTML, body: '<h1>second</h1>', title: 'second' },
    {
      url: 'http://bank.example/',
      at: T,
      headers: HTML,
      body: '<title>Bank</title><h1>Bank</h1>',
      title: 'Bank',
    },
    {
      url: 'http://frames.example/',
      at: T,
      headers: HTML,
      body: '<h1>frames</h1><iframe id="bank" src="http://bank.example/"></iframe><a href="http://bank.example/">out</a>',
      title: 'frames',
    },
    {
      url: 'http://advertises.example/',
      at: T,
      headers: HTML,
      body: '<h1>advertises</h1><iframe src="http://bank.example/"></iframe><iframe id="absent" src="http://ads.example/banner"></iframe>',
      title: 'advertises',
    },
    {
      url: 'http://moving.example/',
      at: T,
      headers: HTML,
      body: `<title>moving</title><h1>moving</h1><iframe name="blank"></iframe><iframe name="inner" src="/inner"></iframe>
        <iframe name="foreign" src="http://frames.example/"></iframe>
        <a id="targeted" href="http://bank.example/" target="blank">into the frame</a>
        <form id="form" action="http://bank.example/" target="blank"><button>into the frame</button></form>`,
      title: 'moving',
    },
    {
      url: 'http://moving.example/inner',
      at: T,
      headers: HTML,
      body: `<h1>inner</h1><a href="http://bank.example/">out</a><button>out</button><script>
        document.querySelector('button').onclick = () => { location.href = 'http://bank.example/'; };</script>`,
      title: 'inner',
    },
    {
      url: 'http://stores.example/',
      at: T,
      headers: HTML,
      body: `<h1>stores</h1><script>${STORING}</script>`,
      title: 'stores',
    },
  ]);
  server = await startServer({ ...archive, port: 0, replayPort: 0, webRoot: await builtWeb() });
  profile = await mkdtemp(path.join(tmpdir(), 'daguerre-profile-'));
});

afterEach(() => context?.close());

afterAll(async () => {
  await server?.close();
  await archive?.close();
  await rm(profile, { recursive: true, force: true });
});

const at = (url: string): string => replayAddress(server.url, url, T);
const marked = (frame: Frame, name: string): Promise<string> =>
  frame
    .waitForFunction(`document.documentElement.dataset.${name}`)
    .then((value) => value.jsonValue() as Promise<string>);

describe('an archived page that takes over', () => {
  it('the worker told, its storage rewritten, the browser started again => the other site as archived', async () => {
    let tab = await freshBrowser();
    await tab.goto(at('http://evil.example/'));
    await marked(await shown(tab, 'http://evil.example/', 'evil'), 'done');
    await context.close();

    tab = await freshBrowser();
    const policies: (string | undefined)[] = [];
    tab.on('response', (response) => {
      if (/\/w\/[^/]+\/\d+mp_\//.test(response.url()))
        policies.push(response.headers()['content-security-policy']);
    });
    await tab.goto(at('http://bank.example/'));
    await shown(tab, 'http://bank.example/', 'Bank');
    expect(policies).not.toHaveLength(0);
    for (const policy of policies) expect(policy).toMatch(/^default-src 'self'/);
  });

  it('in the same view => its next page as archived, and no other address in the bar', async () => {
    const tab = await freshBrowser();
    await tab.goto(at('http://evil.example/'));
    const frame = await shown(tab, 'http://evil.example/', 'evil');
    await marked(frame, 'done');
    await expect.poll(() => tab.title()).toContain('evil');
    expect(decodeURIComponent(tab.url())).toContain('url=http://evil.example/');
    await tab.goto(at('http://evil.example/second'));
    await shown(tab, 'http://evil.example/second', 'second');
  });
});

describe('archived sites apart from each other', () => {
  it('a frame of a site that was never captured => told in the frame, out of reach, and no worker begins there', async () => {
    const tab = await freshBrowser();
    const asked: string[] = [];
    const workers = new Set<string>();
    context.on('request', (request) => asked.push(request.url()));
    context.on('serviceworker', (worker) => workers.add(new URL(worker.url()).hostname));
    await tab.goto(at('http://advertises.example/'));
    const page = await shown(tab, 'http://advertises.example/', 'advertises');
    await shown(tab, 'http://bank.example/', 'Bank');
    await shown(tab, 'http://ads.example/banner', 'Not in this archive');
    expect(await page.evaluate("document.getElementById('absent').contentDocument")).toBe(null);
    expect(asked.filter((url) => url.includes('ads.example')).length).toBeGreaterThan(0);
    expect([...workers].map((host) => host.replace(/-example.*/u, ''))).toEqual(
      expect.arrayContaining(['advertises', 'bank']),
    );
    expect([...workers].join(' ')).not.toContain('ads-example');
  });

  it('two sites => two hosts, neither that of the web page; a link between them moves the view', async () => {
    const tab = await freshBrowser();
    await tab.goto(at('http://evil.example/'));
    const frame = await shown(tab, 'http://evil.example/', 'evil');
    const hosts = [new URL(server.url).hostname, new URL(frame.url()).hostname];
    await frame.click('#out');
    hosts.push(new URL((await shown(tab, 'http://bank.example/', 'Bank')).url()).hostname);
    expect(new Set(hosts).size).toBe(3);
    await expect.poll(() => decodeURIComponent(tab.url())).toContain('url=http://bank.example/');
    await tab.goBack();
    await shown(tab, 'http://evil.example/', 'evil');
    await expect.poll(() => decodeURIComponent(tab.url())).toContain('url=http://evil.example/');
  });

  /** How a frame of a page is led to another site; which child of the page's frame it is. */
  const LED: readonly (readonly [string, number, (outer: Frame, inner: Frame) => Promise<unknown>])[] = [
    ['its own script', 1, (_outer, inner) => inner.click('button')],
    ['a link with a target', 0, (outer) => outer.click('#targeted')],
    ['a form with a target', 0, (outer) => outer.click('#form button')],
    ['a link inside it', 1, (_outer, inner) => inner.click('a')],
    ['a link inside it, on the host of another site', 2, (_outer, inner) => inner.click('a')],
  ];
  it.each(LED)('a frame led to another site by %s => stays a frame of its page', async (_by, child, lead) => {
    const tab = await freshBrowser();
    await tab.goto(at('http://moving.example/'));
    const outer = await shown(tab, 'http://moving.example/', 'moving');
    await shown(tab, 'http://frames.example/', 'frames');
    const inner = outer.childFrames()[child] as Frame;
    await lead(outer, inner);
    await expect
      .poll(() => inner.textContent('h1', { timeout: 1000 }).catch(() => ''), { timeout: 20_000 })
      .toBe('Bank');
    expect(await outer.textContent('h1')).toBe('moving');
    expect(decodeURIComponent(tab.url())).toContain('url=http://moving.example/');
  });

  it('a frame of another site => replayed on its own host, out of reach', async () => {
    const tab = await freshBrowser();
    await tab.goto(at('http://frames.example/'));
    const outer = await shown(tab, 'http://frames.example/', 'frames');
    const inner = await shown(tab, 'http://bank.example/', 'Bank');
    expect(new URL(inner.url()).hostname).not.toBe(new URL(outer.url()).hostname);
    expect(await outer.evaluate(`document.getElementById('bank').contentDocument === null`)).toBe(true);
  });

  it('what a page stored => gone when the web page is opened again', async () => {
    const tab = await freshBrowser();
    for (let round = 0; round < 2; round++) {
      await tab.goto('about:blank');
      await tab.goto(at('http://stores.example/'));
      const frame = await shown(tab, 'http://stores.example/', 'stores');
      expect(JSON.parse(await marked(frame, 'before'))).toEqual([0, 0, 0, '']);
    }
  });
});
