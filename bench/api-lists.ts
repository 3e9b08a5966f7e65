/**
 * How fast the API answers on a large catalog, and whether it holds many readers:
 * `npx tsx bench/api-lists.ts [--json] [--captures N] [--pages N] [--readers N] [--seconds N] [--rounds N] [--postgres]`.
 *
 * A catalog is made of captures of pages of twenty sites, half of them with a change; then each list is asked for in turns: its
 * first part, one from its middle by its cursor, and with filters. Each request asks for another number of rows (85 to 100), so
 * that no answer is one that was kept. Times are of whole requests over loopback, and processor time is that of this process, which
 * asks as well: on a busy machine it alone says what an answer costs. Then so many readers, each with a second between two
 * requests, ask for all of them from a thread of their own.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { createPageReader } from '../src/capture/page-reader.ts';
import { openCatalog } from '../src/catalog/open.ts';
import { startServer } from '../src/server/start-server.ts';
import { openRecordReader } from '../src/warc/record-reader.ts';
import { startPostgres } from '../test/postgres.ts';
import { fillCatalog, SITES } from './api-catalog.ts';
import { median, print, round } from './figures.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    captures: { type: 'string', default: '100000' },
    pages: { type: 'string', default: '2000' },
    readers: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '15' },
  },
});

const URL_OF = encodeURIComponent(`https://${SITES[3]}/page/3`);
const LISTS = [
  'sites',
  'pages',
  'pages?site=site-3.example',
  'pages?q=story',
  'captures',
  'captures?site=site-3.example',
  `captures?url=${URL_OF}`,
  'changes',
  'changes?sort=time',
  'changes?sort=importance',
  'changes?site=site-3.example',
  'changes?q=budget',
  `changes?url=${URL_OF}`,
  'crawls',
  'decisions',
  'certificates',
  'patterns',
  'alerts',
  'visits',
];

interface Answer {
  readonly rows: readonly unknown[];
  readonly next?: string;
}

const folder = await mkdtemp(join(tmpdir(), 'daguerre-api-'));
const database = values.postgres ? await startPostgres() : undefined;
const catalog = await openCatalog(database?.url ?? join(folder, 'catalog.sqlite'), {});
try {
  const began = performance.now();
  await fillCatalog(catalog, Number(values.captures), Number(values.pages));
  const filled = (performance.now() - began) / 1000;
  const reader = openRecordReader(folder);
  const server = await startServer({
    archive: async () => ({ catalog, reader }),
    pageReader: createPageReader(),
    ...{ port: 0, replayPort: 0, webRoot: '/nowhere' },
  });
  const rows = [];
  for (const list of LISTS) {
    const path = `${server.url}/api/${list}`;
    const first = await timed(path);
    const middle = first.answer.next === undefined ? undefined : await walked(path, first.answer.next);
    rows.push({
      list: list.replace(URL_OF, '…'),
      rows: first.answer.rows.length,
      'ms (median)': round(first.median, 1),
      'slowest, ms': round(first.worst, 1),
      'processor, ms (mean)': round(first.cpu, 1),
      'tenth part, ms (median)': middle === undefined ? '' : round(middle.median, 1),
      'tenth part, processor, ms': middle === undefined ? '' : round(middle.cpu, 1),
    });
  }
  const load = await readers(server.url);
  await server.close();
  await reader.close();
  print(
    {
      title: `Lists of ${values.captures} captures of ${values.pages} pages, ${values.postgres ? 'PostgreSQL' : 'SQLite'}`,
      rows,
      ratios: [],
      notes: [
        `the catalog was filled in ${round(filled, 1)} s`,
        `${values.readers} readers for ${values.seconds} s: ${load.requests} requests, ${load.errors} errors, ` +
          `median ${round(load.median, 1)} ms, 95 % within ${round(load.p95, 1)} ms`,
      ],
    },
    values.json,
  );
} finally {
  await catalog.close();
  await database?.stop();
  await rm(folder, { recursive: true, force: true });
}

async function timed(path: string) {
  const times: number[] = [];
  let answer: Answer = { rows: [] };
  const used = process.cpuUsage();
  for (let turn = 0; turn < Number(values.rounds); turn++) {
    const from = performance.now();
    const rows = 100 - (turn % 16);
    const response = await fetch(`${path}${path.includes('?') ? '&' : '?'}limit=${rows}`);
    const body = (await response.json()) as Answer | readonly unknown[];
    times.push(performance.now() - from);
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(body)}`);
    answer = Array.isArray(body) ? { rows: body } : (body as Answer);
  }
  const { user, system } = process.cpuUsage(used);
  const cpu = (user + system) / 1000 / Number(values.rounds);
  return { answer, median: median(times), worst: Math.max(...times), cpu };
}

/** Its tenth part, or its last. */
async function walked(path: string, cursor: string) {
  const at = (next: string): string => `${path}${path.includes('?') ? '&' : '?'}cursor=${next}`;
  let next = cursor;
  for (let turn = 0; turn < 8; turn++) {
    const answer = (await (await fetch(at(next))).json()) as Answer;
    if (answer.next === undefined) break;
    next = answer.next;
  }
  return timed(at(next));
}

async function readers(
  url: string,
): Promise<{ requests: number; errors: number; median: number; p95: number }> {
  const worker = new Worker(new URL('api-readers.mjs', import.meta.url), {
    workerData: {
      paths: LISTS.map((list) => `${url}/api/${list}`),
      readers: Number(values.readers),
      seconds: Number(values.seconds),
    },
  });
  const { times, errors } = await new Promise<{ times: number[]; errors: number }>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  times.sort((a, b) => a - b);
  return {
    requests: times.length,
    errors,
    median: median(times),
    p95: times[Math.floor(times.length * 0.95)] ?? 0,
  };
}
