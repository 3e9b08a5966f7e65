import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { openForReading, openForWriting } from '../../src/archive/open/open-archive.ts';
import { reindex } from '../../src/archive/reindex.ts';
import { thinArchive } from '../../src/archive/thin/thin-archive.ts';
import { verify } from '../../src/archive/verify/verify.ts';
import { readRecords } from '../../src/warc/read-records.ts';
import { HOUR, START, visitEditions } from '../visited-archive.ts';
import { temporaryFolder } from './daguerre.ts';

const SCRIPT = fileURLToPath(new URL('thin-and-die.ts', import.meta.url));
/** Steps of one file: staged, then those of a swap. */
const STEPS = ['staged', 'noted', 'placed', 'indexed', 'committed', 'unindexed', 'removed', 'done'] as const;

function noise(seed: string): string {
  const blocks = Array.from({ length: 60 }, (_, i) => createHash('sha256').update(`${seed} ${i}`).digest());
  return Buffer.concat(blocks).toString('base64');
}

/** Runs until it kills itself; resolves with what it said last. */
function dieAt(archive: string, step: number): Promise<{ said: string; signal: string | null }> {
  const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, archive, String(step)]);
  let said = '';
  child.stdout.on('data', (piece) => {
    said += piece;
  });
  child.stderr.pipe(process.stderr);
  return new Promise((resolve) => child.once('close', (_, signal) => resolve({ said, signal })));
}

/** Every record that an archive holds, by id; throws for one that stands twice. */
async function records(archive: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const file of await readdir(join(archive, 'warc')))
    for await (const { id } of readRecords(join(archive, 'warc', file))) {
      if (found.has(id)) throw new Error(`${id} stands twice`);
      found.add(id);
    }
  return found;
}

async function told(archive: string) {
  const open = await openForReading({ archive });
  try {
    const captures: string[] = [];
    for await (const { url, at, type, digest } of open.catalog.captures({}))
      if (!url.startsWith('urn:dropped:') && !url.startsWith('urn:pageinfo:'))
        captures.push(`${type} ${url} ${at} ${digest.sha256}`);
    const versions = (await open.catalog.versions({})).map(
      ({ url, at, kept, sha256 }) => `${url} ${at} ${kept} ${sha256}`,
    );
    return { captures, versions };
  } finally {
    await open.close();
  }
}

describe('kill -9 while an archive is thinned', () => {
  let origin: string;
  let whole: Awaited<ReturnType<typeof told>>;
  beforeAll(async () => {
    origin = await temporaryFolder();
    const editions = Array.from({ length: 8 }, (_, hour) => ({
      '/': `<title>Home</title><p>${noise(`home ${hour - (hour % 3 === 2 ? 1 : 0)}`)}</p>`,
    }));
    // Each visit has a file of its own; six of them are rewritten.
    await visitEditions(origin, editions);
    const thinned = await temporaryFolder();
    await cp(origin, thinned, { recursive: true });
    const open = await openForWriting({ archive: thinned }, 'test', { takeOver: true });
    await thinArchive(open, { storage: 1, now: START + 100 * HOUR });
    await open.close();
    whole = await told(thinned);
  }, 120_000);

  // In the second file: one that is done lies before it, and others are to come.
  it.each(STEPS.map((name, i) => [name, STEPS.length + i] as const))(
    'after "%s" => old or new, nothing lost, nothing twice; the same command ends it',
    { timeout: 60_000 },
    async (name, step) => {
      const archive = await temporaryFolder();
      await cp(origin, archive, { recursive: true });
      const before = await records(archive);
      expect(await dieAt(archive, step)).toEqual({ said: name, signal: 'SIGKILL' });

      // A reader that comes first sees an archive that is whole.
      expect(
        (await verify({ archive }, {})).errors.filter(({ reason }) => !/index of .* is missing/.test(reason)),
      ).toEqual([]);

      await (await openForWriting({ archive }, 'test', { takeOver: true })).close();
      const { errors, warnings } = await verify({ archive }, {});
      expect([...errors, ...warnings]).toEqual([]);
      expect((await readdir(archive)).filter((one) => /swap/.test(one))).toEqual([]);
      expect(await readdir(join(archive, 'tmp'))).toEqual([]);
      const after = await records(archive);
      const kept = new Set([...before].filter((id) => after.has(id)));
      const now = await told(archive);
      // Two files at most are done, of six; whatever stays in the end is there at any time.
      expect(before.size - kept.size).toBeGreaterThan(0);
      expect(now.captures).toEqual(expect.arrayContaining([...whole.captures]));

      expect(await dieAt(archive, 1000)).toEqual({ said: 'whole', signal: null });
      expect(await told(archive)).toEqual(whole);
      await reindex({ archive }, { onMended: () => {}, onProgress: () => {} });
      expect(await told(archive)).toEqual(whole);
    },
  );

  it.each(['placed', 'indexed', 'committed', 'removed'] as const)(
    'after "%s", and the catalog is lost too => reindex brings back old or new, nothing lost',
    { timeout: 60_000 },
    async (name) => {
      const archive = await temporaryFolder();
      await cp(origin, archive, { recursive: true });
      expect((await dieAt(archive, STEPS.indexOf(name))).said).toBe(name);
      for (const ending of ['', '-wal', '-shm'])
        await rm(join(archive, `catalog.sqlite${ending}`), { force: true });
      expect((await reindex({ archive }, { onMended: () => {}, onProgress: () => {} })).errors).toEqual([]);
      await records(archive);
      const { errors, warnings } = await verify({ archive }, {});
      expect([...errors, ...warnings]).toEqual([]);
      expect((await told(archive)).captures).toEqual(expect.arrayContaining([...whole.captures]));
    },
  );
});
