import { openPostgresCatalog } from '../src/catalog/engines/postgres.ts';
import { schemaOf } from '../src/catalog/engines/postgres-schema.ts';
import type { CaptureFact } from '../src/model/capture.ts';
import { readIdentity } from '../src/storage/identity-file.ts';
import { collect, daguerre, type Running, spawnDaguerre } from './daguerre-process.ts';
import { page } from './e2e/small-site.ts';
import { type PoliteSite, startPoliteSite } from './polite-site.ts';

export const DELAY = 200;

/** Shortened, so that nobody waits a minute; long enough for a machine that is busy with other tests. */
export const SILENCE = { DAGUERRE_SILENCE: '8s' };

export interface WorkersRig {
  readonly archive: string;
  readonly database: string;
  readonly sites: readonly PoliteSite[];
  /** Shows pictures on the pages of all others. */
  readonly pictures: PoliteSite;
  /** With its process id. */
  worker(...flags: readonly string[]): Promise<Running>;
  handOver(...flags: readonly string[]): Running;
  run(command: string, ...flags: readonly string[]): ReturnType<typeof daguerre>;
  captures(): Promise<readonly CaptureFact[]>;
  close(): Promise<void>;
}

/** Sites on addresses of their own, so many pages each in a tree; every third page shows a picture of another host. */
export async function openWorkersRig(
  archive: string,
  database: string,
  { sites: count, pages }: { readonly sites: number; readonly pages: number },
): Promise<WorkersRig> {
  const pictures = await startPoliteSite('127.0.0.200', (path) =>
    path === '/robots.txt' ? undefined : { type: 'image/svg+xml', body: `<svg id="${path}"/>` },
  );
  const sites: PoliteSite[] = [];
  for (let number = 1; number <= count; number++) {
    sites.push(
      await startPoliteSite(`127.0.0.${number + 10}`, (path) => {
        const n = path === '/' ? 0 : Number(/^\/p(\d+)$/.exec(path)?.[1] ?? Number.NaN);
        if (!(n < pages)) return undefined;
        const links = [1, 2, 3].map((child) => 3 * n + child).filter((child) => child < pages);
        const picture = n % 3 === 0 ? `<img src="${pictures.url}/${number}-${n}.svg" alt="">` : '';
        const body = page(
          `Site ${number}, page ${n}`,
          links.map((child) => `/p${child}`),
        );
        return { type: 'text/html', body: body + picture };
      }),
    );
  }
  const place = ['--archive', archive, '--database', database];
  return {
    archive,
    database,
    sites,
    pictures,
    async worker(...flags) {
      const running = spawnDaguerre(['worker', ...place, ...flags], { env: SILENCE });
      await running.said('has joined');
      return running;
    },
    handOver: (...flags) =>
      spawnDaguerre(
        [
          ...['archive', ...sites.map(({ url }) => `${url}/`), ...place, '--hand-over', '--json'],
          ...[
            '--render',
            'never',
            '--allow-private',
            '--delay',
            `${DELAY}ms`,
            '--delay-factor',
            '0',
            ...flags,
          ],
        ],
        { env: SILENCE },
      ),
    run: (command, ...flags) => daguerre([command, ...place, ...flags]),
    async captures() {
      const identity = await readIdentity(archive);
      const catalog = await openPostgresCatalog(database, {
        schema: schemaOf(identity?.id ?? ''),
        readonly: true,
      });
      try {
        return await collect(catalog.captures({}));
      } finally {
        await catalog.close();
      }
    },
    async close() {
      for (const site of [...sites, pictures]) await site.close();
    },
  };
}
