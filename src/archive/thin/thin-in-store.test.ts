import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LOOPBACK_BUCKET, type LoopbackS3, loopbackS3 } from '../../../test/loopback-s3.ts';
import { HOUR, START, visitEditions } from '../../../test/visited-archive.ts';
import { ALL } from '../merge/choose-files.ts';
import { mergeArchive } from '../merge/merge-archive.ts';
import { type OpenArchive, openForReading, openForWriting } from '../open/open-archive.ts';
import { reindex } from '../reindex.ts';
import { verify } from '../verify/verify.ts';
import { SWAP_STEPS } from './swap-record-file.ts';
import { type ThinOptions, thinArchive } from './thin-archive.ts';

const noise = (seed: string): string =>
  Array.from({ length: 60 }, (_, i) => createHash('sha256').update(`${seed} ${i}`).digest('base64')).join('');
const editions = (count: number) =>
  Array.from({ length: count }, (_, hour) => ({
    '/': `<!doctype html><title>Home</title><p>${noise(`home ${hour}`)}</p>`,
  }));

const storage = `s3://${LOOPBACK_BUCKET}/p`;
const NOW = START + 100 * HOUR;
let server: LoopbackS3;
let archive: string;
beforeEach(async () => {
  server = await loopbackS3();
  for (const [name, value] of Object.entries(server.env)) vi.stubEnv(name, value);
  archive = await mkdtemp(join(tmpdir(), 'daguerre-'));
  await visitEditions(archive, editions(6), { storage });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
  await rm(archive, { recursive: true, force: true });
});

const writing = async <T>(work: (open: OpenArchive) => Promise<T>): Promise<T> => {
  const open = await openForWriting({ archive, storage }, 'test');
  try {
    return await work(open);
  } finally {
    await open.close();
  }
};
const thin = (options: Partial<ThinOptions> = {}) =>
  writing((open) => thinArchive(open, { now: NOW, storage: 1, ...options }));

const told = async () => {
  const open = await openForReading({ archive, storage });
  try {
    const captures: unknown[] = [];
    for await (const { url, at, type } of open.catalog.captures({ urlPrefix: 'http' }))
      captures.push([url, at, type]);
    return { captures, versions: await open.catalog.versions({}), pages: await open.catalog.pages({}) };
  } finally {
    await open.close();
  }
};
const problems = async () => {
  const { errors, warnings } = await verify({ archive, storage }, {});
  return [...errors, ...warnings];
};
const bytes = (): number =>
  [...server.objects].reduce((sum, [key, body]) => sum + (key.includes('.warc') ? body.length : 0), 0);

describe('thinArchive in an object store', () => {
  test('versions that matter little => go, and the store holds less', async () => {
    const before = bytes();
    const report = await thin();
    expect(report.versions).toHaveLength(4);
    expect(report).toMatchObject({ before, after: bytes() });
    expect(bytes()).toBeLessThan(before);
    expect([...server.objects.keys()]).not.toContain('p/swap.json');
    expect(await problems()).toEqual([]);
    const known = await told();
    await rm(archive, { recursive: true });
    await reindex({ archive, storage }, { onMended: () => {}, onProgress: () => {} });
    expect(await told()).toEqual(known);
  });

  test('files that were merged => thinned as well, and merged again', async () => {
    const merge = (open: OpenArchive) => mergeArchive(open, { now: () => NOW, sizes: ALL, grace: 0 });
    await writing(merge);
    expect((await thin()).versions).toHaveLength(4);
    await writing(merge);
    expect(await problems()).toEqual([]);
  });

  test.each(SWAP_STEPS.map((step, number) => [step, number] as const))(
    'killed after %s => the old file or the new one, by any machine; the next run ends it',
    async (last) => {
      const stop = (step: string): void => {
        if (step === last) throw new Error('killed');
      };
      await expect(thin({ onStep: stop })).rejects.toThrow('killed');
      // Another machine has only the store and the catalog.
      for (const part of ['warc', 'spool', 'tmp']) await rm(join(archive, part), { recursive: true });
      await writing(async () => {});
      expect([...server.objects.keys()]).not.toContain('p/swap.json');
      expect(await problems()).toEqual([]);
      await thin();
      const { versions } = await told();
      expect(versions.filter(({ kept }) => kept)).toHaveLength(2);
      expect(await problems()).toEqual([]);
    },
  );
});
