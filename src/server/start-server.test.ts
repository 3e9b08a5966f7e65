import { describe, expect, it } from 'vitest';
import { raw, servedExample } from '../../test/served-example.ts';
import { startServer } from './start-server.ts';

const served = servedExample();

describe('hosts that are answered', () => {
  it.each(['evil.example', '127.0.0.1.evil.example', 'localhost@evil.example'])(
    'Host: %s => 403 on both origins',
    async (host) => {
      expect((await raw(`${served().server.url}/api/sites`, { host })).status).toBe(403);
      expect((await raw(`${served().server.replayUrl}/archive/2024id_/http://x.org/`, { host })).status).toBe(
        403,
      );
    },
  );

  it('Host: localhost => frames of names below localhost', async () => {
    const port = new URL(served().server.url).port;
    const { headers } = await raw(`${served().server.url}/api/archive`, { host: `localhost:${port}` });
    expect(headers['content-security-policy']).toContain('frame-src http://*.localhost:');
  });

  it('a request of the replay origin to the API (same-site) => 403', async () => {
    expect((await raw(`${served().server.url}/api/sites`, { 'sec-fetch-site': 'same-site' })).status).toBe(
      403,
    );
  });

  it('a host of replay => answered by replay, not by the web page; any other name => by neither', async () => {
    const asked = async (origin: string, name: string): Promise<number> => {
      const host = `${name}:${new URL(origin).port}`;
      const path = origin === served().server.url ? '/api/sites' : '/archive/2024id_/http://x.org/ten';
      return (await raw(origin + path, { host })).status;
    };
    for (const [name, ui, replay] of [
      ['x-org-0123-view.localhost', 403, 200],
      ['127.0.0.1', 200, 200],
      ['rebound.example', 403, 403],
      ['a.b.localhost', 403, 403],
      ['localhost.example', 403, 403],
    ] as const) {
      expect([
        name,
        await asked(served().server.url, name),
        await asked(served().server.replayUrl, name),
      ]).toEqual([name, ui, replay]);
    }
  });

  it('strict headers on the web page', async () => {
    const { headers } = await raw(`${served().server.url}/api/sites`);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    expect(headers['content-security-policy']).toContain(
      `frame-src http://*.localhost:${new URL(served().server.replayUrl).port};`,
    );
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('web page not built => 503 that says how, API and raw captures work', async () => {
    expect(served().server.notice).toContain('npm run build');
    const page = await raw(`${served().server.url}/`);
    expect([page.status, page.body]).toEqual([503, served().server.notice]);
    expect((await raw(`${served().server.replayUrl}/`)).status).toBe(503);
  });

  it('collection named like a path of ours, one public origin for both => refused', async () => {
    const options = { ...served().archive, port: 0, replayPort: 0 };
    await expect(startServer({ ...options, collection: 'w' })).rejects.toThrow('cannot name a collection');
    const same = { publicUrl: 'https://a.org/', publicReplayUrl: 'https://a.org/replay' };
    await expect(startServer({ ...options, ...same })).rejects.toThrow('share one origin');
  });
});
