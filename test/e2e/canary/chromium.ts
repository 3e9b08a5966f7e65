import { chromium } from 'playwright-core';
import { chromiumPath } from '../chromium-path.ts';
import type { OpenBrowser } from './inside.ts';

/** The browser that the project finds, with its own resolver: the namespace has no other than the canary. */
export async function openChromium(): Promise<OpenBrowser> {
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args: ['--no-sandbox'] });
  return {
    async open(url) {
      const context = await browser.newContext();
      const tab = await context.newPage();
      await tab.goto(url, { waitUntil: 'commit' });
      return { title: () => tab.title().catch(() => ''), close: () => context.close() };
    },
    close: () => browser.close(),
  };
}
