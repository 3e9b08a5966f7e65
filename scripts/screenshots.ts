/** Takes the pictures of the README from a fresh demo: `npm run screenshots`. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium } from '../src/capture/browser/index.ts';

const path = (relative: string): string => fileURLToPath(new URL(`../${relative}`, import.meta.url));

const bin = path('bin/daguerre.js');
const folder = mkdtempSync(join(tmpdir(), 'daguerre-screenshots-'));
const archive = join(folder, 'archive');

/** The demo as a user would start it; its address is the one line it prints. */
const demo = spawn(
  process.execPath,
  [bin, 'demo', '--json', '--port', '0', '--replay-port', '0', '--archive', archive],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
/** Another command, on the same archive unless another is named. */
const daguerre = (...args: string[]): string =>
  execFileSync(
    process.execPath,
    [bin, ...args, ...(args.includes('--archive') ? [] : ['--archive', archive])],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
const [line] = (await once(createInterface({ input: demo.stdout }), 'line')) as [string];
const { url } = JSON.parse(line) as { url: string };

/**
 * Of a paper on which a second is two hours, captured twice to learn its rates and then with revisits, while it changes.
 * The server has a process of its own: the commands are waited for.
 */
async function sharpnessReport(): Promise<string> {
  const sharp = ['--archive', join(folder, 'sharp')];
  const source = `
    import { createNewspaper, fastClock, startNewspaper } from '${new URL('../src/lab/newspaper/index.ts', import.meta.url).href}';
    const start = Date.UTC(2026, 2, 2, 8);
    const world = createNewspaper({ seed: 7, start, size: 'small' });
    const { origin } = await startNewspaper({ world, clock: fastClock({ start, speed: 7200 }).now, ads: 'off' });
    console.log(origin);`;
  const paper = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', source], {
    cwd: path('.'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [origin] = (await once(createInterface({ input: paper.stdout }), 'line')) as [string];
    const crawl = [
      'archive',
      `${origin}/`,
      '--allow-private',
      '--render',
      'never',
      '--delay',
      '20ms',
      ...sharp,
    ];
    for (const revisit of ['none', 'none', 'sharp']) daguerre(...crawl, '--revisit', revisit);
    const report = join(folder, 'report.html');
    daguerre('report', `${origin}/`, '--format', 'html', '--out', report, ...sharp);
    return report;
  } finally {
    paper.kill();
  }
}

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

  // The front page between two captures, where it changed most, and how good the last capture of the paper is.
  const crawls = (await (await fetch(`${url}/api/crawls`)).json()) as { spec: { seeds: string[] } }[];
  const front = crawls[0]?.spec.seeds[0] as string;
  const changes = daguerre('changes', '--url', front, '--json').split('\n', 1);
  const change = JSON.parse(changes[0] as string) as { from: number; to: number };
  const capture = (at: number): string => `${front}@${new Date(at).toISOString()}`;
  const changeView = join(folder, 'change.html');
  daguerre('diff', capture(change.from), capture(change.to), '--format', 'html', '--out', changeView);
  await page.goto(pathToFileURL(changeView).href);
  await shoot('change');
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.goto(pathToFileURL(await sharpnessReport()).href);
  await shoot('sharpness');
} finally {
  await browser.close();
  demo.kill('SIGINT');
  await once(demo, 'exit');
  rmSync(folder, { recursive: true });
}
