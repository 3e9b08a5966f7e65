import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SmallArchive, smallArchive } from '../../../test/e2e/small-archive.ts';
import { raw } from '../../../test/served-example.ts';
import { NO_ACCESS, type ServerSettings } from '../../archive/serve/server-settings.ts';
import type { Problem, SessionAnswer } from '../api-types.ts';
import { type RunningServer, startServer } from '../start-server.ts';
import { hashPassword } from './passwords.ts';
import { Sessions } from './sessions.ts';

const TOKEN = 'a-token-of-more-than-sixteen';
let archive: SmallArchive;
let server: RunningServer;

beforeAll(async () => {
  archive = await smallArchive([{ url: 'http://x.org/', at: 1e12, body: 'one', title: 'Home' }]);
  const user = async (name: string, role: 'reader' | 'editor') => ({
    ...{ name, role, password: await hashPassword(`${name}'s password`) },
  });
  const settings: ServerSettings = {
    ...NO_ACCESS,
    users: [await user('anna', 'editor'), await user('ben', 'reader')],
    tokens: [{ name: 'cms', role: 'editor', token: TOKEN }],
    names: ['archive.example'],
  };
  server = await startServer({ ...archive, port: 0, replayPort: 0, webRoot: '/nowhere', settings });
});
afterAll(async () => {
  await server?.close();
  await archive?.close();
});

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

