import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Writes a stream to a temporary file for as long as `read` needs it. */
export async function* fromSpool<T>(
  source: AsyncIterable<Uint8Array>,
  read: (path: string) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
  try {
    const path = join(folder, 'records');
    await pipeline(source, createWriteStream(path));
    yield* read(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
