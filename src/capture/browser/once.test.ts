import { describe, expect, test } from 'vitest';
import { Once } from './once.ts';

const never = new AbortController().signal;

describe('something that is told once', () => {
  test('told before it is asked for, or after => what was told', async () => {
    const before = new Once<string>();
    before.tell('early');
    expect(await before.wait(60_000, never)).toBe('early');
    const after = new Once<string>();
    const waiting = after.wait(60_000, never);
    after.tell('late');
    expect(await waiting).toBe('late');
    expect(after.value).toBe('late');
  });

  test('not told in time, or no longer awaited => undefined', async () => {
    expect(await new Once<string>().wait(1, never)).toBeUndefined();
    const over = new AbortController();
    const waiting = new Once<string>().wait(60_000, over.signal);
    over.abort();
    expect(await waiting).toBeUndefined();
    expect(await new Once<string>().wait(60_000, over.signal)).toBeUndefined();
  });
});
