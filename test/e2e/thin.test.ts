import { createHash } from 'node:crypto';
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openForReading, openForWriting } from '../../src/archive/open/open-archive.ts';
import { visitEditions } from '../visited-archive.ts';
import { capturesOf, complaints, daguerre, spawnDaguerre, temporaryFolder } from './daguerre.ts';

function noise(seed: string, size: number): string {
  const blocks: Buffer[] = [];
  for (let length = 0; length < size; length += 32)
    blocks.push(createHash('sha256').update(`${seed} ${length}`).digest());
  return Buffer.concat(blocks).toString('base64').slice(0, size);
}

describe('daguerre thin', () => {
  let origin: string;
  let url: string;
  beforeAll(async () => {
    origin = await temporaryFolder();
    const editions = Array.from({ length: 8 }, (_, hour) => ({
      '/': `<title>Home</title><p>${noise(String(hour), 40_000)}</p>`,
    }));
    ({ url } = await visitEditions(origin, editions));
  }, 120_000);

  const copied = async (): Promise<string> => {
    const archive = await temporaryFolder();
    await cp(origin, archive, { recursive: true });
    await (await openForWriting({ archive }, 'test', { takeOver: true })).close();
    return archive;
  };
  const thin = (archive: string, ...more: string[]) =>
    daguerre(['thin', '--archive', archive, '--storage', '150kB', ...more]);

  it('without --yes => tells what would go; with it => goes, and why, verify and the list of captures tell', async () => {
    const archive = await copied();
    const before = await capturesOf(archive);
    const dry = await thin(archive);
    expect(dry.stdout).toContain('Nothing was changed: add --yes to do it.');
    expect(dry.stdout).toMatch(/ {2}2026-03-02 \d\d:00 {2}http:.* importance 1\.000/);
    expect(await capturesOf(archive)).toEqual(before);

    const done = await thin(archive, '--yes', '--json');
    expect(done).toMatchObject({ code: 0 });
    const report = done.json<{ after: number; versions: unknown[]; visits: number }>();
    expect(report.after).toBeLessThanOrEqual(150_000);
    expect(await complaints(archive)).toEqual([]);
    expect((await daguerre(['verify', '--archive', archive])).stdout).toContain(
      `what ${report.visits} visits brought was dropped`,
    );
    expect((await daguerre(['why', `${url}/`, '--archive', archive])).stdout).toContain(
      'what they saw was dropped',
    );
    const named = await daguerre(['diff', `${url}/@2026030209`, `${url}/@last`, '--archive', archive]);
    expect(named.stderr).toContain('that version was dropped to save room');
    const wacz = join(archive, '..', `${url.split(':').at(-1)}.wacz`);
    expect((await daguerre(['export', '--archive', archive, '--out', wacz])).code).toBe(0);
    await rm(wacz, { force: true });
  });

  it('no budget, a site that is none, both flags, beside a writer => a message, exit code', async () => {
    const archive = await copied();
    expect(await daguerre(['thin', '--archive', archive])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('how much may it take?'),
    });
    expect((await thin(archive, '--yes', '--dry-run')).code).toBe(2);
    expect((await daguerre(['thin', '--archive', archive, '--site', 'x', '--yes'])).stderr).toContain(
      'site=size',
    );
    const writer = await openForWriting({ archive }, 'archive');
    try {
      const refused = await thin(archive, '--yes');
      expect(refused.stderr).toContain('is being written by');
      expect(refused.code).not.toBe(0);
      expect((await thin(archive)).code).toBe(0);
    } finally {
      await writer.close();
    }
  });

  it('a reader that asked before => reads what stayed where it lies now', async () => {
    const archive = await copied();
    const reading = await openForReading({ archive });
    try {
      const asked = [];
      for await (const fact of reading.catalog.captures({ url: `${url}/` })) asked.push(fact);
      expect((await thin(archive, '--yes')).code).toBe(0);
      const kept = new Set((await capturesOf(archive)).map(({ recordId }) => recordId));
      const stayed = asked.filter(({ recordId }) => kept.has(recordId));
      expect(stayed.length).toBeLessThan(asked.length);
      for (const fact of stayed) expect((await reading.reader.read(fact)).type).toBe(fact.type);
    } finally {
      await reading.close();
    }
  });

  it('no room for the new file => exit code 4, nothing lost', { timeout: 120_000 }, async () => {
    const archive = await temporaryFolder();
    const editions = Array.from({ length: 4 }, (_, hour) => ({
      '/': `<title>Home</title><a href="/a">a</a><p>${noise(`home ${hour}`, 40_000)}</p>`,
      '/a': `<title>A</title><p>${noise(`a ${hour}`, 2_000_000)}</p>`,
    }));
    const visited = await visitEditions(archive, editions);
    const pin = ['--pin', '--why', 'wanted', '--by', 'test', '--archive', archive];
    expect((await daguerre(['decide', `${visited.url}/a`, ...pin])).code).toBe(0);
    const before = await capturesOf(archive);
    // Blocks of 1024 bytes: less than a new file has, with the pinned page in it, and more than the catalog takes.
    const full = await spawnDaguerre(['thin', '--archive', archive, '--storage', '1kB', '--yes'], {
      shellSetup: 'ulimit -f 1000',
    }).ended;
    expect(full.stderr).toMatch(/no space left to write .*thin-/);
    expect(full.code).toBe(4);
    expect(await capturesOf(archive)).toEqual(before);
    expect(await readdir(join(archive, 'tmp'))).toEqual([]);
    const again = await daguerre(['thin', '--archive', archive, '--storage', '1kB', '--yes', '--json']);
    expect(again.json<{ versions: readonly unknown[] }>().versions.length).toBeGreaterThan(0);
    expect(await capturesOf(archive)).not.toEqual(before);
    expect(await complaints(archive)).toEqual([]);
    expect((await readdir(archive)).filter((name) => /swap/.test(name))).toEqual([]);
  });
});
