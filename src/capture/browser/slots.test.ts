import { expect, test } from 'vitest';
import { Slots } from './slots.ts';

test('two slots, three takers => the third gets the first one given back', async () => {
  const slots = new Slots(2);
  const first = await slots.take();
  await slots.take();
  let taken = false;
  const third = slots.take().then(() => {
    taken = true;
  });
  await Promise.resolve();
  expect(taken).toBe(false);
  first();
  first();
  await third;
  expect(taken).toBe(true);
});

test('aborted while waiting => rejects, and the slot goes to the next', async () => {
  const slots = new Slots(1);
  const release = await slots.take();
  const abort = new AbortController();
  const aborted = slots.take(abort.signal);
  const next = slots.take();
  abort.abort(new Error('no longer'));
  await expect(aborted).rejects.toThrow('no longer');
  release();
  (await next)();
});
