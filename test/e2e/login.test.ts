import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../src/capture/browser/browser-process.ts';
import { findChromium } from '../../src/capture/browser/find-chromium.ts';
import { capturesOf, daguerre, FAST, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

const KEY = { DAGUERRE_SESSION_KEY: 'a key of the tests, long enough' };
const COOKIE = 'sid=canary-of-the-window';

/** A site that lets in who has posted its form; a script of the page does what a person would. */
let site: SmallSite;
let isLoggedIn: () => void = () => {};
const members: string[] = [];
beforeAll(async () => {
  site = await startSite((path, request: IncomingMessage) => {
    if (path === '/login')
      return '<title>Log in</title><form method="post" action="/enter"></form><script>document.forms[0].submit()</script>';
    if (path === '/enter')
      return { status: 303, headers: { Location: '/home', 'Set-Cookie': `${COOKIE}; Max-Age=86400` } };
    const isMember = request.headers.cookie?.includes(COOKIE) ?? false;
    if (isMember) members.push(path);
    if (path === '/home' && isMember) isLoggedIn();
    return path === '/robots.txt' || path === '/favicon.ico'
      ? undefined
      : page(isMember ? 'Member' : 'Stranger');
  });
});
afterAll(() => site.close());

const crawl = (archive: string, flags: readonly string[], env = {}) =>
  daguerre(['archive', `${site.url}/home`, '--archive', archive, ...FAST, ...flags], { env });

const windowed = await findChromium({ env: process.env, beyondPath: true, window: true }).catch(
  () => undefined,
);
const xvfb = ['/usr/bin/Xvfb', '/usr/local/bin/Xvfb'].find(existsSync);
const whyNot = !xvfb ? 'there is no Xvfb' : windowed ? undefined : 'there is no Chromium that opens windows';
if (whyNot) console.warn(`skipped: a login in a window, because ${whyNot}`);

describe.skipIf(whyNot !== undefined)('daguerre login, on a display', () => {
  let display: string;
  let stop: () => void;
  beforeAll(async () => {
    // It chooses a free number, and says so once it listens.
    const server = spawn(xvfb ?? '', ['-displayfd', '3', '-screen', '0', '1024x768x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    stop = () => void server.kill();
    display = await new Promise<string>((resolve, reject) => {
      server.stdio[3]?.once('data', (number: Buffer) => resolve(`:${number.toString().trim()}`));
      server.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
    });
  });
  afterAll(() => stop?.());

  it('a person logs in and presses Enter => crawls go on from there, privately', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'site.session');
    const entered = new Promise<void>((resolve) => {
      isLoggedIn = resolve;
    });
    const running = spawnDaguerre(
      ['login', `${site.url}/login`, '--session-file', file, '--allow-private', '--json'],
      { env: { ...KEY, DISPLAY: display } },
    );
    await Promise.race([entered, running.ended]);
    running.child.stdin.write('\n');
    const done = await running.ended;
    expect([done.code, done.stderr]).toEqual([0, expect.stringContaining('Log in in the window')]);
    expect(done.json()).toMatchObject({ cookies: 1, file });
    members.length = 0;
    const archive = join(folder, 'archive');
    expect((await crawl(archive, ['--session-file', file], KEY)).code).toBe(0);
    expect(members).toContain('/home');
    expect((await capturesOf(archive)).every(({ file: name }) => name.startsWith('private~'))).toBe(true);
  }, 180_000);
});

it('daguerre login without a display => exit code 2, and what to do', async () => {
  const folder = await temporaryFolder();
  const args = ['login', `${site.url}/login`, '--session-file', join(folder, 'x')];
  const { code, stderr } = await daguerre(args, { env: { ...KEY, DISPLAY: '', WAYLAND_DISPLAY: '' } });
  expect([code, stderr.includes('there is no display')]).toEqual([2, true]);
});

const chromium = await findChromium().catch(() => undefined);
if (!chromium) console.warn('skipped: profiles, because there is no Chromium');

describe.skipIf(!chromium)('--profile', () => {
  it('the profile of a Chromium => its cookies, and the profile stays as it is', async () => {
    const profile = await mkdtemp(join(tmpdir(), 'daguerre-test-profile-'));
    try {
      await makeProfile(profile);
      members.length = 0;
      const { code, stderr } = await crawl(await temporaryFolder(), ['--profile', profile]);
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('--profile:')]);
      expect(members).toContain('/home');
    } finally {
      await rm(profile, { recursive: true, force: true });
    }
  }, 120_000);
});

/** A browser that was used, and closed as people close it: it then writes its cookies down. */
async function makeProfile(profile: string): Promise<void> {
  if (!chromium) return;
  const { hostname } = new URL(site.url);
  const [name = '', value = ''] = COOKIE.split('=');
  const flags = [`--user-data-dir=${profile}`];
  const browser = await launchBrowser({ chromium, proxy: undefined, extraFlags: flags });
  const expires = Date.now() / 1000 + 86_400;
  await browser.connection.browser.send('Storage.setCookies', {
    cookies: [{ name, value, domain: hostname, path: '/', expires }],
  });
  await browser.connection.browser.send('Browser.close').catch(() => {});
  while (isAlive(browser.pid)) await new Promise((resolve) => setTimeout(resolve, 50));
  await browser.close();
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
