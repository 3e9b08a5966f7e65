import { expect, it } from 'vitest';
import type { Alert } from '../../model/alert.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { batch, capture, crawlWith, entry, visited, visitOf } from './examples.conformance.ts';

const A = 'https://example.org/a';

const alert = (id: string, more: Partial<Alert> = {}): Alert => ({
  id,
  rule: 'important',
  url: A,
  kind: 'change',
  from: 5,
  to: 1_000,
  madeAt: 1_010,
  importance: 0.25,
  salience: 0.5,
  summary: 'salience .5 >= .4: “grün\0”',
  operations: [{ op: 'insert', element: 'link', block: 'B1.2', weight: 0.1, new: 'Neu' }],
  ...more,
});

export function alertsAndDeliveries(catalog: () => Catalog, reopen: () => Promise<Catalog>): void {
  const ids = async (query: Parameters<Catalog['alerts']>[0]): Promise<string[]> =>
    (await catalog().alerts(query)).map(({ id }) => id);

  /** A visit of page A that was stored with an alert. */
  async function visitWith(...alerts: Alert[]) {
    const { crawlId, ids: entries } = await crawlWith(catalog(), [entry(A)]);
    const fact = capture(A, 1_000, { file: 'told.warc.gz', eventId: 'e1' });
    const visit = visited(entries.get(A) ?? 0, visitOf(A, { eventId: 'e1' }), { captures: [fact], alerts });
    const fileLengths = new Map([['told.warc.gz', fact.offset + fact.length]]);
    await catalog().commit(batch(crawlId, { visits: [visit], fileLengths }));
    return fact;
  }

  it('a visit with an alert => stored together, as it was; the same id again => the first stays', async () => {
    await visitWith(alert('x'));
    await catalog().addAlerts([
      alert('x', { summary: 'another' }),
      alert('y', { rule: 'gone', kind: 'gone' }),
    ]);
    await reopen();
    const [second, first] = await catalog().alerts({});
    expect(first).toEqual({ ...alert('x'), summary: 'salience .5 >= .4: “grün\ufffd”' });
    const { importance: _i, salience: _s, from: _f, ...bare } = alert('z');
    expect(second?.kind).toBe('gone');
    await catalog().addAlerts([bare]);
    expect((await catalog().alerts({ limit: 1 }))[0]).toEqual({ ...bare, summary: second?.summary });
    expect(await catalog().waitingRules()).toEqual(['gone', 'important']);
    expect(await ids({ rule: 'important', waiting: true })).toEqual(['x', 'z']);
    expect(await ids({ url: A, since: 1_011 })).toEqual([]);
    expect(await ids({ offset: 1, limit: 1 })).toEqual(['y']);
  });

  it('a commit that fails => neither visit nor alert', async () => {
    const { crawlId, ids: entries } = await crawlWith(catalog(), [entry(A)]);
    const broken = visited(entries.get(A) ?? 0, visitOf(A), {
      alerts: [alert('x'), alert('y')],
    });
    // Stands for whatever fails in the middle: a value that no database takes.
    Object.assign(broken.alerts?.[1] as object, { summary: null });
    await expect(catalog().commit(batch(crawlId, { visits: [broken] }))).rejects.toThrow();
    expect(await ids({})).toEqual([]);
    expect(await catalog().visits({ url: A })).toEqual([]);
  });

  it('a message => its alerts wait no more, a delivery per channel; made twice => once', async () => {
    await catalog().addAlerts([alert('x'), alert('y'), alert('z')]);
    const message = {
      id: 'm',
      rule: 'important',
      madeAt: 2_000,
      alerts: ['x', 'y'],
      channels: ['webhook a', 'email b'],
    };
    await catalog().addMessage(message);
    await catalog().setDelivery({
      ...{ message: 'm', channel: 'email b', state: 'waiting', tries: 2, nextTry: 9_000 },
      ...{ firstTry: 2_001, lastError: 'refused\0' },
    });
    await catalog().addMessage(message);
    await reopen();
    expect(await ids({ message: 'm' })).toEqual(['x', 'y']);
    expect(await ids({ waiting: true })).toEqual(['z']);
    const due = await catalog().deliveries({ state: 'waiting', due: 2_000 });
    expect(due).toEqual([
      { message: 'm', rule: 'important', channel: 'webhook a', state: 'waiting', tries: 0, nextTry: 2_000 },
    ]);
    await catalog().setDelivery({
      ...(due[0] as (typeof due)[0]),
      state: 'sent',
      tries: 1,
      firstTry: 2_000,
      doneAt: 2_005,
    });
    expect(await catalog().deliveries({ message: 'm' })).toMatchObject([
      { channel: 'webhook a', state: 'sent', doneAt: 2_005 },
      { channel: 'email b', state: 'waiting', tries: 2, firstTry: 2_001, lastError: 'refused\ufffd' },
    ]);
    await catalog().addMessage({ ...message, id: 'n', madeAt: 3_000, alerts: ['z'], channels: [] });
    expect((await catalog().messages({ rule: 'important', limit: 5 })).map(({ id }) => id)).toEqual([
      'm',
      'n',
    ]);
    expect((await catalog().messages({ rule: 'important', limit: 1 })).map(({ id }) => id)).toEqual(['n']);
    expect(await catalog().outboxCounts()).toEqual({
      alerts: 3,
      waiting: 0,
      deliveries: { waiting: 1, sent: 1, 'given-up': 0 },
    });
  });

  it('clearDerived => all stay; forgetTail => what is not yet told of the lost version goes', async () => {
    const fact = await visitWith(alert('told'), alert('waits'), alert('elsewhere', { url: `${A}b` }));
    await catalog().addMessage({ id: 'm', rule: 'important', madeAt: 1, alerts: ['told'], channels: [] });
    await catalog().clearDerived();
    expect((await ids({})).sort()).toEqual(['elsewhere', 'told', 'waits']);
    await catalog().index({
      captures: [fact],
      pages: [],
      fileLengths: new Map([[fact.file, fact.offset + 100]]),
    });
    await catalog().forgetTail(fact.file, fact.offset);
    expect((await ids({})).sort()).toEqual(['elsewhere', 'told']);
  });
}
