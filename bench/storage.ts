/**
 * What records in an object store, and a catalog in PostgreSQL beside it, cost a crawl: the same command with a folder, with `--storage`,
 * and with `--storage` and `--database`, in turns.
 * `DAGUERRE_TEST_S3=http://key:secret@127.0.0.1:7480/bucket npx tsx bench/storage.ts [--json] [--rounds N] [--pages N]`, built;
 * `scripts/s3-server.sh` starts a store. A local site of HTML pages over HTTP alone: the fastest possible crawl, where the cost weighs
 * most.
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { startOwnPostgres } from '../test/postgres.ts';
import { testS3 } from '../test/s3.ts';
import { contest, type Result, resultRow } from './contest.ts';
import { daguerreHttp } from './crawlers.ts';
import { meanRatio, print, type Ratio } from './figures.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '6' },
    pages: { type: 'string', default: '2000' },
    'per-host': { type: 'string', default: '4' },
  },
});
const store = await testS3('the cost of an object store');
if (!store) process.exit(0);
// The crawlers are separate processes and inherit this environment.
Object.assign(process.env, store.env);
const [rounds, pages] = [Number(values.rounds), Number(values.pages)];
const crawler = daguerreHttp(Number(values['per-host']));
const inFolder = { ...crawler, name: 'folder' };
const inStore = {
  ...crawler,
  name: 'object store',
  command: (url: string, folder: string) => [
    ...crawler.command(url, folder),
    ...['--storage', `${store.storage}/${randomUUID()}`],
  ],
};
// As a server keeps it: what is committed is on disk.
const postgres = await startOwnPostgres(['fsync=on']);
const inBoth = {
  ...inStore,
  name: 'object store and PostgreSQL',
  command: (url: string, folder: string) => [
    ...inStore.command(url, folder),
    ...['--database', `${postgres.url}?schema=bench_${randomUUID().replaceAll('-', '')}`],
  ],
};
const results = await contest('plain', pages, rounds, [inFolder, inStore, inBoth]).finally(() =>
  postgres.stop(),
);

function speed(other: typeof inStore, by: 'seconds' | 'cpuSeconds', what: string): Ratio {
  const [folder, remote] = [inFolder, other].map(({ name }) => (results.get(name) as Result)[by]);
  const { value, interval } = meanRatio(folder ?? [], remote ?? []);
  return { what: `${what}, folder ÷ ${other.name}; interval ${interval}`, value, aim: 0.6 };
}

print(
  {
    title: `Records in a folder and in an object store, ${pages} pages over HTTP, ${rounds} rounds`,
    rows: [...results.values()].map(resultRow),
    ratios: [inStore, inBoth].flatMap((other) => [
      speed(other, 'seconds', 'time'),
      speed(other, 'cpuSeconds', 'processor time'),
    ]),
    notes: [
      'The time includes what store and database take of the same machine; the processor time is that of Daguerre alone.',
    ],
  },
  values.json,
);
