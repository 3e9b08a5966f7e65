import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startHub, type TestHub } from '../../test/hub.ts';
import { WatchWebSub } from '../archive/websub/watch-websub.ts';
import { startWebSubServer, type WebSubServer } from './websub-server.ts';

const TOPIC = 'https://example.org/feed.xml';
const closing: (() => Promise<void>)[] = [];
let hub: TestHub;
let root: string;
let now: number;
let changed: string[];
let told: string[];
beforeEach(async () => {
  hub = await startHub();
  root = await mkdtemp(join(tmpdir(), 'daguerre-websub-'));
  closing.push(
    () => hub.close(),
    () => rm(root, { recursive: true, force: true }),
  );
  now = Date.UTC(2026, 0, 1);
  changed = [];
  told = [];
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A watch that hubs reach on loopback. Its leases are looked after when the clock is moved. */
async function watching({ allowPrivate = true } = {}) {
  let websub: WatchWebSub | undefined;
  const server: WebSubServer = await startWebSubServer(
    {
      verify: async (id, query) => websub?.verify(id, query),
      delivered: (id, body, signature) => websub?.delivered(id, body, signature) ?? 'gone',
    },
    { port: 0, host: '127.0.0.1' },
  );
  const settings = { callback: `http://127.0.0.1:${server.port}/websub`, port: 0, host: '127.0.0.1' };
  const sleepers: (() => void)[] = [];
  const stop = new AbortController();
  websub = await WatchWebSub.open({
    ...{ settings, root, allowPrivate },
    clock: {
      now: () => now,
      sleep: (_ms, signal) =>
        new Promise((resolve) => {
          sleepers.push(resolve);
          signal?.addEventListener('abort', () => resolve());
        }),
    },
    tell: (sentence) => told.push(sentence),
    changed: (topic) => changed.push(topic),
  });
  const running = websub.run(stop.signal);
  closing.push(async () => {
    stop.abort();
    await running;
    await server.close();
  });
  return {
    websub,
    callback: settings.callback,
    /** Time passes, and leases are looked after. */
    pass(ms: number): void {
      now += ms;
      for (const wake of sleepers.splice(0)) wake();
    },
  };
}

/** What comes of it, while leases are looked after. */
const looking = <T>(look: () => void, what: () => T) =>
  expect.poll(
    () => {
      look();
      return what();
    },
    { timeout: 20_000 },
  );

const subscribed = (count: number) =>
  expect.poll(() => hub.subscribers.length, { timeout: 20_000 }).toBe(count);
const DAY = 86_400_000;

test('a feed announces a hub => subscribed, intent verified; what it delivers is heard; secrets are for nobody else', async () => {
  const { websub } = await watching();
  websub.announced(TOPIC, [hub.url]);
  await subscribed(1);
  expect(hub.subscribers[0]).toMatchObject({ topic: TOPIC, verified: 200 });
  expect(await hub.publish(TOPIC)).toBe(202);
  expect(changed).toEqual([TOPIC]);
  // Announced again at each reading: one is enough.
  websub.announced(TOPIC, [hub.url, 'http://127.0.0.1:9/other']);
  expect(JSON.parse(await readFile(join(root, 'websub.json'), 'utf8'))).toHaveLength(1);
  expect((await stat(join(root, 'websub.json'))).mode & 0o077).toBe(0);
});

test('signed with another secret, or not at all => acknowledged, and ignored', async () => {
  const { websub } = await watching();
  websub.announced(TOPIC, [hub.url]);
  await subscribed(1);
  expect(await hub.publish(TOPIC, 'new', 'guessed')).toBe(202);
  const { callback } = hub.subscribers[0] as { callback: string };
  expect((await fetch(callback, { method: 'POST', body: 'new' })).status).toBe(202);
  expect(changed).toEqual([]);
  expect(told.join('\n')).toContain('not signed with the secret of the subscription');
});

test('nobody asked for it => 404 and 410: an unknown callback, another topic, a subscription that is not waited for, unsubscribing', async () => {
  const { websub, callback } = await watching();
  websub.announced(TOPIC, [hub.url]);
  await subscribed(1);
  const own = (hub.subscribers[0] as { callback: string }).callback;
  const ask = async (address: string, mode: string, topic = TOPIC) => {
    const url = new URL(address);
    url.search = new URLSearchParams({
      'hub.mode': mode,
      'hub.topic': topic,
      'hub.challenge': 'c',
    }).toString();
    return (await fetch(url)).status;
  };
  expect(await ask(`${callback}/0123456789abcdef`, 'subscribe')).toBe(404);
  expect(await ask(own, 'subscribe', 'https://other.example/')).toBe(404);
  expect(await ask(own, 'subscribe')).toBe(404);
  expect(await ask(own, 'unsubscribe')).toBe(404);
  expect((await fetch(`${callback}/0123456789abcdef`, { method: 'POST', body: 'x' })).status).toBe(410);
  expect((await fetch(own, { method: 'PUT', body: 'x' })).status).toBe(405);
});

test('the lease runs out => renewed before, under the same callback; without a hub that verifies, deliveries end', async () => {
  const { websub, pass } = await watching();
  websub.announced(TOPIC, [hub.url]);
  await subscribed(1);
  // Once more is asked when only a fifth is left.
  pass(0.9 * DAY);
  await looking(
    () => pass(0),
    () => hub.subscribers.length,
  ).toBe(2);
  expect(hub.subscribers[1]).toEqual({ ...hub.subscribers[0] });
  hub.status = 500;
  pass(0.9 * DAY);
  await looking(
    () => pass(0),
    () => told.join('\n'),
  ).toContain('answered 500');
  now += DAY;
  expect(await hub.publish(TOPIC)).toBe(410);
  expect(changed).toEqual([]);
});

test('stopped and begun again => the subscription is known, nothing is asked twice', async () => {
  const first = await watching();
  first.websub.announced(TOPIC, [hub.url]);
  await subscribed(1);
  const { secret } = hub.subscribers[0] as { secret: string };
  expect(await readFile(join(root, 'websub.json'), 'utf8')).toContain(secret);
  const again = await watching();
  again.websub.announced(TOPIC, [hub.url]);
  const [{ id = '' } = {}] = JSON.parse(await readFile(join(root, 'websub.json'), 'utf8')) as {
    id: string;
  }[];
  const { createHmac } = await import('node:crypto');
  const signature = createHmac('sha1', secret).update('x').digest('hex');
  expect(again.websub.delivered(id, Buffer.from('x'), `sha1=${signature}`)).toBe('heard');
  expect(hub.subscribers).toHaveLength(1);
});

test('a hub at a private address => refused and told, unless allowed; a hub that denies => told', async () => {
  const { websub } = await watching({ allowPrivate: false });
  websub.announced(TOPIC, [hub.url]);
  await expect
    .poll(() => told.join('\n'), { timeout: 20_000 })
    .toContain('set defaults.allowPrivate to allow it');
  expect(hub.subscribers).toEqual([]);
  const [{ id = '' } = {}] = JSON.parse(await readFile(join(root, 'websub.json'), 'utf8')) as {
    id: string;
  }[];
  const denied = new URLSearchParams({ 'hub.mode': 'denied', 'hub.topic': TOPIC, 'hub.reason': 'no room' });
  expect(await websub.verify(id, denied)).toBe('');
  expect(told.at(-1)).toContain('denied: no room');
});
