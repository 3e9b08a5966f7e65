/** Takes the pictures of the README from a fresh demo: `npm run screenshots`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium } from '../src/capture/browser/index.ts';

const path = (relative: string): string => fileURLToPath(new URL(`../${relative}`, import.meta.url));

/** The demo as a user would start it; its address is the one line it prints. */
const demo = spawn(
  process.execPath,
  [path('bin/daguerre.js'), 'demo', '--json', '--port', '0', '--replay-port', '0'],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
const [line] = (await once(createInterface({ input: demo.stdout }), 'line')) as [string];
const { url } = JSON.parse(line) as { url: string };

const found = await findChromium();
const browser = await chromium.launch({
  executablePath: found.path,
  args: ['--no-sandbox', '--lang=en-US'],
  env: { ...process.env, ...found.env } as Record<string, string>,
});
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
  const page = await context.newPage();
  const shoot = async (name: string): Promise<void> => {
    await page.waitForTimeout(1500);
    await page.screenshot({ path: path(`docs/images/${name}.png`) });
    process.stderr.write(`docs/images/${name}.png\n`);
  };
  await page.goto(url);
  await page.locator('a[href^="#/site?"]').first().click();
  await page.locator('a[href^="#/page?"]').first().waitFor();
  await shoot('pages');
  await page.locator('a[href^="#/page?"]').first().click();
  await page.locator('a[href^="#/replay?"]').first().waitFor();
  await shoot('captures');
  await page.locator('a[href^="#/replay?"]').first().click();
  // The service worker starts, fetches the collection, then the page within two frames.
  await page.waitForTimeout(6000);
  await shoot('replay');
  await page.goto(`${url}/#/crawls`);
  await page.locator('a[href^="#/crawl?"]').first().click();
  await shoot('crawl');
} finally {
  await browser.close();
  demo.kill('SIGINT');
}
