import { randomBytes } from 'node:crypto';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { event, exchange, temporaryArchive, testStore } from '../../test/warc-events.ts';
import { StorageFull } from '../ports/record-store.ts';
import { verifyWarcs } from './verify/verify-archive.ts';
import type { AppendTarget } from './warc-file.ts';

let archive: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ archive, remove } = await temporaryArchive());
});
afterEach(() => remove());

describe('a full disk', () => {
  /** A real file that accepts `room` bytes, half of the write that exceeds them, and then nothing more. */
  const small =
    (room: number) =>
    async (path: string): Promise<AppendTarget> => {
      const file = await open(path, 'wx');
      return {
        write: (async (buffer: Uint8Array, from: number, length: number, at: number) => {
          if (at + length <= room) return file.write(buffer, from, length, at);
          if (at < room) return file.write(buffer, from, room - at, at);
          throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        }) as AppendTarget['write'],
        truncate: (length) => file.truncate(length),
        datasync: () => file.datasync(),
        close: () => file.close(),
      };
    };

  test('the event that does not fit => StorageFull, file cut back, what was stored is whole, a smaller one fits', async () => {
    const store = await testStore(archive, { openFile: small(4096) });
    const [first] = await store.append(await event(store, [exchange()]));
    const before = store.lengths().get(first?.file ?? '');
    const big = exchange({ url: 'https://example.com/big', body: randomBytes(8000) });
    await expect(store.append(await event(store, [big]))).rejects.toBeInstanceOf(StorageFull);
    expect((await stat(join(archive, 'warc', first?.file ?? ''))).size).toBe(before);
    expect(store.lengths().get(first?.file ?? '')).toBe(before);
    await store.append(await event(store, [exchange({ url: 'https://example.com/2' })]));
    await store.close();
    expect(await verifyWarcs(archive)).toMatchObject({ records: 5, errors: [], warnings: [], notes: [] });
  });

  test('no room even for warcinfo => StorageFull, no file left', async () => {
    const store = await testStore(archive, { openFile: small(100) });
    await expect(store.append(await event(store, [exchange()]))).rejects.toBeInstanceOf(StorageFull);
    await store.close();
    expect(await readdir(join(archive, 'warc'))).toEqual([]);
  });
});
