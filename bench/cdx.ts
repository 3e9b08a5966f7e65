/**
 * CDX and Memento on a large index:
 * `npx tsx bench/cdx.ts [--json] [--lines N] [--requests N] [--no-streams] [--catalog FILE]`.
 *
 * A catalog of N captures on disk: nine tenths belong to pages with one to nine captures, on 200 hosts; the last tenth to a single
 * page. A server reads it; requests of each kind ask for random places. Processor time is that of the process, including the client:
 * on a busy machine nothing else says what an answer costs. Then the whole index is streamed in each dialect while the resident
 * memory of the process, including the client, is watched.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createPageReader } from '../src/capture/page-reader.ts';
import { openSqliteCatalog } from '../src/catalog/engines/sqlite.ts';
import type { RecordReader } from '../src/ports/record-store.ts';
import { seededNumbers } from '../src/science/quality/draws.ts';
import { startServer } from '../src/server/start-server.ts';
import { filledIndex, HOSTS, LONG, pageUrl, SPAN, START } from './cdx-catalog.ts';

const { values } = parseArgs({
  allowNegative: true,
  options: {
    json: { type: 'boolean', default: false },
    lines: { type: 'string', default: '10000000' },
    requests: { type: 'string', default: '1000' },
    streams: { type: 'boolean', default: true },
    /** Kept, and created if it does not exist. */
    catalog: { type: 'string' },
  },
});
const lines = Number(values.lines);
const requests = Number(values.requests);
/** Requests before measuring starts: code is compiled, and pages of the file are read. */
const WARM_UP = 500;

const random = seededNumbers(2);
const draw = (n: number): number => Math.floor(random() * n);

const folder = await mkdtemp(join(tmpdir(), 'daguerre-cdx-'));
const file = values.catalog ?? join(folder, 'catalog.sqlite');
const began = performance.now();
const pagesMade = await filledIndex(file, lines);
const writing = (performance.now() - began) / 1000;
const catalog = await openSqliteCatalog(file, { readonly: true });

const reader = { read: () => Promise.reject(new Error('no record is read here')) } as unknown as RecordReader;
const server = await startServer({
  archive: async () => ({ catalog, reader }),
  pageReader: createPageReader(),
  port: 0,
  replayPort: 0,
  webRoot: '/nowhere',
});
const agent = new http.Agent({ keepAlive: true });

function get(path: string, headers: Record<string, string> = {}): Promise<{ status: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.replayUrl);
    const request = http.get({ hostname, port, path, headers, agent }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes }));
    });
    request.on('error', reject);
  });
}

const page = (): string => pageUrl(draw(pagesMade));
const date = (): Record<string, string> => ({
  'accept-datetime': new Date(START + draw(SPAN)).toUTCString(),
});
const KINDS: Readonly<Record<string, () => ReturnType<typeof get>>> = {
  'TimeGate, 302': () => get(`/archive/timegate/${page()}`, date()),
  'TimeGate, 302, the long page': () => get(`/archive/timegate/${LONG}`, date()),
  'CDX, exact': () => get(`/archive/cdx?url=${page()}`),
  'CDX, prefix, limit 100': () =>
    get(`/archive/cdx?url=https://host${draw(HOSTS)}.example/section-${draw(17)}/*&limit=100`),
  'CDX, the long page, from a time, limit 100': () =>
    get(`/archive/cdx?url=${LONG}&from=${2010 + draw(10)}&limit=100`),
  'CDX (IA), domain, limit -20': () =>
    get(`/cdx/search/cdx?url=host${draw(HOSTS)}.example&matchType=domain&limit=-20&output=json`),
  'TimeMap, link': () => get(`/archive/timemap/link/${page()}`),
};

interface Figures {
  readonly p50: number;
  readonly p99: number;
  readonly ratio: number;
}

function figures(taken: number[]): Figures {
  taken.sort((a, b) => a - b);
  const at = (share: number): number => taken[Math.floor(share * (taken.length - 1))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), ratio: at(0.99) / at(0.5) };
}

const times: { kind: string; clock: Figures; processor: Figures }[] = [];
for (const [kind, ask] of Object.entries(KINDS)) {
  for (let i = 0; i < WARM_UP; i++) await ask();
  const [clock, processor]: [number[], number[]] = [[], []];
  for (let i = 0; i < requests; i++) {
    const start = performance.now();
    const spent = process.cpuUsage();
    const { status } = await ask();
    const { user, system } = process.cpuUsage(spent);
    clock.push(performance.now() - start);
    processor.push((user + system) / 1000);
    if (status !== 200 && status !== 302) throw new Error(`${kind}: ${status}`);
  }
  times.push({ kind, clock: figures(clock), processor: figures(processor) });
}

const streams: { what: string; seconds: number; megabytes: number; before: number; most: number }[] = [];
for (const [what, path] of !values.streams
  ? []
  : ([
      ['pywb, *.example', '/archive/cdx?url=*.example'],
      ['Internet Archive, json, *.example', '/cdx/search/cdx?url=*.example&output=json'],
      ['TimeMap json, the long page', `/archive/timemap/json/${LONG}`],
    ] as const)) {
  globalThis.gc?.();
  const before = process.memoryUsage().rss / 2 ** 20;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss / 2 ** 20);
  }, 100);
  const start = performance.now();
  const { bytes } = await get(path);
  clearInterval(timer);
  streams.push({
    what,
    seconds: (performance.now() - start) / 1000,
    megabytes: bytes / 2 ** 20,
    before,
    most,
  });
}
agent.destroy();
await server.close();
await catalog.close();
await rm(folder, { recursive: true, force: true });

if (values.json) console.log(JSON.stringify({ lines, writing, times, streams }));
else {
  console.log(`${lines} lines, written in ${writing.toFixed(0)} s`);
  const said = ({ p50, p99, ratio }: Figures): string =>
    `p50 ${p50.toFixed(2)}, p99 ${p99.toFixed(2)} ms, ${ratio.toFixed(1)} ×`;
  for (const { kind, clock, processor } of times)
    console.log(`${kind.padEnd(44)} ${said(clock)}; processor ${said(processor)}`);
  for (const { what, seconds, megabytes, before, most } of streams)
    console.log(
      `${what.padEnd(44)} ${seconds.toFixed(0)} s, ${megabytes.toFixed(0)} MB sent; memory ${before.toFixed(0)} => at most ${most.toFixed(0)} MB`,
    );
}
