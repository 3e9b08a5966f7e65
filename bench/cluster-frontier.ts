/**
 * Claims and commits on a PostgreSQL whose frontier is large already:
 * `npx tsx bench/cluster-frontier.ts [--json] [--batches N] [--memory SIZE] [sizes…]`, 10^5 and 10^7 rows unless told otherwise (some 8 GB of disk for the latter).
 *
 * The rows of each size are put by `generate_series` into the tables that the catalog made: `urls` and `frontier`, half of it still to do, on 100
 * hosts of one crawl. Then the real catalog takes and commits as the loop does it, a hundred visits at a time with 20 links each, half of
 * them new: every claim asks for 256 entries of one host. All sizes are in one server, and take turns batch by batch, so that other work on the
 * machine hits them alike. Times are medians; the server's processor time and its log are means. PostgreSQL as in commit.ts, or the
 * one that `DAGUERRE_TEST_POSTGRES` names. It has 128 MB of memory for its pages, or `--memory`, which is filled with all tables first (as far
 * as they fit): what still grows then is not the cache.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openPostgresCatalog } from '../src/catalog/engines/postgres.ts';
import { keyOf } from '../src/catalog/names/stored-text.ts';
import type { CrawlSpec, NewFrontierEntry } from '../src/model/crawl.ts';
import type { Catalog, VisitCommit } from '../src/ports/catalog.ts';
import { startPostgres } from '../test/postgres.ts';
import { randomNumbers } from '../test/random-numbers.ts';
import { type Cost, type Meter, openMeter } from './database-meter.ts';
import { mean, median, print, round } from './figures.ts';

const HOSTS = 100;
const LINKS = 20;
const VISITS = 100;
const AT = 1_700_000_000_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    batches: { type: 'string', default: '100' },
    memory: { type: 'string' },
  },
});
const sizes = (positionals.length > 0 ? positionals : ['100000', '10000000']).map(Number);
const batches = Number(values.batches);

/** A frontier of its size, in a schema of its own. */
interface Place {
  readonly rows: number;
  readonly schema: string;
  readonly catalog: Catalog;
  readonly crawlId: number;
  readonly gigabytes: number;
  /** URLs that were named so far. */
  known: number;
  readonly claims: Cost[];
  readonly commits: Cost[];
}

const hostOf = (n: number): string => `news${n % HOSTS}.example.org`;
const urlOf = (n: number): string =>
  `https://${hostOf(n)}/2024/a-story-with-a-title-of-common-length-${n}.html`;

const candidate = (n: number, rank: number): NewFrontierEntry => ({
  ...{ url: urlOf(n), kind: 'page', host: hostOf(n), depth: 3, extraHops: 0, redirects: 0, rank },
  ...{ reason: 'breadth-first: depth 3', isSeed: false },
});

async function open(server: string, client: pg.Client, rows: number): Promise<Place> {
  const schema = `daguerre_bench_frontier_${rows}`;
  await client.query(`drop schema if exists ${schema} cascade`);
  const url = new URL(server);
  url.searchParams.set('application_name', schema);
  const catalog = await openPostgresCatalog(url.href, { schema });
  const { id } = await catalog.createCrawl('bench', {} as CrawlSpec, AT);
  await load(client, schema, id, rows);
  const size = await client.query<{ bytes: string }>(
    `select sum(pg_total_relation_size(c.oid)) as bytes from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind = 'r'`,
    [schema],
  );
  const gigabytes = Number(size.rows[0]?.bytes) / 1e9;
  return { rows, schema, catalog, crawlId: id, gigabytes, known: rows, claims: [], commits: [] };
}

/** An index that is filled row by row, at random places of more than the server's memory, takes hours; made at the end, minutes. */
async function withoutIndexes(client: pg.Client, schema: string): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ drop: string; make: string }>(
    `select case when c.conname is null then 'drop index ' || i.indexname
       else 'alter table ' || i.tablename || ' drop constraint ' || c.conname end as drop,
     case when c.conname is null then i.indexdef
       else 'alter table ' || i.tablename || ' add constraint ' || c.conname || ' ' || pg_get_constraintdef(c.oid) end as make
     from pg_indexes i left join pg_constraint c on c.conname = i.indexname and c.connamespace = to_regnamespace($1)
     where i.schemaname = $1 and i.tablename in ('urls', 'frontier')`,
    [schema],
  );
  for (const { drop } of rows) await client.query(drop);
  return async () => {
    await client.query(`set maintenance_work_mem = '1GB'`);
    for (const { make } of rows) await client.query(make);
  };
}

