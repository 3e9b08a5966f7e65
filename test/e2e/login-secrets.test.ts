import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../src/capture/browser/find-chromium.ts';
import { isPrivateFile } from '../../src/model/private-capture.ts';
import { openZip } from '../../src/warc/wacz/zip-reader.ts';
import { capturesOf, collect, complaints, daguerre, temporaryFolder, withCatalog } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

/** Canaries: none of these may be found in anything that the crawl leaves behind. */
const COOKIE = 'canary-cookie-5c1f';
const KEY = 'canary-header-77aa';
const PASSWORD = 'canary-password-19e0';
const SESSION = 'canary-session-e4d2';
const STORED = 'canary-storage-0b3d';
const BASIC = Buffer.from(`reader:${PASSWORD}`).toString('base64');
const CANARIES = [COOKIE, KEY, PASSWORD, SESSION, STORED, BASIC];

const STYLE = `body { color: black } /* ${'shared '.repeat(40)} */`;

let site: SmallSite;
/** Requests with all that was supplied, and conditional ones without. */
const members: string[] = [];
const conditional: string[] = [];
const strangers: string[] = [];

function isMember({ headers }: IncomingMessage): boolean {
  return (
    (headers.cookie?.includes(`sid=${COOKIE}`) ?? false) &&
    headers['x-api-key'] === KEY &&
    headers.authorization === `Basic ${BASIC}`
  );
}

let elsewhere: SmallSite;
beforeAll(async () => {
  elsewhere = await startSite((path, { headers }) => {
    if (headers.cookie !== undefined || headers['x-api-key'] !== undefined || headers.authorization)
      strangers.push(path);
    return { body: 'x', headers: { 'Content-Type': 'text/plain' } };
  }, '127.0.0.2');
  site = await startSite((path, request) => {
    const member = isMember(request);
    if (member) members.push(path);
    else if (request.headers['if-none-match'] !== undefined) conditional.push(path);
    const headers = { ETag: '"same"', 'Set-Cookie': `session=${SESSION}; HttpOnly` };
    if (path === '/style.css') return { body: STYLE, headers: { 'Content-Type': 'text/css' } };
    if (path === '/seen') return { body: 'ok' };
    if (path !== '/') return undefined;
    const style = '<link rel="stylesheet" href="/style.css">';
    if (!member) return { body: `${page('Anybody')}${style}`, headers: { ETag: '"same"' } };
    const script = `fetch('/seen?' + (document.cookie.includes('sid=') ? 'cookie' : 'none') + '&' + (localStorage.tone ? 'storage' : 'none'))`;
    const body = `${page('Members only')}${style}<img src="${elsewhere.url}/x"><script>${script}</script>`;
    return { body, headers };
  });
});
afterAll(() => Promise.all([site.close(), elsewhere.close()]));

const noChromium = await findChromium().then(
  () => false,
  () => true,
);
if (noChromium) console.warn('skipped: logins in the browser, because there is no Chromium');

/** All files of a folder, records and packages unpacked, as one text. */
async function everythingIn(folder: string): Promise<string> {
  let text = '';
  for (const name of await readdir(folder, { recursive: true })) {
    const bytes = await readFile(join(folder, name)).catch(() => Buffer.alloc(0));
    text += name + plain(name, bytes);
    if (name.endsWith('.wacz')) text += await packageText(join(folder, name));
  }
  return text;
}

