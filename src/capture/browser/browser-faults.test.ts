/** Crashes, kills, recycling, the proxy: each test with a browser of its own. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { testDocument } from '../../../test/given-document.ts';
import { type PageServer, servePages } from '../../../test/sites/pages/serve-pages.ts';
import type { Rendering, RenderRequest } from '../../ports/renderer.ts';
import { openGuardProxy } from '../http/guard-proxy.ts';
import {
  type BrowserRenderer,
  type BrowserRendererOptions,
  openBrowserRenderer,
} from './browser-renderer.ts';
import { findChromium } from './find-chromium.ts';

const isLinux = process.platform === 'linux';
let site: PageServer;
let spoolDir: string;
let renderer: BrowserRenderer | undefined;

beforeAll(async () => {
  site = await servePages();
  spoolDir = await mkdtemp(path.join(os.tmpdir(), 'daguerre-'));
});
afterEach(async () => {
  await renderer?.close();
  renderer = undefined;
});
afterAll(async () => {
  site.close();
  await rm(spoolDir, { recursive: true });
});

async function open(options: BrowserRendererOptions = {}): Promise<BrowserRenderer> {
  renderer = await openBrowserRenderer({ spoolDir, tabs: 1, ...options });
  return renderer;
}

function render(page: string, more: Partial<RenderRequest> = {}): Promise<Rendering> {
  if (!renderer) throw new Error('open a renderer first');
  return renderer.render({
    url: site.base + page,
    userAgent: 'Daguerre-Test/1.0',
    timeLimit: 20_000,
    sizeLimit: 1_000_000,
    screenshots: false,
    ...more,
  });
}

/** Process ids of a group, with their command lines. */
function processes(group: number): { pid: number; command: string }[] {
  const found: { pid: number; command: string }[] = [];
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'latin1');
      const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(pgrp) !== group || state === 'Z') continue;
      found.push({ pid: Number(entry), command: readFileSync(`/proc/${entry}/cmdline`, 'latin1') });
    } catch {
      // It ended while we looked.
    }
  }
  return found;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe.skipIf(!isLinux)('killed', () => {
  test('renderer process killed => browser-crash; the next page works in the same browser', async () => {
    const { pid = 0 } = await open();
    const rendering = render('/never').catch((error: unknown) => error);
    const before = site.asked.length;
    await until(() => site.asked.length > before);
    for (const each of processes(pid))
      if (each.command.includes('--type=renderer')) process.kill(each.pid, 'SIGKILL');
    expect(await rendering).toMatchObject({ kind: 'browser-crash', url: `${site.base}/never` });
    expect((await render('/simple.html')).title).toBe('A simple page');
    expect(renderer?.pid).toBe(pid);
  });

  test('browser process killed during a page => browser-crash; the next page has a new browser', async () => {
    const { pid = 0 } = await open();
    const rendering = render('/never').catch((error: unknown) => error);
    const before = site.asked.length;
    await until(() => site.asked.length > before);
    process.kill(pid, 'SIGKILL');
    expect(await rendering).toMatchObject({ kind: 'browser-crash' });
    expect((await render('/simple.html')).title).toBe('A simple page');
    expect(renderer?.pid).not.toBe(pid);
    expect(processes(pid)).toEqual([]);
  });

  test('killed while idle, then two pages at once => one new browser serves both', async () => {
    const { pid = 0 } = await open({ tabs: 2 });
    process.kill(pid, 'SIGKILL');
    const pages = await Promise.all([render('/simple.html'), render('/simple.html')]);
    expect(pages.map(({ title }) => title)).toEqual(['A simple page', 'A simple page']);
  });

  test('browser process killed while idle => the next page does not notice', async () => {
    const { pid = 0 } = await open();
    await render('/simple.html');
    process.kill(pid, 'SIGKILL');
    expect((await render('/simple.html')).title).toBe('A simple page');
  });

  test('close() => every process of the group is gone', async () => {
    const { pid = 0 } = await open({ tabs: 2 });
    await Promise.all([render('/simple.html'), render('/rich.html')]);
    expect(processes(pid).length).toBeGreaterThan(1);
    await renderer?.close();
    await until(() => processes(pid).length === 0);
    await expect(render('/simple.html')).rejects.toThrow();
  });

  test('our own process killed with SIGKILL => the browser ends by itself', async () => {
    const module = new URL('./browser-renderer.ts', import.meta.url).href;
    const script = `const { openBrowserRenderer } = await import('${module}');
      const renderer = await openBrowserRenderer(); console.log(renderer.pid); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: new URL('../../..', import.meta.url),
      // Whatever it can no longer clean up is removed with the test's own folder.
      env: { ...process.env, TMPDIR: spoolDir, CHROME_PATH: (await findChromium()).path },
    });
    const pid = await new Promise<number>((resolve) => {
      child.stdout.once('data', (line: Buffer) => resolve(Number(line)));
    });
    expect(processes(pid).length).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await until(() => processes(pid).length === 0);
  });
});

test('one page per browser => each page has another browser, and the old ones end', async () => {
  await open({ pagesPerBrowser: 1 });
  const pids = new Set<number | undefined>();
  for (let i = 0; i < 3; i++) {
    pids.add(renderer?.pid);
    expect((await render('/simple.html')).title).toBe('A simple page');
    await until(() => renderer?.pid === undefined);
  }
  await render('/simple.html');
  expect(pids.size).toBeGreaterThan(1);
  for (const pid of pids) if (isLinux && pid) await until(() => !existsSync(`/proc/${pid}`));
});

test('memory above the limit => the browser is replaced', async () => {
  await open({ memoryLimit: 1 });
  const first = renderer?.pid;
  for (let i = 0; i < 11; i++) await render('/script-redirect.html');
  if (isLinux) expect(renderer?.pid).not.toBe(first);
});

describe('behind the guard proxy', () => {
  test('private address refused => CaptureFault private-address, no exchange of the proxy is kept', async () => {
    const proxy = await openGuardProxy();
    await open({ proxy });
    const asked = site.asked.length;
    await expect(render('/simple.html')).rejects.toMatchObject({ kind: 'private-address' });
    expect(site.asked.length).toBe(asked);
    await proxy.close();
  });

  test('https to a private address => private-address too, though the tunnel hides why', async () => {
    const proxy = await openGuardProxy();
    await open({ proxy });
    await expect(render('', { url: 'https://127.0.0.1:44344/' })).rejects.toMatchObject({
      kind: 'private-address',
    });
    await proxy.close();
  });

  test('document given, its subresources refused => rendered, with facts and without exchanges', async () => {
    const proxy = await openGuardProxy();
    await open({ proxy });
    const html = `<title>t</title><img src="/1.png"><img src="https://127.0.0.1:44344/2.png"><p>text`;
    const document = testDocument(`${site.base}/x.html`, Buffer.from(html));
    const rendering = await render('/x.html', { document });
    expect(rendering.text).toBe('text');
    expect(rendering.exchanges).toEqual([]);
    expect(rendering.facts).toContain(`blocked: ${site.base}/1.png (private-address)`);
    expect(rendering.facts).toContain('blocked: https://127.0.0.1:44344/2.png (private-address)');
    await proxy.close();
  });

  test('allowed => passes, with the address that the proxy reached', async () => {
    const proxy = await openGuardProxy({ allowPrivate: true });
    await open({ proxy });
    const rendering = await render('/simple.html');
    expect(rendering.exchanges.map(({ url, ip }) => [url.slice(site.base.length), ip])).toEqual(
      ['/simple.html', '/style.css', '/1.png', '/2.png', '/3.png'].map((path) => [path, '127.0.0.1']),
    );
    await proxy.close();
  });
});
