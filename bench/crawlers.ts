/** The commands under comparison. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Contestant, DAGUERRE } from './contest.ts';

const NODE = process.execPath;
const peer = (file: string): string => fileURLToPath(new URL(`peers/${file}`, import.meta.url));

/** `bin`: the command of another build, for comparing two of them. */
export function daguerreHttp(connections: number, bin = DAGUERRE): Contestant {
  const settings = [
    '--render',
    'never',
    '--delay',
    '0',
    '--per-host',
    String(connections),
    '--allow-private',
  ];
  return {
    name: `Daguerre, ${counted(connections)}`,
    command: (url, folder) => [NODE, bin, 'archive', url, '--archive', folder, '--json', ...settings],
  };
}

/** With compressed WARC, its default, and no other option that costs time. */
export const WGET: Contestant = {
  name: 'wget, 1 connection',
  command: (url) => ['wget', '--recursive', '--level=inf', '--quiet', '--warc-file=wget', url],
};

export function crawleeHttp(kind: 'cheerio' | 'http', connections: number): Contestant {
  const name = kind === 'cheerio' ? 'CheerioCrawler' : 'HttpCrawler';
  return {
    name: `crawlee ${name}, ${counted(connections)}`,
    command: (url) => [NODE, peer('crawlee-http.mjs'), kind, url, String(connections)],
  };
}

export function daguerreRendered(tabs: number, bin = DAGUERRE): Contestant {
  const settings = ['--render', 'auto', '--delay', '0', '--allow-private'];
  return {
    name: `Daguerre, ${tabs} pages at once`,
    everyFile: true,
    command: (url, folder) => [
      ...[NODE, bin, 'archive', url, '--archive', folder, '--json', ...settings],
      // Pages that request from the server at once; meanwhile one more may have its screenshot taken.
      ...['--per-host', String(tabs)],
    ],
  };
}

export function crawleeRendered(
  tabs: number,
  chromium: { path: string; env: Record<string, string> },
): Contestant {
  return {
    name: `crawlee PlaywrightCrawler, ${tabs} pages at once`,
    everyFile: true,
    env: chromium.env,
    command: (url) => [NODE, peer('crawlee-rendered.mjs'), url, String(tabs), chromium.path],
  };
}

const counted = (connections: number): string => `${connections} connection${connections === 1 ? '' : 's'}`;

export function hasWget(): boolean {
  return spawnSync('wget', ['--version']).status === 0;
}

export function hasCrawlee(): boolean {
  return existsSync(new URL('node_modules/@crawlee/http', import.meta.url));
}

export const CRAWLEE_ABSENT = 'crawlee was left out: run `npm ci --prefix bench` to get it.';
