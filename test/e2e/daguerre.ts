import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { killAllDaguerres } from '../daguerre-process.ts';

/** The command for tests: what a test file leaves running or lying about is gone when the file is done. */
export * from '../daguerre-process.ts';

afterAll(killAllDaguerres);

/** A folder that is gone when the test file is done. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
