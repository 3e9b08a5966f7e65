import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startOwnPostgres, startPostgres, type TestPostgres } from '../../../test/postgres.ts';
import type { JobQueue } from '../../ports/job-queue.ts';
import { openJobQueue } from './graphile-queue.ts';

let server: TestPostgres;
let archives = 0;
const open: (() => Promise<void>)[] = [];

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.stop());
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function queue(archiveId: string): Promise<JobQueue> {
  const opened = await openJobQueue(server.url, { archiveId, connections: 2 });
  open.push(opened.close);
  return opened;
}

const newArchive = (): string => `jobs-${process.pid}-${++archives}`;

it('two processes take jobs of one site and of another => one job of a site at a time, each done once', async () => {
  const archive = newArchive();
  const [one, two] = [await queue(archive), await queue(archive)];
  const done: number[] = [];
  let ofA = 0;
  let most = 0;
  const work = async (crawlId: number): Promise<void> => {
    if (crawlId < 10) most = Math.max(most, ++ofA);
    await new Promise((resolve) => setTimeout(resolve, 30));
    if (crawlId < 10) ofA--;
    done.push(crawlId);
  };
  for (const each of [one, two]) open.push((await each.take({ concurrency: 2, work })).stop);
  const jobs = [1, 2, 3, 11, 12].map((crawlId) => ({ crawlId, queue: crawlId < 10 ? 'site:a' : 'site:b' }));
  await one.add(jobs);
  await expect.poll(() => done.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 11, 12]);
  expect(most).toBe(1);
});

it('a crawl is added twice before it is taken => one job; added while it is done => one more after it', async () => {
  const jobs = await queue(newArchive());
  const job = { crawlId: 1, queue: 'site:a' };
  await jobs.add([job]);
  await jobs.add([job]);
  let times = 0;
  const work = async (): Promise<void> => {
    if (++times === 1) await jobs.add([job]);
  };
  open.push((await jobs.take({ concurrency: 2, work })).stop);
  await expect.poll(() => times).toBe(2);
  await jobs.add([{ crawlId: 2, queue: 'site:a' }]);
  await expect.poll(() => times).toBe(3);
});

it('who holds a job is gone => its name is listed, and once it is freed another does the job', async () => {
  const archive = newArchive();
  const [dead, other] = [await queue(archive), await queue(archive)];
  let isTaken = false;
  let leave = (): void => {};
  const hanging = await dead.take({
    concurrency: 1,
    work: () =>
      new Promise((resolve) => {
        isTaken = true;
        leave = resolve;
      }),
  });
  open.push(hanging.stop, async () => leave());
  await dead.add([{ crawlId: 1, queue: 'site:a' }]);
  await expect.poll(() => isTaken).toBe(true);
  expect(await other.holders()).toEqual([hanging.pool]);
  const done: number[] = [];
  const work = async (crawlId: number): Promise<void> => void done.push(crawlId);
  open.push((await other.take({ concurrency: 1, work })).stop);
  await other.free([hanging.pool]);
  await expect.poll(() => done).toEqual([1]);
});

it('jobs of several kinds => each is taken by who takes its kind; a site is analysed once, however often it was added', async () => {
  const archive = newArchive();
  const [one, two] = [await queue(archive), await queue(archive)];
  await one.addAnalyses(['a', 'b', 'a']);
  await one.addUpkeep(0);
  await one.addUpkeep(600_000);
  await one.add([{ crawlId: 1, queue: 'site:a' }]);
  const done: string[] = [];
  const note = async (what: string): Promise<void> => void done.push(what);
  open.push((await one.take({ concurrency: 2, work: (crawl) => note(`piece ${crawl}`) })).stop);
  await expect.poll(() => done).toEqual(['piece 1']);
  const analysing = await two.takeAnalyses({ concurrency: 1, work: (site) => note(`analyse ${site}`) });
  open.push(analysing.stop);
  await expect.poll(() => done.toSorted()).toEqual(['analyse a', 'analyse b', 'piece 1']);
  // The later time did not put it off.
  open.push((await two.takeUpkeep(() => note('upkeep'))).stop);
  await expect.poll(() => done.toSorted()).toEqual(['analyse a', 'analyse b', 'piece 1', 'upkeep']);
});

it('the server is halted and started again twice => jobs that are added meanwhile are done, and nothing throws', async () => {
  const own = await startOwnPostgres();
  const jobs = await openJobQueue(own.url, {
    ...{ archiveId: newArchive(), connections: 2 },
    patience: { wait: 60_000 },
  });
  try {
    const done: number[] = [];
    const taker = await jobs.take({ concurrency: 2, work: async (crawlId) => void done.push(crawlId) });
    for (const crawlId of [1, 2]) {
      await own.halt();
      const asked = Promise.all([jobs.add([{ crawlId, queue: 'site:a' }]), jobs.holders(), jobs.free(['a'])]);
      await own.start();
      await asked;
    }
    await expect.poll(() => new Set(done), { timeout: 30_000 }).toEqual(new Set([1, 2]));
    await taker.stop();
  } finally {
    await jobs.close();
    await own.stop();
  }
}, 120_000);
