import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findChromium } from '../../src/capture/browser/find-chromium.ts';
import { daguerre, FAST, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

const KEY = { DAGUERRE_SESSION_KEY: 'a key of the tests, long enough' };
const SET = 'visitor=seven-of-nine';

let site: SmallSite;
/** Cookies by path, as they came; of the last request for it. */
const got = new Map<string, string>();
/** The page that is never answered, while set. */
let hangs: string | undefined;

beforeAll(async () => {
  site = await startSite((path, request: IncomingMessage) => {
    got.set(path, request.headers.cookie ?? '');
    if (path === hangs) return () => {};
    if (path === '/') return { body: page('One', ['/b']), headers: { 'Set-Cookie': SET } };
    if (path === '/b')
      return `${page('Two', ['/c'])}<script>document.cookie = 'written=in-the-page'; localStorage.note = 'kept'</script>`;
    if (path === '/c') return `${page('Three')}<script>fetch('/told?' + localStorage.note)</script>`;
    return path.startsWith('/told') ? 'ok' : undefined;
  });
});
afterAll(() => site.close());
beforeEach(() => {
  got.clear();
  hangs = undefined;
});

const crawl = (archive: string, flags: readonly string[], env = {}) =>
  daguerre(['archive', `${site.url}/`, '--archive', archive, ...FAST, ...flags], { env });

const noChromium = await findChromium().then(
  () => false,
  () => true,
);
if (noChromium) console.warn('skipped: sessions in the browser, because there is no Chromium');

it('--session page => every page meets a visitor without cookies', async () => {
  expect((await crawl(await temporaryFolder(), [])).code).toBe(0);
  expect([got.get('/b'), got.get('/c')]).toEqual(['', '']);
});

describe.skipIf(noChromium)('--session crawl, in the browser', () => {
  it('cookies of answers and of scripts, and storage, go along', async () => {
    const { code } = await crawl(await temporaryFolder(), ['--session', 'crawl', '--render', 'auto']);
    expect(code).toBe(0);
    expect(got.get('/b')).toBe(SET);
    expect(got.get('/c')?.split('; ').sort()).toEqual([SET, 'written=in-the-page']);
    expect(got.has('/told?kept')).toBe(true);
  });
});

describe('--session-file', () => {
  it('the next crawl goes on with the session; on disk nothing can be read', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'visitor.session');
    const flags = ['--session', 'crawl', '--session-file', file];
    expect((await crawl(join(folder, 'a'), flags, KEY)).code).toBe(0);
    expect(await readFile(file, 'latin1')).toMatch(/^daguerre-session 1 [\w+/=]+\n$/);
    expect((await crawl(join(folder, 'b'), flags, KEY)).code).toBe(0);
    expect(got.get('/')).toBe(SET);
    const other = { DAGUERRE_SESSION_KEY: 'another key than the right one' };
    const { code, stderr } = await crawl(join(folder, 'b'), flags, other);
    expect([code, stderr.includes('is not the key it was written with')]).toEqual([2, true]);
  });

  it('kill -9, and the same command => the session of the stored visits', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'visitor.session');
    const archive = join(folder, 'archive');
    hangs = '/b';
    const flags = ['--session', 'crawl', '--session-file', file];
    const running = spawnDaguerre(['archive', `${site.url}/`, '--archive', archive, ...FAST, ...flags], {
      env: KEY,
    });
    while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 50));
    running.child.kill('SIGKILL');
    await running.ended;
    hangs = undefined;
    got.clear();
    expect((await crawl(archive, flags, KEY)).code).toBe(0);
    expect([got.has('/'), got.get('/b')]).toEqual([false, SET]);
  });
});

describe('secrets, and crawls that go on', () => {
  it('begun with --cookie, the same without => refused by name; with it => goes on', async () => {
    const archive = await temporaryFolder();
    hangs = '/b';
    const secret = ['--cookie', 'env:MEMBER'];
    const args = ['archive', `${site.url}/`, '--archive', archive, ...FAST, ...secret];
    const running = spawnDaguerre(args, { env: { MEMBER: 'sid=not-to-be-told' } });
    await site.seen(site.asked.filter((path) => path !== '/robots.txt').length + 2);
    running.child.kill('SIGINT');
    running.child.kill('SIGINT');
    await running.ended;
    hangs = undefined;
    const refused = await crawl(archive, []);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('was begun with --cookie, which are not stored');
    const resumed = await crawl(archive, secret, { MEMBER: 'sid=not-to-be-told' });
    expect([resumed.code, resumed.stderr.includes('Resuming')]).toEqual([0, true]);
    expect(got.get('/c')).toBe('sid=not-to-be-told');
  });

  it('a secret on the command line => told that ps shows it, without telling it', async () => {
    const { stderr } = await crawl(await temporaryFolder(), ['--header', 'X-Key: plain-secret']);
    expect(stderr).toContain("'ps'");
    expect(stderr).not.toContain('plain-secret');
  });
});