const plain = (name: string, bytes: Buffer): string =>
  (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');

async function packageText(file: string): Promise<string> {
  const zip = await openZip(file);
  let text = '';
  for (const entry of zip.entries)
    text += entry.name + plain(entry.name, Buffer.concat(await collect(zip.chunks(entry))));
  await zip.close();
  return text;
}

describe.skipIf(noChromium)('a site behind a login, then the same site as anybody sees it', () => {
  let folder: string;
  let archive: string;
  const told: string[] = [];
  const run = async (args: readonly string[], env: Record<string, string> = {}) => {
    const done = await daguerre([...args, '--archive', archive], { env });
    told.push(done.stdout, done.stderr);
    return done;
  };
  const crawl = (flags: readonly string[], env: Record<string, string> = {}) =>
    run(
      ['archive', `${site.url}/`, '--allow-private', '--delay', '0', '--json', '--page-limit', '1', ...flags],
      env,
    );

  beforeAll(async () => {
    folder = await temporaryFolder();
    archive = join(folder, 'archive');
    await writeFile(join(folder, 'cookies'), `sid=${COOKIE}\n`);
    const state = {
      cookies: [{ name: 'sid', value: COOKIE, domain: '127.0.0.1', path: '/' }],
      origins: [{ origin: site.url, localStorage: [{ name: 'tone', value: STORED }] }],
    };
    await writeFile(join(folder, 'state.json'), JSON.stringify(state));
  });

  it('cookie, header, credentials and storage => held over HTTP and in the browser, for the host of the seed alone', async () => {
    const secrets = ['--cookie', `file:${join(folder, 'cookies')}`, '--header', 'env:API_KEY'];
    const state = ['--credentials', 'env:LOGIN', '--storage-state', join(folder, 'state.json')];
    const { code, stderr, json } = await crawl([...secrets, ...state], {
      API_KEY: `X-Api-Key: ${KEY}`,
      LOGIN: `reader:${PASSWORD}`,
    });
    expect(stderr).not.toContain("'ps'");
    expect([code, json<{ captured: number }>().captured]).toEqual([0, 1]);
    expect(members).toContain('/');
    expect(members).toContain('/style.css');
    expect(members).toContain('/seen?cookie&storage');
    expect(strangers).toEqual([]);
    const facts = await capturesOf(archive);
    expect(facts.every(({ file }) => isPrivateFile(file))).toBe(true);
    const [{ spec } = { spec: undefined }] = await withCatalog(archive, (catalog) => catalog.crawls());
    expect(spec?.supplied).toEqual(['cookie', 'header', 'credentials', 'storage-state']);
  });

  it('as anybody, afterwards => no condition, digest or delta of the private captures, all stored in full', async () => {
    expect((await crawl([])).code).toBe(0);
    expect(conditional).toEqual([]);
    const facts = (await capturesOf(archive)).filter(({ file }) => !isPrivateFile(file));
    expect(facts.filter(({ type }) => type === 'revisit')).toEqual([]);
    expect(facts.map(({ url }) => url)).toContain(`${site.url}/style.css`);
    expect(facts.filter(({ url }) => url.startsWith('urn:delta:'))).toEqual([]);
    expect((await crawl([])).json()).toMatchObject({ unchanged: 1 });
    expect(conditional).toContain('/');
    expect(await complaints(archive)).toEqual([]);
  });

  it('export => what anybody saw; with --include-private all; after reindex the same', async () => {
    const out = join(folder, 'public.wacz');
    expect((await run(['export', '--out', out, '--json'])).json()).toMatchObject({ privateFiles: 1 });
    const has = async (file: string, text: string) => (await packageText(file)).includes(text);
    expect([await has(out, 'Anybody'), await has(out, 'Members only'), await has(out, 'private~')]).toEqual([
      ...[true, false, false],
    ]);
    for (const format of ['cdxj', 'site-delta']) {
      await run(['export', '--format', format, '--out', join(folder, `public.${format}`)]);
      expect((await readFile(join(folder, `public.${format}`), 'utf8')).includes('private~')).toBe(false);
    }
    expect((await run(['reindex', '--json'])).code).toBe(0);
    expect((await run(['export', '--out', out, '--json'])).json()).toMatchObject({ privateFiles: 1 });
    const all = join(folder, 'all.wacz');
    expect((await run(['export', '--out', all, '--include-private', '--json'])).code).toBe(0);
    expect(await has(all, 'Members only')).toBe(true);
  });

  it('everything left behind, and everything said => no canary; the fields are named', async () => {
    await Promise.all([rm(join(folder, 'cookies')), rm(join(folder, 'state.json'))]);
    await run(['verify', '--json']);
    await run(['why', `${site.url}/`]);
    const text = `${await everythingIn(folder)}${told.join('')}`;
    for (const canary of CANARIES) expect(text.includes(canary), canary).toBe(false);
    const fact = 'stored as [redacted]: the values of Authorization, Cookie, Set-Cookie, X-Api-Key';
    for (const told of ['Cookie: [redacted]', 'Authorization: [redacted]', fact])
      expect(text.includes(told), told).toBe(true);
  });
});
