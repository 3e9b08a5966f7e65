/**
 * A page in replay beside the same page live, both on loopback, in one Chromium: `npx tsx bench/replay.ts [--json] [--pages N] [--rounds N]`.
 *
 * A made-up site (a style sheet, a script, a logo and pictures on each page) is archived; its server stays up. In turns each page is opened
 * live and in replay, where the service worker is there already, as for all pages but the first. The time is what the browser itself tells
 * of the document: from the beginning of its navigation to the end of its load event. Nothing is cached on either side. The ratio is of
 * both times of one turn; its median counts, and other work on the machine hits both.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Frame, type Page } from 'playwright-core';
import { findChromium } from '../src/capture/browser/find-chromium.ts';
import { serveArchive } from '../src/server/serve-archive.ts';
import { hrefs } from '../web/router.ts';
import { median, print, round } from './figures.ts';
import { runCommand } from './run-command.ts';
import { startSite } from './site-server.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    pages: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '10' },
  },
});
const folder = await mkdtemp(join(tmpdir(), 'daguerre-replay-'));
const site = await startSite('rich', Number(values.pages));
const { path, env } = await findChromium();
const browser = await chromium.launch({
  executablePath: path,
  env: { ...process.env, ...env },
  args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE *.localhost'],
});

/** Milliseconds from the beginning of the navigation to the end of the load event, as the document tells it. */
const LOADED = `new Promise((done) => {
  const look = () => {
    const [entry] = performance.getEntriesByType('navigation');
    if (entry && entry.loadEventEnd > 0) done(entry.loadEventEnd - entry.startTime);
    else setTimeout(look, 5);
  };
  look();
})`;

async function live(tab: Page, url: string): Promise<number> {
  await tab.goto(url, { waitUntil: 'load' });
  return (await tab.evaluate(LOADED)) as number;
}

/** The web page leads its frame to the capture; the frame of the archived document tells the time. */
async function replayed(tab: Page, ui: string, url: string): Promise<number> {
  await tab.goto(`${ui}/${hrefs.replay(url, '')}`);
  const isShown = (frame: Frame): boolean =>
    frame.url().includes('/w/scripts/') && frame.url().endsWith(`/${url}`);
  for (;;) {
    const frame = tab.frames().find(isShown);
    const taken = await frame?.evaluate(LOADED).catch(() => undefined);
    if (typeof taken === 'number') return taken;
    await tab.waitForTimeout(20);
  }
}

try {
  await runCommand([
    ...[process.execPath, 'bin/daguerre.js', 'archive', site.url, '--archive', join(folder, 'archive')],
    ...['--allow-private', '--delay', '0', '--render', 'always', '--json'],
  ]);
  const server = await serveArchive({ archive: join(folder, 'archive') }, { port: 0, replayPort: 0 });
  const listed = (await (await fetch(`${server.url}/api/pages?limit=${values.pages}`)).json()) as {
    rows: { url: string }[];
  };
  const pages = listed.rows.map(({ url }) => url);
  const context = await browser.newContext();
  const [shown, own] = [await context.newPage(), await context.newPage()];
  const cache = await context.newCDPSession(own);
  await cache.send('Network.setCacheDisabled', { cacheDisabled: true });
  // The first opening of each brings the service worker.
  const first = await replayed(shown, server.url, pages[0] as string);
  const [lives, replays, ratios]: [number[], number[], number[]] = [[], [], []];
  for (let turn = 0; turn < Number(values.rounds); turn++)
    for (const [i, url] of pages.entries()) {
      const isLiveFirst = (turn + i) % 2 === 0;
      const before = isLiveFirst ? await live(own, url) : undefined;
      const replay = await replayed(shown, server.url, url);
      const direct = before ?? (await live(own, url));
      if (turn === 0) continue;
      lives.push(direct);
      replays.push(replay);
      ratios.push(replay / direct);
    }
  await server.close();
  ratios.sort((a, b) => a - b);
  print(
    {
      title: `A page in replay beside the same page live, ${pages.length} pages, ${values.rounds} rounds`,
      rows: [
        { what: 'live', 'ms (median)': round(median(lives), 1) },
        { what: 'replay', 'ms (median)': round(median(replays), 1) },
        { what: 'the first in replay, with the service worker', 'ms (median)': round(first, 1) },
      ],
      ratios: [
        {
          what: 'a page in replay against live, time to its load event',
          value: median(ratios),
          aim: 1.5,
          atMost: true,
        },
      ],
      notes: [
        `half of all turns ${round(ratios[Math.floor(ratios.length / 4)] ?? 0, 2)} to ${round(ratios[Math.floor((ratios.length * 3) / 4)] ?? 0, 2)} times as long`,
      ],
    },
    values.json,
  );
} finally {
  await browser.close();
  site.close();
  await rm(folder, { recursive: true, force: true });
}