/** In the order of a crawl: entry n is URL n, and those that were found first are done. */
async function load(client: pg.Client, schema: string, crawl: number, rows: number): Promise<void> {
  const told = `${rows} rows`;
  process.stderr.write(`${told}: loading … `);
  await client.query(`set search_path = ${schema}`);
  for (let n = 0; n < HOSTS; n++)
    await client.query('insert into hosts (key, host) values ($1, $2)', [keyOf(hostOf(n)), hostOf(n)]);
  const text = `'https://news' || n % ${HOSTS} || '.example.org/2024/a-story-with-a-title-of-common-length-' || n || '.html'`;
  // As keyOf makes them.
  const key = `left(translate(encode(sha256(convert_to(${text}, 'UTF8')), 'base64'), '+/', '-_'), 22)`;
  const restore = await withoutIndexes(client, schema);
  await client.query(
    `insert into urls (key, url) select ${key}, ${text} from generate_series(0, ${rows - 1}) n`,
  );
  await client.query(
    `insert into frontier (crawl_id, url_id, host_id, kind, state, depth, extra_hops, redirects, rank, reason, attempts, is_seed, not_before, pass)
     select ${crawl}, u.id, h.id, 'page', case when n < ${rows / 2} then 'captured' else 'pending' end, 3, 0, 0, n,
       'breadth-first: depth 3', 0, 0, 0, 0
     from (select id, row_number() over (order by id) - 1 as n from urls) u
     join (select id, row_number() over (order by id) - 1 as h from hosts) h on h.h = u.n % ${HOSTS} order by n`,
  );
  await restore();
  await client.query('vacuum analyze urls, frontier');
  process.stderr.write('loaded\n');
}

async function turn(place: Place, meter: Meter, batch: number): Promise<void> {
  const { catalog, crawlId, rows } = place;
  const entries = await meter(place.schema, place.claims, () => catalog.pending(crawlId, hostOf(batch), 256));
  if (entries.length < VISITS) throw new Error(`${hostOf(batch)} has ${entries.length} entries left`);
  const visits = entries.slice(0, VISITS).map((entry, index): VisitCommit => {
    const at = AT + batch * 10_000 + index;
    const named = Array.from({ length: LINKS }, (_, link) =>
      link % 2 === 0 ? place.known++ : Math.floor(random() * rows),
    );
    return {
      visit: {
        ...{ url: entry.url, at, duration: 80, reason: entry.reason },
        ...{ outcome: 'captured', status: 200, bytes: 9_000 },
      },
      settlement: { entryId: entry.id, state: 'captured' },
      ...{ captures: [], discovered: named.map((n) => candidate(n, n)), skips: [] },
    };
  });
  const empty = { crawlId, visits: [], denials: [], captures: [], discovered: [], skips: [] };
  await meter(place.schema, place.commits, () =>
    catalog.commit({ ...empty, visits, fileLengths: new Map() }),
  );
}

async function fillMemory(client: pg.Client): Promise<void> {
  await client.query('create extension if not exists pg_prewarm schema public');
  for (const { schema } of places)
    await client.query(
      `select sum(public.pg_prewarm(c.oid)) from pg_class c where c.relnamespace = to_regnamespace($1) and c.relkind in ('r', 'i')`,
      [schema],
    );
}

const random = randomNumbers(20261118);
const server = await startPostgres(values.memory === undefined ? [] : [`shared_buffers=${values.memory}`]);
const client = new pg.Client({ connectionString: server.url });
await client.connect();
const places: Place[] = [];
try {
  for (const rows of sizes) places.push(await open(server.url, client, rows));
  if (values.memory !== undefined) await fillMemory(client);
  await client.query('checkpoint');
  const meter = openMeter(client);
  for (let batch = 0; batch < batches; batch++) for (const place of places) await turn(place, meter, batch);
} finally {
  for (const { catalog, schema } of places) {
    await catalog.close();
    await client.query(`drop schema ${schema} cascade`);
  }
  await client.end();
  await server.stop();
}

/** The first tenth warms the caches of server and process up. */
const warm = (costs: readonly Cost[]): readonly Cost[] => costs.slice(Math.ceil(batches / 10));
const FIGURES = {
  ms: (costs: readonly Cost[]) => median(costs.map(({ ms }) => ms)),
  "ms of the server's processor": (costs: readonly Cost[]) => mean(costs.map(({ processor }) => processor)),
  'KB of its log': (costs: readonly Cost[]) => mean(costs.map(({ log }) => log)),
};
const KINDS = ['claims', 'commits'] as const;
const [small, ...larger] = places;
print(
  {
    title: `A frontier in PostgreSQL with ${values.memory ?? '128MB'} of memory, ${batches} batches: claims of 256 entries, commits of ${VISITS} visits`,
    rows: places.flatMap((place) =>
      KINDS.map((kind) => ({
        ...{ rows: place.rows, 'GB of tables and indexes': round(place.gigabytes, 2), of: kind },
        ...Object.fromEntries(
          Object.entries(FIGURES).map(([name, figure]) => [name, round(figure(warm(place[kind])), 2)]),
        ),
      })),
    ),
    ratios: larger.flatMap((large) =>
      KINDS.flatMap((kind) =>
        Object.entries(FIGURES).map(([name, figure]) => ({
          what: `${name}, ${kind}, ${large.rows} rows ÷ ${small?.rows}`,
          value: figure(warm(large[kind])) / figure(warm(small?.[kind] ?? [])),
          ...(name === 'ms' && { aim: 1.3, atMost: true }),
        })),
      ),
    ),
    notes: [],
  },
  values.json,
);
