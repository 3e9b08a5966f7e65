import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { daguerre, type Running, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { CHROMIUM_ARGS, chromiumPath } from './replay-browser.ts';
import { type Pages, page, type SmallSite, startSite } from './small-site.ts';

/** One archive, one server and one browser for the tests of the web page. Uses the build in `dist`. */

/** A title, a text and links that would do harm as markup. */
export const HOSTILE = '<img src=x onerror="window.hacked = 1">';

const paragraph = (words: string): string => `<p>${`${words} `.repeat(12)}</p>`;
const front = (
  headline: string,
  story: string,
): string => `<!doctype html><html lang="en"><title>The Quay</title>
  <h1>The Quay</h1><nav><a href="/">Home</a> <a href="/evil">Evil</a> <a href="/about">About</a></nav>
  <main><h2>${headline}</h2>${paragraph(story)}<h3><a href="/about">Tide tables of the week</a></h3></main><footer>Printed at the quay</footer></html>`;
const rest = {
  '/about': `${page('About')}${paragraph('A paper of the harbour, since 1898.')}`,
  '/evil': `<!doctype html><title>${HOSTILE.replaceAll('<', '&lt;')}</title><h1>Evil</h1>
    <p>${HOSTILE.replaceAll('<', '&lt;')}</p><a href="javascript:window.hacked=1">click</a>`,
};
export const MORNING: Pages = {
  '/': front('The harbour wall holds', 'The sea was calm all night.'),
  ...rest,
};
export const EVENING: Pages = {
  '/': front('Sea wall breaks at dawn', 'The sea came over the wall and into the streets.'),
  ...rest,
};

/** For the plan, and for rules of alerts; nothing of it runs. */
const watchFile = (url: string): string => `budget: { requestsPerHour: 600 }
defaults: { delay: 0, allowPrivate: true }
sites:
  - { url: '${url}/', capture: never, pages: { every: 1h, of: ['/'] } }
alerts:
  - { name: floods, when: { salience: 0.1 } }
`;

export interface WebArchive {
  readonly site: SmallSite;
  readonly host: string;
  readonly url: string;
  readonly browser: Browser;
  close(): Promise<void>;
}

export async function webArchive(): Promise<WebArchive> {
  const folder = await temporaryFolder();
  const archive = join(folder, 'archive');
  const site = await startSite(MORNING);
  const crawl = ['archive', `${site.url}/`, '--archive', archive, '--allow-private', '--delay', '0'];
  const run = async (...more: string[]): Promise<void> => {
    const { code, stderr } = await daguerre([...crawl, '--render', 'always', ...more]);
    if (code !== 0) throw new Error(`the crawl ended with ${code}: ${stderr}`);
  };
  await run();
  site.become(EVENING);
  await run('--revisit', 'sharp');
  await writeFile(join(folder, 'watch.yaml'), watchFile(site.url));
  return servedToWeb({ folder, archive, site, more: 'watch: watch.yaml\n' });
}

/** What is served, and whose `crawls.yaml` may ask private addresses: the site is on loopback. */
export interface ServedSite {
  readonly folder: string;
  readonly archive: string;
  readonly site: SmallSite;
  /** Lines of the server's configuration beside those of its crawls. */
  readonly more?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export async function servedToWeb({
  folder,
  archive,
  site,
  more = '',
  env = {},
}: ServedSite): Promise<WebArchive> {
  await writeFile(join(folder, 'crawls.yaml'), 'allowPrivate: true\ndelay: 0\n');
  await writeFile(join(folder, 'serve.yaml'), `crawls: crawls.yaml\n${more}`);
  const ports = ['--port', '0', '--replay-port', '0'];
  const server: Running = spawnDaguerre(
    [...['serve', '--archive', archive, '--json', '--config', join(folder, 'serve.yaml')], ...ports],
    { env },
  );
  const said = await server.said('"url"');
  const { url } = JSON.parse(said.split('\n').find((line) => line.startsWith('{')) ?? '') as { url: string };
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args: CHROMIUM_ARGS });
  return {
    site,
    host: new URL(site.url).host,
    url,
    browser,
    async close() {
      await browser.close();
      server.child.kill('SIGTERM');
      await site.close();
    },
  };
}

/** A tab that notes what goes wrong in it and what it asks of others. */
export interface Tab {
  readonly view: Page;
  readonly faults: string[];
  /** Requests that left the server and its replay hosts. */
  readonly strangers: string[];
}

export async function opened(
  archive: WebArchive,
  hash: string,
  options: BrowserContextOptions = {},
): Promise<Tab> {
  const context = await archive.browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-US',
    ...options,
  });
  const view = await context.newPage();
  const faults: string[] = [];
  const strangers: string[] = [];
  view.on('pageerror', (error) => faults.push(String(error)));
  view.on('console', (message) => {
    // A page of the API that is not there is told by the place itself; the directive is new to browsers.
    if (message.type() === 'error' && !/status of 404|'webrtc'/.test(message.text()))
      faults.push(message.text());
  });
  view.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1' && !hostname.endsWith('.localhost'))
      strangers.push(request.url());
  });
  await view.goto(`${archive.url}/${hash}`);
  return { view, faults, strangers };
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** Findings of axe that are serious or critical, in light and in dark; frames of archived pages are not ours. */
export async function seriousFindings(view: Page): Promise<readonly string[]> {
  // The page's policy forbids scripts that are written into it: this one comes by the debugger.
  if (!(await view.evaluate('typeof window.axe === "object"'))) {
    const { readFile } = await import('node:fs/promises');
    await view.evaluate(await readFile(AXE, 'utf8'));
  }
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await view.emulateMedia({ colorScheme });
    const rules = colorScheme === 'dark' ? `, runOnly: ['color-contrast']` : '';
    const { violations } = (await view.evaluate(
      `axe.run({ exclude: [['iframe']] }, { iframes: false, resultTypes: ['violations']${rules} })`,
    )) as AxeResult;
    for (const { id, impact, nodes } of violations)
      if (impact === 'serious' || impact === 'critical')
        found.push(
          `${colorScheme} ${id}: ${nodes
            .slice(0, 3)
            .map((node) => node.html.slice(0, 200))
            .join(' | ')}`,
        );
  }
  await view.emulateMedia({ colorScheme: 'light' });
  return found;
}

/** For a person to look at: DAGUERRE_SCREENSHOTS names a folder. */
export async function shot(view: Page, name: string): Promise<void> {
  const folder = process.env.DAGUERRE_SCREENSHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await view.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
