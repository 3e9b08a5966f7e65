import { expect, it } from 'vitest';
import type { NewWorker } from '../../model/worker.ts';
import type { Catalog, VisitCommit } from '../../ports/catalog.ts';
import { lessonOf } from '../../stages/visit-lesson.ts';
import { batch, capture, crawlWith, entry, pageOf, SPEC, visited, visitOf } from './examples.conformance.ts';

const WORKER: NewWorker = { machine: 'a.example', process: 42, version: '0.1.0', roles: ['capture'] };
const SIGN = { doing: ['crawl 1'], settled: 3, rate: 1.5, pools: ['pool-1', 'pool-2'] };

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

  it('one joins with a silence, and one without => it is listed with the first alone, until that is dismissed', async () => {
    const one = await current().joinWorkers({ ...WORKER, silence: 8_000 });
    const two = await current().joinWorkers(WORKER);
    const silences = async () => (await current().workers()).map(({ id, silence }) => [id, silence]);
    expect(await silences()).toEqual([
      [one, 8_000],
      [two, undefined],
    ]);
    await current().dismissWorkers([one]);
    expect(await silences()).toEqual([[two, undefined]]);
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

  it('a worker notes a long pause, and is dismissed => the next one has what is left of it', async () => {
    const [one, two] = [await current().joinWorkers(WORKER), await current().joinWorkers(WORKER)];
    await current().leaseHosts(one, ['a', 'b']);
    await current().notePauses(one, [{ host: 'a', pause: 3_600_000 }]);
    // What is not held is not ours to note.
    await current().notePauses(two, [{ host: 'b', pause: 3_600_000 }]);
    expect(await current().leaseHosts(two, ['a'])).toEqual([]);
    await current().dismissWorkers([one], 60_000);
    const [a, b] = await current().leaseHosts(two, ['a', 'b']);
    expect(a?.pause).toBeGreaterThan(3_000_000);
    expect(b?.pause).toBeLessThanOrEqual(60_000);
  });

  it('a crawl is handed over => it changes under its condition alone, and is listed by its batch', async () => {
    const worker = await current().joinWorkers(WORKER);
    const { id: crawlId } = await current().createCrawl('key', SPEC, 1);
    await current().handOver([{ crawlId, batch: 'x', queue: 'site:a' }]);
    const counts = { ran: 0, pieces: 0, settled: 0, waiting: 0, bytes: 0 };
    const handed = { crawlId, batch: 'x', queue: 'site:a', state: 'waiting', ...counts };
    expect(await current().handedCrawls({ batch: 'x' })).toEqual([handed]);
    expect(await current().handedCrawls({ batch: 'y' })).toEqual([]);
    const { id: other } = await current().createCrawl('another', SPEC, 1);
    expect(await current().handedCrawls({ crawlIds: [] })).toEqual([]);
    expect(await current().handedCrawls({ crawlIds: [other + 1, other, crawlId - 1] })).toEqual([]);
    expect(await current().handedCrawls({ crawlIds: [other, crawlId] })).toEqual([handed]);
    expect(await current().handedCrawls({ states: ['running', 'finished'] })).toEqual([]);
    expect(await current().handedCrawls({ states: ['waiting'] })).toEqual([handed]);
    const taken = { state: 'running', worker } as const;
    expect(await current().changeHanded(crawlId, taken, { states: ['finished'] })).toBe(false);
    expect(await current().changeHanded(crawlId, taken, { states: ['waiting'] })).toBe(true);
    // Handed over again while it runs: it goes on.
    await current().handOver([{ crawlId, batch: 'y', queue: 'site:a' }]);
    expect(await current().handedCrawls({ crawlIds: [crawlId] })).toMatchObject([
      { state: 'running', worker, batch: 'x' },
    ]);
    const ended = { state: 'failed', worker: null, error: 'no room' } as const;
    expect(await current().changeHanded(crawlId, ended, { worker: worker + 1 })).toBe(false);
    expect(await current().changeHanded(crawlId, ended, { worker })).toBe(true);
    expect(await current().handedCrawls()).toEqual([{ ...handed, state: 'failed', error: 'no room' }]);
    await current().handOver([{ crawlId, batch: 'z', queue: 'site:a' }]);
    expect(await current().handedCrawls()).toEqual([{ ...handed, batch: 'z' }]);
  });

  it('visits leave pages to be analysed => listed by site, until they are settled as they were read', async () => {
    const [a, b] = ['https://example.org/a', 'https://other.example/b'];
    const { crawlId, ids } = await crawlWith(current(), [entry(a), entry(b)]);
    const left = (url: string, at: number, more: Partial<VisitCommit> = { analyseLater: true }) =>
      visited(ids.get(url) ?? 0, visitOf(url, { at }), {
        ...{ page: pageOf(url, at), captures: [capture(url, at)] },
        ...more,
      });
    await current().commit(batch(crawlId, { visits: [left(a, 1), left(a, 2), left(b, 1, {})] }));
    expect(await current().waitingSites()).toEqual([{ site: 'example.org', pages: 1 }]);
    expect(await current().waitingPages('other.example', 9)).toEqual([]);
    const read = await current().waitingPages('example.org', 9);
    expect(read).toEqual([{ url: a, times: 2 }]);
    await current().commit(batch(crawlId, { visits: [left(a, 3)] }));
    await current().settleWaiting(read);
    expect(await current().waitingPages('example.org', 9)).toEqual([{ url: a, times: 3 }]);
    await current().settleWaiting([{ url: a, times: 3 }]);
    expect(await current().waitingSites()).toEqual([]);
  });

  it('a crawl of a watch is handed over => its brief is there as it was, until it is forgotten', async () => {
    const { id: crawlId } = await current().createCrawl('key', SPEC, 1);
    const brief = {
      scope: { seeds: ['https://a/'], seedScopes: [{ url: 'https://a/', scope: SPEC.scope }] },
      rules: [{ name: 'gone', where: {}, when: { gone: true }, digest: 'none' as const, zone: 'UTC' }],
    };
    const handed = { crawlId, batch: 'x', queue: 'site:a' };
    await current().handOver([{ ...handed, brief }]);
    // Taken up by somebody who knows nothing of it.
    await current().handOver([handed]);
    expect(await current().brief(crawlId)).toEqual(brief);
    expect(await current().brief(crawlId + 1)).toBeUndefined();
    await current().forgetHanded([crawlId]);
    expect([await current().brief(crawlId), await current().handedCrawls()]).toEqual([undefined, []]);
  });

  it('visits with lessons => read in their order, until what was learnt from them is kept', async () => {
    const [a, b] = ['https://example.org/a', 'https://example.org/b'];
    const { crawlId, ids } = await crawlWith(current(), [entry(a), entry(b)]);
    const taught = (url: string, at: number) => {
      const visit = visitOf(url, { at });
      const lesson = lessonOf(
        { ...entry(url), redirects: 0 },
        { visit, captures: [], page: pageOf(url, at) },
      );
      return visited(ids.get(url) ?? 0, visit, { captures: [capture(url, at)], lesson });
    };
    await current().commit(batch(crawlId, { visits: [taught(a, 1), taught(b, 2)] }));
    await current().commit(batch(crawlId, { visits: [taught(a, 3)] }));
    const all = await current().unlearntVisits({ limit: 9 });
    expect(all.map(({ lesson }) => [lesson.url, lesson.at])).toEqual([
      [a, 1],
      [b, 2],
      [a, 3],
    ]);
    const [first, second] = all;
    expect(await current().unlearntVisits({ crawls: [crawlId], after: first?.id ?? 0, limit: 1 })).toEqual([
      second,
    ]);
    expect(await current().unlearntVisits({ crawls: [crawlId + 1], limit: 9 })).toEqual([]);
    expect((await current().unlearntPages()).map(({ url, at }) => [url, at])).toContainEqual([b, 2]);
    await current().keepWatch('{}', [first?.id ?? 0, second?.id ?? 0]);
    expect((await current().unlearntVisits({ limit: 9 })).map(({ lesson }) => lesson.at)).toEqual([3]);
  });

  it('two want the tick of the watch => one has it until it is gone, and what is kept stays for the next', async () => {
    expect([await current().tickHolder(), await current().keptWatch()]).toEqual([undefined, undefined]);
    const [one, two] = [await current().joinWorkers(WORKER), await current().joinWorkers(WORKER)];
    expect([await current().takeTick(one), await current().takeTick(two)]).toEqual([true, false]);
    expect(await current().takeTick(one)).toBe(true);
    expect(await current().tickHolder()).toMatchObject({ id: one, machine: 'a.example' });
    await current().keepWatch('{"a":1}');
    await current().dismissWorkers([one]);
    expect(await current().tickHolder()).toBeUndefined();
    // Its own word counts no more than that of any worker that is gone.
    const three = await current().joinWorkers(WORKER);
    expect([await current().takeTick(three), await current().takeTick(two)]).toEqual([true, false]);
    expect(await current().keptWatch()).toBe('{"a":1}');
    await current().keepWatch('{"a":2}');
    expect([await current().keptWatch(), (await current().tickHolder())?.id]).toEqual(['{"a":2}', three]);
  });

  it('something is asked => taken once, in turn, answered to whoever asked; what is old is gone', async () => {
    const first = await current().addAsked({ ask: 'ping', input: { urls: ['a'] } });
    const second = await current().addAsked({ ask: 'stop', input: {} });
    expect(await current().askedAnswer(first)).toEqual({ state: 'waiting' });
    expect(await current().takeAsked(60_000)).toEqual({ id: first, ask: 'ping', input: { urls: ['a'] } });
    expect(await current().askedAnswer(first)).toEqual({ state: 'taken' });
    await current().answerAsked(first, { state: 'done', answer: { heard: ['a'] } });
    expect(await current().askedAnswer(first)).toEqual({ state: 'done', answer: { heard: ['a'] } });
    await current().forgetAsked(first);
    expect(await current().askedAnswer(first)).toBeUndefined();
    // As if an hour had passed.
    expect(await current().takeAsked(-3_600_000)).toBeUndefined();
    expect(await current().askedAnswer(second)).toBeUndefined();
  });
}
