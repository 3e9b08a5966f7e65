import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSqliteCatalog } from '../../catalog/engines/sqlite.ts';
import type { Alert, AlertRule } from '../../model/alert.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { type Channel, DeliveryError } from './channel.ts';
import { createSender, waitAfter } from './sender.ts';

const HOUR = 3_600_000;
const rule = (more: Partial<AlertRule> = {}): AlertRule => ({
  ...{ name: 'r', where: {}, when: { salience: 0.4 }, digest: 'none', zone: 'UTC' },
  ...more,
});
const alert = (id: string, madeAt: number, of = 'r'): Alert => ({
  ...{ id, rule: of, url: `https://example.org/${id}`, kind: 'change', to: madeAt, madeAt },
  ...{ summary: 's', operations: [] },
});

let catalog: Catalog;
beforeEach(async () => {
  catalog = await openSqliteCatalog(':memory:');
});
afterEach(() => catalog.close());

/** A sender whose channels note what they take, or refuse on request. */
function rig(rules: readonly AlertRule[] = [rule()], names: readonly string[] = ['a']) {
  const taken: string[] = [];
  const refusing = new Map<string, Error>();
  const channels: Channel[] = names.map((name) => ({
    name,
    async deliver({ id, alerts }) {
      const error = refusing.get(name);
      if (error) throw error;
      taken.push(`${name} ${id.slice(0, 4)}: ${alerts.map((one) => one.id).join(' ')}`);
    },
  }));
  const state = { rules, channels };
  const sender = createSender({
    catalog,
    rules: () => state.rules,
    channels: () => state.channels,
    giveUpAfter: () => 72 * HOUR,
  });
  return { sender, taken, refusing, state };
}

