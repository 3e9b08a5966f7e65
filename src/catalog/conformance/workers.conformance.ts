import { expect, it } from 'vitest';
import type { NewWorker } from '../../model/worker.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { SPEC } from './examples.conformance.ts';

const WORKER: NewWorker = { machine: 'a.example', process: 42, version: '0.1.0', roles: ['capture'] };
const SIGN = { doing: ['crawl 1'], settled: 3, rate: 1.5, pool: 'pool-1' };

/** Who works on a catalog, which hosts each asks, and what is left to workers. */
export function workersOfCatalog(current: () => Catalog): void {
  it('a worker joins, tells what it does, and is dismissed => listed with each word, then gone for good', async () => {
    const first = await current().joinWorkers(WORKER);
    expect(await current().giveSign(first, SIGN)).toBe(true);
    const [fact] = await current().workers();
    expect(fact).toMatchObject({ id: first, ...WORKER, ...SIGN, beats: 1 });
    expect(fact?.beatAt).toBeGreaterThanOrEqual(fact?.since ?? Number.POSITIVE_INFINITY);
    await current().dismissWorkers([first]);
    expect(await current().workers()).toEqual([]);
    expect(await current().giveSign(first, SIGN)).toBe(false);
    // Its number is never given again: a late commit of the first is nobody's.
    expect(await current().joinWorkers(WORKER)).toBeGreaterThan(first);
  });

  it('two ask for a host => one has it, until it gives it back; then its pause goes on', async () => {
    const [one, two] = [await current().joinWorkers(WORKER), await current().joinWorkers(WORKER)];
    expect(await current().leaseHosts(one, ['a', 'b'])).toEqual([
      { host: 'a', pause: 0 },
      { host: 'b', pause: 0 },
    ]);
    expect(await current().leaseHosts(two, ['a', 'c'])).toEqual([{ host: 'c', pause: 0 }]);
    // What is not held cannot be given back.
    await current().returnHosts(two, [{ host: 'b', pause: 0 }]);
    await current().returnHosts(one, [{ host: 'a', pause: 60_000 }]);
    const [a, ...others] = await current().leaseHosts(two, ['b', 'a']);
    expect(others).toEqual([]);
    expect(a?.host).toBe('a');
    expect(a?.pause).toBeGreaterThan(0);
    expect(a?.pause).toBeLessThanOrEqual(60_000);
    expect(await current().leaseHosts(two, [])).toEqual([]);
  });

  it('a worker is dismissed => its hosts are free after a pause, and its crawls wait again', async () => {
    const [one, two] = [await current().joinWorkers(WORKER), await current().joinWorkers(WORKER)];
    await current().leaseHosts(one, ['a']);
    const { id: crawlId } = await current().createCrawl('key', SPEC, 1);
    await current().handOver([{ crawlId, batch: 'x', queue: 'site:a' }]);
    await current().changeHanded(crawlId, { state: 'running', worker: one });
    await current().dismissWorkers([one], 60_000);
    expect(await current().handedCrawls()).toMatchObject([{ crawlId, state: 'waiting' }]);
    expect((await current().handedCrawls())[0]).not.toHaveProperty('worker');
    const [leased] = await current().leaseHosts(two, ['a']);
    expect(leased?.pause).toBeGreaterThan(0);
  });

  it('a crawl is handed over => it changes under its condition alone, and is listed by its batch', async () => {
    const worker = await current().joinWorkers(WORKER);
    const { id: crawlId } = await current().createCrawl('key', SPEC, 1);
    await current().handOver([{ crawlId, batch: 'x', queue: 'site:a' }]);
    const counts = { ran: 0, pieces: 0, settled: 0, waiting: 0, bytes: 0 };
    const handed = { crawlId, batch: 'x', queue: 'site:a', state: 'waiting', ...counts };
    expect(await current().handedCrawls({ batch: 'x' })).toEqual([handed]);
    expect(await current().handedCrawls({ batch: 'y' })).toEqual([]);
    const taken = { state: 'running', worker } as const;
    expect(await current().changeHanded(crawlId, taken, { states: ['finished'] })).toBe(false);
    expect(await current().changeHanded(crawlId, taken, { states: ['waiting'] })).toBe(true);
    // Handed over again while it runs: it goes on.
    await current().handOver([{ crawlId, batch: 'y', queue: 'site:a' }]);
    expect(await current().handedCrawls({ crawlId })).toMatchObject([
      { state: 'running', worker, batch: 'x' },
    ]);
    const ended = { state: 'failed', worker: null, error: 'no room' } as const;
    expect(await current().changeHanded(crawlId, ended, { worker: worker + 1 })).toBe(false);
    expect(await current().changeHanded(crawlId, ended, { worker })).toBe(true);
    expect(await current().handedCrawls()).toEqual([{ ...handed, state: 'failed', error: 'no room' }]);
    await current().handOver([{ crawlId, batch: 'z', queue: 'site:a' }]);
    expect(await current().handedCrawls()).toEqual([{ ...handed, batch: 'z' }]);
  });
}
