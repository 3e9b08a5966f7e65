/**
 * What `daguerre check` would see if it went through the replay that readers use, beside what it sees: scores and seconds a page.
 *
 *   npx tsx bench/check/through-serve.ts --archive DIR [--pages 20]
 *
 * The archive is one of whole pages (bench/check.ts leaves one in DIR/whole): every score below 1 is noise of the road that was taken.
 */
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Frame, type Page } from 'playwright-core';
import { openVersionEye } from '../../src/archive/analyse/look-at-version.ts';
import { choosePages } from '../../src/archive/check/choose-pages.ts';
import { openAdRecogniser } from '../../src/archive/look/page-parts.ts';
import { openForReading } from '../../src/archive/open/open-archive.ts';
import { snapshotScript } from '../../src/capture/browser/snapshot-script.ts';
import { textOf } from '../../src/model/body.ts';
import { snapshotUri } from '../../src/model/derived-uris.ts';
import { unpackSnapshot } from '../../src/model/snapshot-codec.ts';
import { judgeReplay } from '../../src/science/check/judge-replay.ts';
import { lookShift } from '../../src/science/check/look-shift.ts';
import { analyseSnapshot } from '../../src/stages/analyse-snapshot.ts';
import { spawnDaguerre } from '../../test/daguerre-process.ts';
import { chromiumPath } from '../../test/e2e/chromium-path.ts';
import { CHROMIUM_ARGS, replayAddress } from '../../test/e2e/replay-address.ts';

const WINDOW = { width: 1280, height: 1024 };
/** Milliseconds without a request that count as quiet, and the longest wait for them. */
const QUIET = { for: 1000, atMost: 20_000 };

const { values } = parseArgs({
  options: { archive: { type: 'string' }, pages: { type: 'string', default: '20' } },
});
if (values.archive === undefined) throw new Error('--archive: of whole pages');
const archive = await openForReading({ archive: values.archive });
const { versions } = await choosePages(archive, { sample: Number(values.pages), seed: 1 });
const ads = (await openAdRecogniser()).recogniser;
const eye = openVersionEye(archive, { tabs: 1, timeLimit: 60_000, asReplayed: true });
const serving = spawnDaguerre(['serve', '--archive', values.archive, '--port', '0']);
const address = /http:\/\/[^\s]+/.exec(await serving.said('http://'))?.[0]?.replace(/\/$/, '') ?? '';
const browser: Browser = await chromium.launch({ executablePath: await chromiumPath(), args: CHROMIUM_ARGS });
const sums = { offline: { score: 0, seconds: 0, alarms: 0 }, serve: { score: 0, seconds: 0, alarms: 0 } };
try {
  for (const { url, at, layoutAt } of versions) {
    const fact = await archive.catalog.closest(snapshotUri(url), layoutAt);
    if (!fact) continue;
    const live = withoutPictures(await textOf((await archive.reader.read(fact)).payload));
    const score = (packed: string | undefined): number => {
      if (packed === undefined) return 0;
      const version = new Date(at).toISOString();
      const previous = { kind: 'snapshot', packed: withoutPictures(packed), version } as const;
      const analysis = analyseSnapshot({ url, version, packed: live, previous }, ads);
      const operations = analysis.kind === 'changed' ? analysis.change.operations : [];
      const shift = lookShift(unpackSnapshot(live), unpackSnapshot(packed));
      return judgeReplay({ operations, shift, missing: [] }).score;
    };
    const roads = {
      offline: async () => (await eye.look(url, at)).packed,
      serve: () => throughServe(browser, url, at),
    };
    for (const road of ['offline', 'serve'] as const) {
      const begun = performance.now();
      const packed = await roads[road]().catch((error: unknown) => {
        console.error(`${road} ${url}: ${String(error).split('\n')[0]}`);
        return undefined;
      });
      const seconds = (performance.now() - begun) / 1000;
      const own = score(packed);
      console.log(`${road.padEnd(7)} ${own.toFixed(4)} ${seconds.toFixed(1)} s ${url}`);
      sums[road].score += own / versions.length;
      sums[road].seconds += seconds / versions.length;
      if (own < 0.9) sums[road].alarms++;
    }
  }
  console.log(JSON.stringify({ pages: versions.length, ...sums }));
} finally {
  await browser.close();
  serving.child.kill('SIGTERM');
  await eye.close();
  await archive.close();
}

async function throughServe(browser: Browser, url: string, at: number): Promise<string | undefined> {
  const tab = await browser.newPage({ viewport: WINDOW });
  try {
    await tab.goto(replayAddress(address, url, at));
    let frame = await replayed(tab, url);
    // The page stands in a frame below the time bar: the window grows until the frame is as large as the live one.
    const [width, height] = (await frame.evaluate('[innerWidth, innerHeight]')) as [number, number];
    await tab.setViewportSize({ width: 2 * WINDOW.width - width, height: 2 * WINDOW.height - height });
    await tab.goto('about:blank');
    await tab.goto(replayAddress(address, url, at));
    frame = await replayed(tab, url);
    await quiet(tab);
    // Addresses as the page has them, not as replay writes them.
    const packed = (await frame.evaluate(snapshotScript())) as string;
    return packed.replace(/https?:\/\/[^"/\s]+\/w\/[^"/\s]+\/\d+(?:[a-z]+_)?\//g, '');
  } finally {
    await tab.close();
  }
}

async function replayed(tab: Page, url: string): Promise<Frame> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await tab.waitForTimeout(50)) {
    const found = tab
      .frames()
      .find((frame) => /\/w\/[^/]+\/\d+(?:mp|if)_\//.test(frame.url()) && frame.url().endsWith(`/${url}`));
    if (found) {
      await found.waitForLoadState('load', { timeout: 30_000 }).catch(() => {});
      return found;
    }
  }
  throw new Error('it was not replayed within 30 s');
}

async function quiet(tab: Page): Promise<void> {
  let last = Date.now();
  tab.on('request', () => {
    last = Date.now();
  });
  const end = Date.now() + QUIET.atMost;
  while (Date.now() - last < QUIET.for && Date.now() < end) await tab.waitForTimeout(100);
}

/** Replay's addresses are others: pictures are told by their addresses on both sides. */
function withoutPictures(packed: string): string {
  const { pictures: _, ...rest } = JSON.parse(packed) as Record<string, unknown>;
  return JSON.stringify(rest);
}
