import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { LOOPBACK_BUCKET, loopbackS3 } from '../../test/loopback-s3.ts';
import { archiveFolder } from './archive-folder.ts';
import { knownKeys, rotateKey } from './archive-key.ts';
import { openS3Records } from './s3/s3-records.ts';
import { keysOfArchive, openSharedSigner } from './shared-keys.ts';

const store = await loopbackS3();
afterAll(() => store.close());

test('two folders write one archive in a store => each has a private key of its own, and knows the public key of the other', async () => {
  const machine = async () =>
    archiveFolder(
      await mkdtemp(join(tmpdir(), 'daguerre-')),
      await openS3Records({
        ...{ place: { bucket: LOOPBACK_BUCKET, prefix: 'a' }, env: store.env, cacheSize: 1e9 },
        patience: { wait: 0, tell: () => {} },
      }),
    );
  const [one, two] = [await machine(), await machine()];
  try {
    const keys = [
      (await openSharedSigner(one, 1)).publicKey,
      (await openSharedSigner(two, 2)).publicKey,
    ].sort();
    expect(new Set(keys).size).toBe(2);
    for (const folder of [one, two])
      expect((await keysOfArchive(folder)).map(({ publicKey }) => publicKey).sort()).toEqual(keys);
    expect([...store.objects.values()].join()).not.toContain('PRIVATE');

    // One retires its key: the other learns of it, and its own copy of the note does not bring the key back.
    const { publicKey: old } = await openSharedSigner(one, 3);
    await rotateKey(one.root, 4);
    await openSharedSigner(one, 5);
    const seen = await keysOfArchive(two);
    expect(seen).toHaveLength(3);
    expect(seen.find(({ publicKey }) => publicKey === old)).toMatchObject({ origin: 'own', retiredAt: 4 });
    expect(await knownKeys(two.root)).toHaveLength(1);
  } finally {
    for (const { root, remote } of [one, two]) {
      remote?.close();
      await rm(root, { recursive: true, force: true });
    }
  }
});
