import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { UserError } from '../archive/user-error.ts';
import { CatalogFault } from '../catalog/faults.ts';
import { StorageFull } from '../ports/record-store.ts';
import { naming } from '../ports/system-error.ts';
import { PortTaken } from '../server/port-taken.ts';
import { EXIT } from './exit-codes.ts';
import { explainError } from './explain-error.ts';

const folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Real system errors, not made-up ones: Node may change their shape. */
const thrown = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => error,
  );

const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
  code: 'ENOSPC',
  syscall: 'write',
});

/** As s3-records.ts tells of it. */
const goneFromStore = (): Promise<never> =>
  Promise.reject(
    Object.assign(new Error('ENOENT: no such record file'), {
      ...{ code: 'ENOENT', syscall: 'get', path: 's3://b/p/warc/x.warc.gz' },
    }),
  );

it.each([
  ['a missing file', () => readFile(join(folder, 'none')), EXIT.usage, /none does not exist.*ENOENT/],
  ['a file as a folder', () => notFolder(), EXIT.usage, /a part of its path is a file/],
  ['a folder as a file', () => naming(folder, readFile(folder)), EXIT.usage, /is a folder/],
  ['a name of 5,000 characters', () => mkdir(join(folder, 'x'.repeat(5000))), EXIT.usage, /too long/],
  [
    'a record file of a store',
    () => goneFromStore(),
    EXIT.usage,
    /^s3:\/\/b\/p\/warc\/x\.warc\.gz is not in the object store/,
  ],
  ['a target without a folder', () => badRename(), EXIT.usage, /does not exist/],
  ['a port that is taken', () => takenPort(), EXIT.usage, /127\.0\.0\.1 port \d+ is taken/],
  ['a port that serve wants', () => Promise.reject(new PortTaken('is taken')), EXIT.usage, /^is taken$/],
  [
    'a full disk under an open file',
    () => naming('x.warc', Promise.reject(full)),
    EXIT.storageFull,
    /x\.warc/,
  ],
  [
    'an ordinary fault inside another error',
    () => Promise.reject(new Error('the crawl could not go on', { cause: new StorageFull('y', full) })),
    EXIT.storageFull,
    /^the crawl could not go on: no space left to write y/,
  ],
  [
    'one of several errors',
    () => Promise.reject(new AggregateError([new Error('x'), new UserError('say y')], 'z')),
    EXIT.usage,
    /say y/,
  ],
  [
    'a damaged catalog',
    () => Promise.reject(new CatalogFault('damaged', 'c', 'is torn')),
    EXIT.damaged,
    /is torn/,
  ],
  [
    'a database that is gone',
    () => Promise.reject(new CatalogFault('unreachable', 'c', 'gone')),
    EXIT.unreachable,
    /gone/,
  ],
])('%s => a message and its exit code', async (_, work, exitCode, words) => {
  const explained = explainError(await thrown(work()));
  expect(explained.message).toMatch(words);
  expect(explained.message).not.toMatch(/^\s+at /m);
  expect(explained.exitCode).toBe(exitCode);
});

it('a fault of ours => code 1 with its stack', () => {
  const { exitCode, message } = explainError(new TypeError('x is not a function'));
  expect(exitCode).toBe(EXIT.internal);
  expect(message).toMatch(/^\s+at /m);
});

it('an error that is its own cause => code 1', () => {
  const error = new Error('round');
  error.cause = error;
  expect(explainError(error).exitCode).toBe(EXIT.internal);
});

async function notFolder(): Promise<void> {
  const file = join(folder, 'file');
  await writeFile(file, '');
  await mkdir(join(file, 'below'));
}

async function badRename(): Promise<void> {
  await rename(join(folder, 'gone'), join(folder, 'there'));
}

async function takenPort(): Promise<void> {
  const first = createServer();
  await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve));
  try {
    await new Promise<void>((_, reject) => {
      createServer()
        .once('error', reject)
        .listen((first.address() as { port: number }).port, '127.0.0.1');
    });
  } finally {
    first.close();
  }
}
