import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqliteCatalog } from '../../catalog/engines/sqlite.ts';
import { Courtesy } from '../../loop/courtesy.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { LeasedHosts } from './leased-hosts.ts';

const NOBODY = new Set<string>();
let folder: string;
let catalog: Catalog;
const open: LeasedHosts[] = [];
let noted: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
  const opened = await openSqliteCatalog(join(folder, 'catalog.sqlite'));
  noted = [];
  catalog = {
    ...opened,
    async notePauses(workerId, hosts) {
      await opened.notePauses(workerId, hosts);
      noted.push(...hosts.map(({ host }) => host));
    },
  };
});
afterEach(async () => {
  for (const hosts of open.splice(0)) await hosts.close();
  await catalog.close();
  await rm(folder, { recursive: true, force: true });
});

async function worker(isConfirmed = () => true) {
  const roles = ['capture'] as const;
  const workerId = await catalog.joinWorkers({ machine: 'a', process: 1, version: '0', roles });
  const courtesy = new Courtesy();
  const onFailure = (error: unknown): void => {
    throw error;
  };
  const clock = { now: Date.now };
  const hosts = new LeasedHosts({ catalog, workerId, courtesy, clock, isConfirmed, onFailure });
  open.push(hosts);
  return { hosts, courtesy, workerId };
}

it('two workers want a host => one has it; when its piece is over, the other has it after the pause that is left', async () => {
  const [one, two] = [await worker(), await worker()];
  const first = one.hosts.forPiece(NOBODY);
  const second = two.hosts.forPiece(NOBODY);
  await expect.poll(() => first.mayAsk('a.example')).toBe(true);
  expect(second.mayAsk('a.example')).toBe(false);
  expect(second.mayAsk('b.example')).toBe(false);
  await expect.poll(() => second.mayAsk('b.example')).toBe(true);
  expect(second.mayAsk('a.example')).toBe(false);
  const manners = one.courtesy.of('a.example');
  const nextAt = Date.now() + 3_600_000;
  manners.politeness = { ...manners.politeness, nextAt };
  await first.leave();
  const inherited = (): number => {
    second.mayAsk('a.example');
    return two.courtesy.of('a.example').politeness.nextAt;
  };
  await expect.poll(inherited).toBeGreaterThan(Date.now() + 3_000_000);
  expect(second.mayAsk('a.example')).toBe(false);
});

it('a worker dies after an answer that asks for an hour => the next one waits for the rest of it', async () => {
  const [one, two] = [await worker(), await worker()];
  const first = one.hosts.forPiece(new Set(['a.example']));
  await expect.poll(() => first.mayAsk('a.example')).toBe(true);
  // Under way, so it is not given back.
  const manners = one.courtesy.of('a.example');
  manners.inFlight = 1;
  manners.politeness = { ...manners.politeness, nextAt: Date.now() + 3_600_000 };
  await expect.poll(() => noted).toEqual(['a.example']);
  await catalog.dismissWorkers([one.workerId], 5_000);
  const second = two.hosts.forPiece(NOBODY);
  const inherited = (): number => {
    second.mayAsk('a.example');
    return two.courtesy.of('a.example').politeness.nextAt;
  };
  await expect.poll(inherited).toBeGreaterThan(Date.now() + 3_000_000);
});

it('a host that nothing wants any more => given back though the piece goes on', async () => {
  const [one, two] = [await worker(), await worker()];
  const first = one.hosts.forPiece(NOBODY);
  await expect.poll(() => first.mayAsk('a.example')).toBe(true);
  const second = two.hosts.forPiece(NOBODY);
  await expect.poll(() => second.mayAsk('a.example')).toBe(true);
});

it('a host that is being asked => kept, however long the answer takes', async () => {
  const [one, two] = [await worker(), await worker()];
  const first = one.hosts.forPiece(NOBODY);
  await expect.poll(() => first.mayAsk('a.example')).toBe(true);
  one.courtesy.of('a.example').inFlight++;
  const second = two.hosts.forPiece(NOBODY);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(second.mayAsk('a.example')).toBe(false);
  one.courtesy.of('a.example').inFlight--;
  await expect.poll(() => second.mayAsk('a.example')).toBe(true);
});

it('a worker that others may have dismissed => asks no host, not even one that it had', async () => {
  let isConfirmed = true;
  const { hosts } = await worker(() => isConfirmed);
  const piece = hosts.forPiece(NOBODY);
  await expect.poll(() => piece.mayAsk('a.example')).toBe(true);
  isConfirmed = false;
  expect(piece.mayAsk('a.example')).toBe(false);
});
