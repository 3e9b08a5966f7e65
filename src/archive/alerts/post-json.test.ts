import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHook } from '../../../test/loopback-hook.ts';
import { postJson } from './post-json.ts';

let hook: Awaited<ReturnType<typeof startHook>>;
beforeAll(async () => {
  hook = await startHook();
});
afterAll(() => hook.close());

it('many posts under one signal => each takes its listener away again', async () => {
  const { signal } = new AbortController();
  const post = { address: hook.url, body: '{}', headers: {}, timeLimit: 10_000 };
  for (let sent = 0; sent < 12; sent++) await postJson(post, { allowPrivate: true }, signal);
  expect(hook.received).toHaveLength(12);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});