describe('the outbox is emptied', () => {
  test('two alerts at once => two messages; again => nothing is sent twice', async () => {
    const { sender, taken } = rig();
    await catalog.addAlerts([alert('x', 10), alert('y', 10)]);
    expect(await sender.sendDue(20)).toEqual({ sent: 2, failed: 0, givenUp: 0 });
    expect(await sender.sendDue(30)).toEqual({ sent: 0, failed: 0, givenUp: 0 });
    expect(taken).toEqual(['a x: x', 'a y: y']);
  });

  test('1 per 2h => the second waits, and carries the third', async () => {
    const { sender, taken } = rig([rule({ atMost: { messages: 1, span: 2 * HOUR } })]);
    await catalog.addAlerts([alert('x', 0), alert('y', 0)]);
    expect(await sender.sendDue(0)).toMatchObject({ sent: 1, next: 2 * HOUR });
    await catalog.addAlerts([alert('z', HOUR)]);
    expect(await sender.sendDue(HOUR)).toMatchObject({ sent: 0, next: 2 * HOUR });
    await sender.sendDue(2 * HOUR);
    expect(taken.map((line) => line.replace(/^a \w+: /, ''))).toEqual(['x', 'y z']);
  });

  test('a refusal => tried again later and later under the same id, the other channel is not held up', async () => {
    const { sender, taken, refusing } = rig([rule()], ['a', 'b']);
    refusing.set('a', new DeliveryError('answered 500'));
    await catalog.addAlerts([alert('x', 0)]);
    expect(await sender.sendDue(0)).toEqual({ sent: 1, failed: 1, givenUp: 0, next: 60_000 });
    expect(await sender.sendDue(59_999)).toMatchObject({ sent: 0, failed: 0, next: 60_000 });
    expect(await sender.sendDue(60_000)).toMatchObject({ failed: 1, next: 180_000 });
    refusing.clear();
    await sender.sendDue(180_000);
    expect(taken).toEqual(['b x: x', 'a x: x']);
    expect(await catalog.deliveries({ message: 'x' })).toMatchObject([
      { channel: 'b', tries: 1 },
      { channel: 'a', state: 'sent', tries: 3, firstTry: 0, doneAt: 180_000 },
    ]);
  });

  test('refused for three days => given up, as a fact; a final refusal => at once', async () => {
    const { sender, refusing } = rig();
    refusing.set('a', new DeliveryError('answered 500'));
    await catalog.addAlerts([alert('x', 0)]);
    let now = 0;
    for (let turns = 0; turns < 100; turns++) {
      const { next } = await sender.sendDue(now);
      if (next === undefined) break;
      now = next;
    }
    const [given] = await catalog.deliveries({});
    expect(given).toMatchObject({ state: 'given-up', lastError: 'answered 500', doneAt: now });
    expect(now).toBeGreaterThanOrEqual(72 * HOUR);
    refusing.set('a', new DeliveryError('answered 410', true));
    await catalog.addAlerts([alert('y', now)]);
    expect(await sender.sendDue(now)).toEqual({ sent: 0, failed: 0, givenUp: 1 });
  });

  test('a server that hangs => one try a turn, not one for each message', async () => {
    const { sender, refusing } = rig();
    refusing.set('a', new DeliveryError('did not answer'));
    await catalog.addAlerts([alert('x', 0), alert('y', 0), alert('z', 0)]);
    expect((await sender.sendDue(0)).failed).toBe(1);
  });

  test('killed after the message was taken and before that was noted => sent again with the same id', async () => {
    const { sender, taken } = rig();
    await catalog.addAlerts([alert('x', 0)]);
    const setDelivery = catalog.setDelivery;
    Object.assign(catalog, {
      setDelivery: async () => {
        throw new Error('killed');
      },
    });
    await expect(sender.sendDue(0)).rejects.toThrow('killed');
    Object.assign(catalog, { setDelivery });
    const [second, third] = [rig(), rig()];
    await second.sender.sendDue(1);
    await third.sender.sendDue(2);
    expect([taken, second.taken, third.taken]).toEqual([['a x: x'], ['a x: x'], []]);
    expect(await catalog.deliveries({})).toMatchObject([{ state: 'sent', tries: 1 }]);
  });

  test('a rule that is no more => its alerts wait, and are given up; a channel that is no more => likewise', async () => {
    const { sender, state, taken } = rig();
    await catalog.addAlerts([alert('old', 0, 'gone rule'), alert('x', 0)]);
    state.channels = [];
    await sender.sendDue(0);
    expect(await catalog.alerts({ waiting: true })).toMatchObject([{ id: 'old' }]);
    await sender.sendDue(72 * HOUR);
    expect(await catalog.deliveries({ state: 'given-up' })).toMatchObject([
      { message: 'old', lastError: "no rule of the configuration is named 'gone rule'" },
    ]);
    expect(taken).toEqual([]);
  });

  test('a rule without channels => gathered for its feed, nothing to send', async () => {
    const { sender } = rig([rule()], []);
    await catalog.addAlerts([alert('x', 0)]);
    expect(await sender.sendDue(5)).toEqual({ sent: 0, failed: 0, givenUp: 0 });
    expect(await catalog.alerts({ waiting: true })).toEqual([]);
  });

  test('told to stop in the middle of a try => it does not count as one', async () => {
    const { sender, state } = rig();
    const stop = new AbortController();
    state.channels = [
      {
        name: 'a',
        async deliver(_message, signal) {
          stop.abort(new Error('stop'));
          signal.throwIfAborted();
        },
      },
    ];
    await catalog.addAlerts([alert('x', 0)]);
    await expect(sender.sendDue(0, stop.signal)).rejects.toThrow('stop');
    expect(await catalog.deliveries({})).toMatchObject([{ state: 'waiting', tries: 0 }]);
  });
});

test('waits => 1, 2, 4 … minutes, never more than 6 hours', () => {
  expect([1, 2, 3, 9, 10, 500].map((tries) => waitAfter(tries) / 60_000)).toEqual([1, 2, 4, 256, 360, 360]);
});
