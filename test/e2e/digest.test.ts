import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../src/capture/browser/find-chromium.ts';
import { capturesOf, daguerre, temporaryFolder } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

const PASSWORD = 'canary-digest-4b7e';
const REALM = 'members';
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

const noChromium = await findChromium().then(
  () => false,
  () => true,
);
if (noChromium) console.warn('skipped: Digest in the browser, because there is no Chromium');

let site: SmallSite;
let nonce = 'first';
const seen: string[] = [];

/** As a server checks it, by the fields of the request itself. */
function isMember({ method = '', url = '', headers: { authorization = '' } }: IncomingMessage): boolean {
  const field = (name: string): string =>
    new RegExp(`(?:^|[ ,])${name}="?([^",]*)`).exec(authorization)?.[1] ?? '';
  if (!authorization.startsWith('Digest ') || field('nonce') !== nonce || field('uri') !== url) return false;
  const secret = md5(`reader:${REALM}:${PASSWORD}`);
  const bound = `${nonce}:${field('nc')}:${field('cnonce')}:auth`;
  return field('response') === md5(`${secret}:${bound}:${md5(`${method}:${url}`)}`);
}

beforeAll(async () => {
  site = await startSite((path, request) => {
    seen.push(request.headers.authorization ?? '');
    if (!isMember(request))
      return {
        status: 401,
        headers: { 'WWW-Authenticate': `Digest realm="${REALM}", nonce="${nonce}", qop="auth"` },
        body: 'who are you?',
      };
    if (path === '/style.css?a=1')
      return { headers: { 'Content-Type': 'text/css' }, body: 'p { color: red }' };
    // From here on the server wants another nonce, as most do after some minutes.
    if (path === '/next') nonce = 'second';
    if (path !== '/' && path !== '/next') return undefined;
    return `${page('Members', ['/next'])}<link rel="stylesheet" href="/style.css?a=1">`;
  });
});
afterAll(() => site.close());

const crawl = async (credentials: string, ...more: string[]) => {
  const archive = join(await temporaryFolder(), 'archive');
  const flags = [
    '--allow-private',
    '--delay',
    '0',
    '--no-robots',
    '--attempts',
    '1',
    '--workers',
    '1',
    '--json',
  ];
  const given = [
    'archive',
    `${site.url}/`,
    '--archive',
    archive,
    '--credentials',
    credentials,
    ...flags,
    ...more,
  ];
  return { archive, run: await daguerre(given) };
};

describe.skipIf(noChromium)('HTTP Digest', () => {
  it('a site behind it => captured over HTTP and in the browser, through a change of nonce; no password is sent', async () => {
    const { archive, run } = await crawl(`digest reader:${PASSWORD}`);
    expect(run.json()).toMatchObject({ captured: 2, failed: 0 });
    const style = (await capturesOf(archive)).find(({ url }) => url.endsWith('/style.css?a=1'));
    expect(style).toMatchObject({ status: 200 });
    expect(seen.filter((field) => field.startsWith('Basic'))).toEqual([]);
    expect(run.stdout + run.stderr).not.toContain(PASSWORD);
  });

  it('a wrong password => a login wall, asked twice and no more', async () => {
    seen.length = 0;
    const { run } = await crawl('reader:canary-wrong-77', '--render', 'never');
    expect(run.json()).toMatchObject({ captured: 0, failures: { 'login-wall': 1 } });
    expect(seen.map((field) => field.split(' ', 1)[0])).toEqual(['Basic', 'Digest']);
  });
});
