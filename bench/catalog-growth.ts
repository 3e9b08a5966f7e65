/**
 * What crawls of an unchanged site add to the catalog: `npx tsx bench/catalog-growth.ts [--json] [--pages N] [--crawls N]`.
 *
 * The plain site of `crawl-http.ts`, crawled repeatedly into one archive; after each crawl the size of the SQLite file, and how
 * much of it each table takes with its indexes. Processor time is for the whole command.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { daguerreHttp } from './crawlers.ts';
import { print, round } from './figures.ts';
import { runCommand } from './run-command.ts';
import { startSite } from './site-server.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    pages: { type: 'string', default: '1800' },
    crawls: { type: 'string', default: '4' },
  },
});
const pages = Number(values.pages);

interface Measured {
  readonly bytes: number;
  readonly tables: ReadonlyMap<string, number>;
  readonly cpuSeconds: number;
}

function tablesOf(path: string): ReadonlyMap<string, number> {
  const database = new Database(path, { readonly: true });
  const rows = database
    .prepare(
      `select coalesce(m.tbl_name, s.name) as name, sum(s.pgsize) as bytes from dbstat s
       left join sqlite_master m on m.name = s.name where s.aggregate = 1 group by 1`,
    )
    .all() as { name: string; bytes: number }[];
  database.close();
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

const server = await startSite('plain', pages);
const folder = await mkdtemp(join(tmpdir(), 'daguerre-growth-'));
const measured: Measured[] = [];
try {
  for (let crawl = 0; crawl < Number(values.crawls); crawl++) {
    const { cpuSeconds } = await runCommand(daguerreHttp(1).command(server.url, folder), { cwd: folder });
    const counts = await server.takeCounts();
    if (counts.pages !== pages) throw new Error(`${counts.pages} of ${pages} pages were fetched`);
    const path = join(folder, 'catalog.sqlite');
    const tables = tablesOf(path);
    measured.push({ bytes: (await stat(path)).size, tables, cpuSeconds });
  }
} finally {
  server.close();
  await rm(folder, { recursive: true, force: true });
}

const megabytes = (bytes: number): number => round(bytes / 1e6, 3);
const growth = measured.slice(1).map(({ bytes }, at) => bytes - (measured[at] as Measured).bytes);
const names = [...(measured.at(-1) as Measured).tables.keys()].filter((name) =>
  measured.some(({ tables }) => (tables.get(name) ?? 0) > 20_000),
);
print(
  {
    title: `Catalog of an unchanged site of ${pages} pages, MB after each crawl`,
    rows: [
      ...names.map((name) => ({
        of: name,
        ...Object.fromEntries(
          measured.map(({ tables }, at) => [`crawl ${at + 1}`, megabytes(tables.get(name) ?? 0)]),
        ),
      })),
      {
        of: 'the file',
        ...Object.fromEntries(measured.map(({ bytes }, at) => [`crawl ${at + 1}`, megabytes(bytes)])),
      },
      {
        of: 's of processor',
        ...Object.fromEntries(
          measured.map(({ cpuSeconds }, at) => [`crawl ${at + 1}`, round(cpuSeconds, 2)]),
        ),
      },
    ],
    ratios: growth.map((bytes, at) => ({
      what: `MB that crawl ${at + 2} adds`,
      value: bytes / 1e6,
      aim: 0.5,
      atMost: true,
    })),
    notes: [],
  },
  values.json,
);
