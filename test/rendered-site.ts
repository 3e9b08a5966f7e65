import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type BrowserRenderer, openBrowserRenderer } from '../src/capture/browser/browser-renderer.ts';
import type { Exchange } from '../src/model/exchange.ts';
import type { Rendering, RenderRequest } from '../src/ports/renderer.ts';
import { type PageServer, servePages } from './sites/pages/serve-pages.ts';

export let site: PageServer;
export let renderer: BrowserRenderer;
export let spoolDir: string;

/** The pages of test/sites and a renderer, for the tests of one file. */
export function useRenderer(): void {
  beforeAll(async () => {
    site = await servePages();
    spoolDir = await mkdtemp(path.join(os.tmpdir(), 'daguerre-'));
    renderer = await openBrowserRenderer({ spoolDir });
  });
  afterAll(async () => {
    await renderer.close();
    site.close();
    await rm(spoolDir, { recursive: true });
  });
  beforeEach(() => {
    site.asked.length = 0;
  });
}

export function render(page: string, more: Partial<RenderRequest> = {}): Promise<Rendering> {
  return renderer.render({
    url: site.base + page,
    userAgent: 'Daguerre-Test/1.0',
    timeLimit: 30_000,
    sizeLimit: 100_000_000,
    screenshots: false,
    ...more,
  });
}

export function exchangeOf(rendering: Rendering, page: string): Exchange {
  const found = rendering.exchanges.find(({ url }) => url === site.base + page);
  if (!found) throw new Error(`${page} is not among ${rendering.exchanges.map(({ url }) => url).join(' ')}`);
  return found;
}

export async function bodyOf(exchange: Exchange): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of exchange.response.body.chunks()) parts.push(part);
  return Buffer.concat(parts);
}

export function headText(message: { head: Uint8Array }): string {
  return Buffer.from(message.head).toString('latin1');
}

export function pathsOf(rendering: Rendering): string[] {
  return rendering.exchanges.map(({ url }) => url.slice(site.base.length));
}