async function ask(path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await fetch(server.url + path, {
    method,
    headers: { ...json, ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const said = (await answer.json()) as Partial<Problem & SessionAnswer>;
  return { status: answer.status, said, headers: answer.headers };
}

async function logIn(name: string) {
  const { status, said, headers } = await ask('/api/session', {
    ...{ method: 'POST', headers: { origin: server.url } },
    body: { name, password: `${name}'s password` },
  });
  expect(status).toBe(200);
  const cookie = headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^daguerre-session=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict$/);
  return { cookie: cookie.split(';', 1)[0] as string, csrf: said.csrf as string };
}

const DECISION = { targets: ['x.org'], act: { kind: 'pin' }, why: 'because' };
const ONLY_SHOWS = 'this server only shows the archive';
const write = (headers: Record<string, string>) =>
  ask('/api/decisions', { method: 'POST', headers, body: DECISION });

describe('a server with users and tokens', () => {
  it('nobody => 401 that says how; a wrong token, a wrong password, a name that nobody has => 401', async () => {
    const { status, headers, said } = await ask('/api/sites');
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="daguerre"']);
    expect(said.hint).toContain('/api/session');
    expect((await ask('/api/sites', { headers: { authorization: 'Bearer nothing' } })).status).toBe(401);
    for (const name of ['anna', 'nobody'])
      expect(
        (
          await ask('/api/session', {
            ...{ method: 'POST', headers: { origin: server.url }, body: { name, password: 'wrong' } },
          })
        ).status,
      ).toBe(401);
    expect((await ask('/feeds/sites/x.org.atom')).status).toBe(401);
    expect((await ask('/api/session')).said).toEqual({
      by: 'everyone',
      role: null,
      canLogIn: true,
      takesToken: true,
    });
  });

  it('a token, also as the password of Basic => answered', async () => {
    const basic = Buffer.from(`any:${TOKEN}`).toString('base64');
    for (const authorization of [`Bearer ${TOKEN}`, `Basic ${basic}`])
      expect((await ask('/api/sites', { headers: { authorization } })).status).toBe(200);
  });

  it('a session => reads; writes with Origin and CSRF token alone; a reader never; logged out => 401', async () => {
    const anna = await logIn('anna');
    expect((await ask('/api/sites', { headers: { cookie: anna.cookie } })).status).toBe(200);
    const { cookie, csrf } = anna;
    const origin = server.url;
    expect((await write({ cookie, 'x-csrf-token': csrf })).said.detail).toContain('without an Origin');
    expect(
      (await write({ cookie, 'x-csrf-token': csrf, origin: 'http://evil.example' })).said.detail,
    ).toContain('another origin');
    expect((await write({ cookie, origin })).said.detail).toContain('CSRF');
    expect((await write({ cookie, origin, 'x-csrf-token': `${csrf.slice(1)}x` })).status).toBe(403);
    expect((await write({ cookie, origin, 'x-csrf-token': csrf })).said.detail).toBe(ONLY_SHOWS);
    const ben = await logIn('ben');
    expect((await write({ cookie: ben.cookie, origin, 'x-csrf-token': ben.csrf })).said.detail).toContain(
      'takes the role editor',
    );
    const out = { method: 'DELETE', headers: { cookie, origin, 'x-csrf-token': csrf } };
    expect((await ask('/api/session', out)).said).toEqual({ ended: true });
    expect((await ask('/api/sites', { headers: { cookie } })).status).toBe(401);
  });

  it('a token writes without Origin; a body that is no JSON => 415, too large => 413, broken => 400', async () => {
    const authorization = `Bearer ${TOKEN}`;
    expect((await write({ authorization })).said.detail).toBe(ONLY_SHOWS);
    const post = (body: string, type: string) =>
      ask('/api/decisions', { method: 'POST', headers: { authorization, 'content-type': type }, body });
    expect((await post('targets=x', 'application/x-www-form-urlencoded')).status).toBe(415);
    expect((await post(JSON.stringify({ why: 'x'.repeat(2_000_000) }), 'application/json')).status).toBe(413);
    expect((await post('{', 'application/json')).status).toBe(400);
  });

  it('archived content, CDX and Memento => as closed as the web page: by token, by cookie, by the hosts of a session', async () => {
    const { port } = new URL(server.replayUrl);
    const status = async (path: string, headers: Record<string, string> = {}, host = `127.0.0.1:${port}`) =>
      (await raw(server.replayUrl + path, { host, ...headers })).status;
    const paths = [
      '/archive/20010909014640id_/http://x.org/',
      '/archive/http://x.org/',
      '/archive/cdx?url=x.org',
    ];
    const others = [
      '/cdx/search/cdx?url=x.org',
      '/archive/timemap/link/http://x.org/',
      '/wabac/archive/id_/http://x.org/',
    ];
    const { cookie, csrf } = await logIn('anna');
    for (const path of [...paths, ...others]) {
      expect([path, await status(path), await status(path, {}, `x.localhost:${port}`)]).toEqual([
        path,
        401,
        401,
      ]);
      expect([path, await status(path, { cookie })]).toEqual([path, 200]);
      expect([path, await status(path, { authorization: `Bearer ${TOKEN}` })]).toEqual([path, 200]);
    }
    const patternFor = async (headers: Record<string, string>) =>
      ((await ask('/api/archive', { headers })).said as { replayPattern?: string }).replayPattern ?? '';
    const pattern = await patternFor({ cookie });
    expect(pattern).toMatch(new RegExp(`^http://\\*\\.[0-9a-f]{32}\\.localhost:${port}$`));
    const hostOf = (given: string): string => new URL(given.replace('*', 'x-org-1-view')).host;
    expect(await status('/archive/20010909014640id_/http://x.org/', {}, hostOf(pattern))).toBe(200);
    const guessed = `x-org-1-view.${'0'.repeat(32)}.localhost:${port}`;
    expect(await status('/archive/20010909014640id_/http://x.org/', {}, guessed)).toBe(401);
    const opened = await raw(`${server.replayUrl}/archive/20010909014640mp_/http://x.org/`, { cookie });
    expect(new URL(opened.headers.location ?? '').host).toContain(`.${hostOf(pattern).split('.')[1]}.`);
    const ofToken = hostOf(await patternFor({ authorization: `Bearer ${TOKEN}` }));
    expect(await status('/archive/20010909014640id_/http://x.org/', {}, ofToken)).toBe(200);
    const out = { method: 'DELETE', headers: { cookie, origin: server.url, 'x-csrf-token': csrf } };
    await ask('/api/session', out);
    expect(await status('/archive/20010909014640id_/http://x.org/', {}, hostOf(pattern))).toBe(401);
  });

  it('ten wrong passwords in a minute => 429 from then on', async () => {
    const tries: number[] = [];
    for (let i = 0; i < 12; i++)
      tries.push(
        (
          await ask('/api/session', {
            ...{ method: 'POST', headers: { origin: server.url }, body: { name: 'x', password: 'y' } },
          })
        ).status,
      );
    expect(tries.at(-1)).toBe(429);
  });

  it('another address than loopback without users or token => refused before it listens', async () => {
    const options = { ...archive, port: 0, replayPort: 0, host: '0.0.0.0' };
    await expect(startServer(options)).rejects.toThrow('0.0.0.0 is not this machine alone');
  });
});

describe('sessions', () => {
  it('twelve hours without a request, or a week => ended', () => {
    const HOUR = 3_600_000;
    const sessions = new Sessions();
    const { id } = sessions.begin('anna', 'editor', 0);
    for (let now = 0; now < 167 * HOUR; now += 11 * HOUR) expect(sessions.find(id, now)?.name).toBe('anna');
    expect(sessions.find(id, 168 * HOUR)).toBeUndefined();
    const idle = sessions.begin('anna', 'editor', 0).id;
    expect(sessions.find(idle, 12 * HOUR)).toBeUndefined();
    expect(sessions.find(idle, 1)).toBeUndefined();
  });
});
