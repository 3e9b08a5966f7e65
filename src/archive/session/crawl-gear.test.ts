import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openGear } from './crawl-gear.ts';
import { SESSION_KEY, SessionFile } from './session-file.ts';
import { SESSION_SETTINGS } from './session-settings.ts';

const SEEDS = ['https://example.org/members/', 'http://plain.example/'];
const gear = (settings: object) => openGear(SESSION_SETTINGS.parse(settings), SEEDS);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

describe('bad input => refused in words that name it, and not its value', () => {
  it.each([
    [{ header: 'X-Key: a\r\nX-Other: canary' }, '--header: X-Key has a line break'],
    [{ header: 'canary' }, "expected 'Name: value'"],
    [{ header: 'Cookie: canary=b' }, 'give it by --cookie'],
    [{ header: '@a/b X-Key: canary' }, 'names no host'],
    [{ cookie: 'a=canary; b=2' }, "'b' is no attribute of a cookie"],
    [{ cookie: 'canary' }, "expected 'name=value'"],
    [{ cookie: '__Host-a=canary' }, 'a browser would not take it so'],
    [{ cookie: 'env:NO_SUCH_VARIABLE_HERE' }, 'the environment has no variable NO_SUCH_VARIABLE_HERE'],
    [{ credentials: '@ bob:canary' }, 'names no host'],
    [{ credentials: 'canary' }, "expected 'user:password'"],
    [{ credentials: 'file:/no/such/file' }, 'there is no such file'],
    [{ storageState: 'package.json' }, 'holds neither cookies nor storage'],
    [{ storageState: 'README.md' }, 'is not JSON'],
    [{ profile: 'src' }, 'is no profile of Chromium'],
    [{ profile: '/no/such/folder' }, 'there is no folder'],
    [{ proxy: 'ftp://user:canary@proxy' }, "'ftp://…@proxy' is no proxy"],
    [{ proxy: 'socks5h://user:canary@proxy' }, 'add --proxy-dns'],
    [{ proxyDns: true }, 'give one by --proxy'],
  ])('%j => %s', async (settings, complaint) => {
    const refused = await gear(settings).catch((error: Error) => error);
    expect(refused).toBeInstanceOf(Error);
    expect(String(refused)).toContain(complaint);
    expect(String(refused)).not.toContain('canary');
  });

  it.each([
    [
      '{"cookies": [{"name": "a", "value": "canary\\r\\n", "domain": "a.example"}]}',
      'cookies.0.value: no value of a cookie',
    ],
    ['{"cookies": {}}', 'cookies:'],
    ['{"origins": [{"origin": "canary"}]}', 'origins.0.origin: no origin'],
  ])('state %s => %s', async (text, complaint) => {
    const file = join(folder, 'state.json');
    await writeFile(file, text);
    const refused = await gear({ storageState: file }).catch((error: Error) => error);
    expect(String(refused)).toContain(complaint);
    expect(String(refused)).not.toContain('canary');
  });

  it.each([
    ['another key', 'another key than that one', 'is not the key it was written with'],
    ['no key', '', `set ${SESSION_KEY}`],
    ['a short key', 'short', 'too short'],
  ])('session file, %s => the file stays as it is', async (_, key, complaint) => {
    const file = join(folder, 'some.session');
    vi.stubEnv(SESSION_KEY, 'the key of this test');
    const saved = { isPrivate: true, supplied: { cookies: [], storage: [] }, sites: new Map() };
    await SessionFile.open(join(folder, `${_}.session`)).file.save(saved);
    await writeFile(file, await readFile(join(folder, `${_}.session`)));
    vi.stubEnv(SESSION_KEY, key);
    await expect(gear({ sessionFile: file })).rejects.toThrow(complaint);
  });

  it('a file that is no session => refused; one that is not there => who makes it', async () => {
    vi.stubEnv(SESSION_KEY, 'the key of this test');
    await writeFile(join(folder, 'notes'), 'notes');
    await expect(gear({ sessionFile: join(folder, 'notes'), session: 'crawl' })).rejects.toThrow(
      'no session file',
    );
    await expect(gear({ sessionFile: join(folder, 'none') })).rejects.toThrow("'daguerre login' makes one");
  });
});

describe('what is supplied goes where it is meant', () => {
  const sent = async (settings: object, url: string) =>
    Object.fromEntries((await gear(settings)).session?.headersFor(new URL(url)) ?? []);
  const cookies = async (settings: object, url: string) => {
    const { session } = await gear(settings);
    return session?.visitors.of(new URL(url)).jar.headerFor(new URL(url), 0);
  };
  const header = { header: 'X-Key: v' };

  it.each([
    [header, 'https://example.org/', { 'X-Key': 'v' }],
    [header, 'https://www.example.org/', { 'X-Key': 'v' }],
    // For an https seed nothing is sent in the clear; for an http seed it is.
    [header, 'http://example.org/', {}],
    [header, 'http://plain.example/x', { 'X-Key': 'v' }],
    [header, 'https://example.org:8443/', {}],
    [header, 'https://notexample.org/', {}],
    [{ header: '@api.other.example X-Key: v' }, 'https://api.other.example/', { 'X-Key': 'v' }],
    [{ header: '@api.other.example X-Key: v' }, 'https://example.org/', {}],
    [{ credentials: 'me:pw' }, 'https://example.org/', { Authorization: 'Basic bWU6cHc=' }],
  ])('%j at %s => %j', async (settings, url, expected) => {
    expect(await sent(settings, url)).toEqual(expected);
  });

  it.each([
    ['a=1', 'https://example.org/x', 'a=1'],
    ['a=1', 'https://www.example.org/x', undefined],
    ['a=1; Domain=example.org', 'https://www.example.org/x', 'a=1'],
    ['a=1', 'http://example.org/x', undefined],
    ['a=1', 'http://plain.example/x', 'a=1'],
    ['a=1; Path=/in', 'https://example.org/x', undefined],
  ])('cookie %s at %s => %s', async (cookie, url, expected) => {
    expect(await cookies({ cookie }, url)).toBe(expected);
  });

  it('what is kept of it with the crawl => kinds and proxies, no values', async () => {
    const { facts, notes } = await gear({
      cookie: 'sid=canary-1',
      header: 'X-Key: canary-2',
      proxy: 'socks5://me:canary-3@127.0.0.1:9050',
      proxyDns: true,
    });
    expect(facts).toEqual({
      supplied: ['cookie', 'header'],
      ways: [{ hosts: '*', proxy: 'socks5://127.0.0.1:9050' }],
      proxyDns: true,
    });
    expect(notes.join()).toMatch(/resolved there \(--proxy-dns\).*X-Key are stored as \[redacted\]/);
    expect(JSON.stringify([facts, notes])).not.toContain('canary');
  });
});
