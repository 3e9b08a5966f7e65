import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqliteCatalog } from '../../catalog/engines/sqlite.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { Attendance } from './attendance.ts';

const SILENCE = 600_000;
let folder: string;
let catalog: Catalog;
let now = 0;
const open: Attendance[] = [];
/** Names under which jobs are held. */
let holders: string[] = [];
const queue = {
  holders: async () => holders,
  free: async (freed: readonly string[]) => {
    holders = holders.filter((name) => !freed.includes(name));
  },
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
  catalog = await openSqliteCatalog(join(folder, 'catalog.sqlite'));
  now = 0;
  holders = [];
});
afterEach(async () => {
  for (const attendance of open.splice(0)) await attendance.end();
  await catalog.close();
  await rm(folder, { recursive: true, force: true });
});

/** One whose timer never fires in a test: each `begin` is one sign of life. */
async function worker(pool: string, wallClock: () => number = Date.now) {
  const roles = ['capture'] as const;
  const workerId = await catalog.joinWorkers({ machine: 'a', process: 1, version: '0', roles });
  const attendance = new Attendance({
    ...{ catalog, queue, workerId, silence: SILENCE },
    sign: () => ({ doing: [], settled: 0, rate: 0, pools: [pool] }),
    now: () => now,
    wallClock,
    onEnd: () => {},
  });
  open.push(attendance);
  const beat = async (): Promise<void> => {
    await attendance.begin();
    await attendance.end();
  };
  return { workerId, attendance, beat };
}

const ids = async (): Promise<readonly number[]> => (await catalog.workers()).map(({ id }) => id);

it('one gives no sign of life for the whole silence => dismissed, and its jobs are free at once', async () => {
  const [one, two] = [await worker('one'), await worker('two')];
  holders = ['one', 'two'];
  await one.beat();
  await two.beat();
  for (let beat = 0; beat < 3; beat++) {
    now += SILENCE / 4;
    await two.beat();
  }
  expect(await ids()).toEqual([one.workerId, two.workerId]);
  now += SILENCE / 4;
  await two.beat();
  expect(await ids()).toEqual([two.workerId]);
  expect(holders).toEqual(['two']);
  await expect(one.beat()).rejects.toMatchObject({ kind: 'dismissed' });
});

it('the one that looks was away itself => takes nobody for dead', async () => {
  const [one, two] = [await worker('one'), await worker('two')];
  await one.beat();
  await two.beat();
  now += 2 * SILENCE;
  expect(two.attendance.isConfirmed).toBe(false);
  await two.beat();
  expect(two.attendance.isConfirmed).toBe(true);
  expect(await ids()).toEqual([one.workerId, two.workerId]);
});

it('jobs are held under a name that nobody has => free when that is met a second time', async () => {
  const { beat } = await worker('one');
  holders = ['gone'];
  await beat();
  expect(holders).toEqual(['gone']);
  now += SILENCE / 6;
  await beat();
  expect(holders).toEqual([]);
});

it('its clock drifts away from that of the database => it leaves, and says so', async () => {
  let drift = 0;
  const { beat } = await worker('one', () => Date.now() + drift);
  await beat();
  drift = -300_000;
  await expect(beat()).rejects.toThrow(/dated 5 min early/);
});
