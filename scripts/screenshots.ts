/** Takes the pictures of README and docs from a fresh demo, one of each place: `npm run screenshots [archive of an earlier demo]`. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BrowserContextOptions, chromium } from 'playwright-core';
import { findChromium } from '../src/capture/browser/index.ts';
import { TOWN_PROMISE } from '../src/lab/newspaper/index.ts';
import type { CertificateRow, ChangeRow, SiteRow } from '../src/server/api-types.ts';
import { digitsOf } from '../web/format.ts';
import { hrefs } from '../web/router.ts';

const path = (relative: string): string => fileURLToPath(new URL(`../${relative}`, import.meta.url));

const bin = path('bin/daguerre.js');
const folder = mkdtempSync(join(tmpdir(), 'daguerre-screenshots-'));
const given = process.argv[2];
const archive = given ?? join(folder, 'archive');

/** As a user would start it; its address is the one line it prints. */
const command = given === undefined ? 'demo' : 'serve';
/** The demonstration serves its plan; serving its archive later requires naming it. */
const plan: string[] = [];
if (given !== undefined) {
  const settings = join(folder, 'server.yaml');
  writeFileSync(settings, `watch: ${resolve(archive, 'watch.yaml')}\n`);
  plan.push('--config', settings);
}
const demo = spawn(
  process.execPath,
  [bin, command, '--json', '--port', '0', '--replay-port', '0', '--archive', archive, ...plan],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
/** Another command, on an archive of its own. */
const daguerre = (...args: string[]): string =>
  execFileSync(process.execPath, [bin, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const [line] = (await once(createInterface({ input: demo.stdout }), 'line')) as [string];
const { url } = JSON.parse(line) as { url: string };

/**
 * For a newspaper in which a second is two hours, captured twice to learn its rates and then with revisits, while it
 * changes. The server has its own process, because the commands block this one.
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
      ...['archive', `${origin}/`, '--allow-private', '--render', 'never', '--delay', '20ms', ...sharp],
    ];
    for (const revisit of ['none', 'none', 'sharp']) daguerre(...crawl, '--revisit', revisit);
    const report = join(folder, 'report.html');
    daguerre('report', `${origin}/`, '--format', 'html', '--out', report, ...sharp);
    return report;
  } finally {
    paper.kill();
  }
}

const api = async <Answer>(question: string): Promise<Answer> =>
  (await (await fetch(`${url}/api/${question}`)).json()) as Answer;
/** The newspaper, since its neighbours are small. */
const [{ site }] = (await api<{ rows: SiteRow[] }>('sites')).rows.toSorted((a, b) => b.pages - a.pages) as [
  SiteRow,
];
const front = `http://${site}/`;
const [change] = (await api<{ rows: ChangeRow[] }>(`changes?limit=1&url=${front}`)).rows as [ChangeRow];
const times = [change.from, change.to].map(digitsOf) as [string, string];

/** The town hall's promise, at the moment that its certificate dates. */
async function proven(): Promise<string> {
  const { rows } = await api<{ rows: CertificateRow[] }>('certificates');
  const dated = rows.find(({ provenAt }) => provenAt !== null);
  if (!dated?.provenAt) return hrefs.list('prove');
  const from = new Date(dated.provenAt).toISOString();
  return hrefs.list('prove', { site: new URL(dated.seeds[0] ?? '').host, phrase: TOWN_PROMISE, from });
}

/** Milliseconds to wait at a place: replay starts a service worker first. */
const PLACES: readonly (readonly [name: string, hash: string, wait?: number])[] = [
  ['today', hrefs.today],
  ['sites', hrefs.sites],
  ['site', hrefs.pages(site)],
  ['page', hrefs.captures(front)],
  ['compare', hrefs.compare(front, ...times)],
  ['replay', hrefs.replay(front, times[1]), 8000],
  ['search', hrefs.list('search', { q: 'bridge vote' })],
  ['prove', await proven()],
  ['crawls', hrefs.crawls],
  ['crawl', hrefs.crawl(2)],
  ['plan', hrefs.list('plan')],
  ['perimeter', hrefs.list('perimeter')],
  ['decisions', hrefs.list('decisions')],
  ['alerts', hrefs.list('alerts')],
  ['lab', hrefs.list('lab')],
];
const WAIT = 3000;

const found = await findChromium();
const browser = await chromium.launch({
  executablePath: found.path,
  args: ['--no-sandbox', '--lang=en-US'],
  env: { ...process.env, ...found.env } as Record<string, string>,
});

async function shoot(
  name: string,
  address: string,
  wait = WAIT,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    ...options,
  });
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForTimeout(wait);
  // Charts appear only after their data has been read.
  for (let looks = 0; looks < 240 && (await page.locator('p.loading').count()) > 0; looks++)
    await page.waitForTimeout(250);
  await page.waitForTimeout(1000);
  await page.screenshot({ path: path(`docs/images/${name}.png`) });
  process.stderr.write(`docs/images/${name}.png\n`);
  await context.close();
}

try {
  for (const [name, hash, wait] of PLACES) await shoot(name, `${url}/${hash}`, wait);
  await shoot('page-dark', `${url}/${hrefs.captures(front)}`, WAIT, { colorScheme: 'dark' });
  await shoot('today-phone', `${url}/`, WAIT, { viewport: { width: 390, height: 800 } });
  await shoot('sharpness', pathToFileURL(await sharpnessReport()).href, WAIT, {
    viewport: { width: 1280, height: 1000 },
  });
} finally {
  await browser.close();
  demo.kill('SIGINT');
  await once(demo, 'exit');
  rmSync(folder, { recursive: true });
}
