import { execFile, execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openPostgresCatalog } from '../src/catalog/engines/postgres.ts';
import { schemaOf } from '../src/catalog/engines/postgres-schema.ts';
import type { CaptureFact } from '../src/model/capture.ts';
import { readIdentity } from '../src/storage/identity-file.ts';
import { collect, daguerre, type Finished, type Running, spawnDaguerre } from './daguerre-process.ts';
import { page } from './e2e/small-site.ts';
import { type PoliteSite, startPoliteSite } from './polite-site.ts';

const SCRIPT = fileURLToPath(new URL('../scripts/cluster.sh', import.meta.url));
const TOOLS = [
  ...['ceph-mon', 'ceph-mgr', 'ceph-osd', 'radosgw', 'radosgw-admin', 'ceph', 'setpriv'],
  ...['psql', 'pg_dump'],
];

/** Why no cluster can be had here; undefined where one can. */
export function noCluster(): string | undefined {
  const missing = TOOLS.filter((tool) => {
    try {
      execFileSync('sh', ['-c', `command -v ${tool}`], { stdio: 'ignore' });
      return false;
    } catch {
      return true;
    }
  });
  return missing.length === 0
    ? undefined
    : `${missing.join(', ')} not installed (Debian: apt-get install --no-install-recommends ceph-mon ceph-mgr ceph-osd radosgw postgresql)`;
}

/** What scripts/cluster.sh starts: PostgreSQL, Ceph, workers with folders of their own, serve. */
export interface Cluster {
  readonly port: number;
  /** For a process that is to use it. */
  env(): Promise<Readonly<Record<string, string>>>;
  /** What does not run yet. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Exit code and what it says. */
  status(): Promise<{ readonly code: number; readonly text: string }>;
  /** `kill -9` of `worker-1`, `postgres`, `s3` (its gateway) or `serve`. */
  kill(part: string): Promise<void>;
  run(command: string, ...flags: readonly string[]): Promise<Finished>;
  handOver(sites: readonly PoliteSite[], ...flags: readonly string[]): Promise<Running>;
  /** Of the archive's catalog, there or in a database that it was restored to. */
  captures(database?: string): Promise<readonly CaptureFact[]>;
  log(part: string): Promise<string>;
  remove(): Promise<void>;
}

export const DELAY = 200;

export async function openCluster(given: Readonly<Record<string, string>> = {}): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'daguerre-cluster-'));
  // PostgreSQL runs as another user where we are root.
  await chmod(folder, 0o755);
  const port = await freePorts(5);
  const script = (action: string, ...more: string[]) =>
    promisify(execFile)(SCRIPT, [action, folder, ...more], { env: { ...process.env, ...given } });
  const env = async (): Promise<Record<string, string>> => {
    const text = await readFile(join(folder, 'env'), 'utf8');
    const set = text.matchAll(/^export (\w+)=(.*)$/gm);
    return { ...given, ...Object.fromEntries([...set].map(([, name = '', value = '']) => [name, value])) };
  };
  return {
    port,
    env,
    start: async () => void (await script('start', String(port))),
    stop: async () => void (await script('stop')),
    status: () =>
      script('status').then(
        ({ stdout }) => ({ code: 0, text: stdout }),
        ({ code, stdout }: { code: number; stdout: string }) => ({ code, text: stdout }),
      ),
    async kill(part) {
      const text = await readFile(join(folder, `${part}.pid`), 'utf8');
      try {
        process.kill(Number(text.split('\n')[0]), 'SIGKILL');
      } catch (error) {
        // It may have ended by itself.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    },
    run: async (command, ...flags) => daguerre([command, ...flags], { env: await env() }),
    handOver: async (sites, ...flags) =>
      spawnDaguerre(
        [
          ...['archive', ...sites.map(({ url }) => `${url}/`), '--hand-over', '--json', '--allow-private'],
          ...['--render', 'never', '--delay', `${DELAY}ms`, '--delay-factor', '0', ...flags],
        ],
        { env: await env() },
      ),
    async captures(elsewhere) {
      const database = elsewhere ?? (await env()).DAGUERRE_DATABASE ?? '';
      const identity = await readIdentity(join(folder, 'worker-1'));
      const schema = schemaOf(identity?.id ?? '');
      const catalog = await openPostgresCatalog(database, { schema, readonly: true });
      try {
        return await collect(catalog.captures({}));
      } finally {
        await catalog.close();
      }
    },
    log: (part) => readFile(join(folder, `${part}.log`), 'utf8'),
    async remove() {
      await script('stop');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Each on an address of its own, so many pages in a tree. */
export async function openSites(
  count: number,
  pages: number,
  answer?: number,
): Promise<readonly PoliteSite[]> {
  const sites: PoliteSite[] = [];
  for (let number = 0; number < count; number++) {
    const host = `127.0.${20 + Math.floor(number / 200)}.${10 + (number % 200)}`;
    sites.push(
      await startPoliteSite(
        host,
        (path) => {
          const n = path === '/' ? 0 : Number(/^\/p(\d+)$/.exec(path)?.[1] ?? Number.NaN);
          if (!(n < pages)) return undefined;
          const links = [1, 2, 3].map((child) => 3 * n + child).filter((child) => child < pages);
          const body = page(
            `Site ${number}, page ${n}`,
            links.map((child) => `/p${child}`),
          );
          return { type: 'text/html', body };
        },
        answer,
      ),
    );
  }
  return sites;
}

/** Answers of these sites, but for robots.txt; revisits too, which nobody asked for. */
export function pagesOf(captures: readonly CaptureFact[], sites: readonly PoliteSite[]): readonly string[] {
  const hosts = new Set(sites.map(({ host }) => host));
  return captures
    .filter(({ type, url }) => (type === 'response' || type === 'revisit') && url.startsWith('http'))
    .map(({ url }) => url)
    .filter((url) => hosts.has(new URL(url).host) && !url.endsWith('/robots.txt'));
}

/** The first of so many that are free in a row, a moment ago. */
async function freePorts(count: number): Promise<number> {
  for (let first = 18_000 + (process.pid % 1_000) * 10; ; first += count) {
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(first + index)));
    if (free.every(Boolean)) return first;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
