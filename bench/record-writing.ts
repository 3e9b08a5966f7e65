/**
 * Record writing and reading side by side with npm `warcio`, in one run on the same records: 30 KB of
 * HTML-like text, gzipped record by record, with digests, to a file. `npx tsx bench/record-writing.ts [--json]`
 * [--records N] [--rounds N].
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { WARCParser, WARCRecord, WARCSerializer } from 'warcio';
import { EMPTY_BODY, memoryBody } from '../src/model/body.ts';
import type { Exchange } from '../src/model/exchange.ts';
import { readRecords } from '../src/warc/read-records.ts';
import { openWarcStore } from '../src/warc/warc-store.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    records: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
  },
});
const count = Number(values.records);
const rounds = Number(values.rounds);
const AT = Date.UTC(2026, 0, 1);

/** Text that gzip packs to about a quarter, as it does HTML; the same in every run. */
function page(seed: number): Buffer {
  let state = seed * 2654435761 + 1;
  const next = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  let text = '';
  while (text.length < 30_000) {
    const words = Array.from(
      { length: 12 },
      () => next(5000).toString(36) + ['ing', 'ed', 'er', 's'][next(4)],
    );
    text += `<div class="item-${next(9)}"><a href="/story/${next(99999)}">${words.join(' ')}</a></div>\n`;
  }
  return Buffer.from(text.slice(0, 30_000));
}

const pages = Array.from({ length: count }, (_, i) => page(i));

function exchange(i: number): Exchange {
  const headers = [
    ['Content-Type', 'text/html'],
    ['Content-Length', '30000'],
  ] as const;
  return {
    url: `https://example.com/page/${i}`,
    startedAt: AT + i,
    finishedAt: AT + i,
    road: 'http',
    protocols: ['http/1.1'],
    request: {
      method: 'GET',
      headers: [['Host', 'example.com']],
      head: Buffer.from(`GET /page/${i} HTTP/1.1\r\nHost: example.com\r\n\r\n`),
      body: EMPTY_BODY,
    },
    response: {
      status: 200,
      headers,
      head: Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 30000\r\n\r\n'),
      body: memoryBody(pages[i] as Buffer),
      framing: 'identity',
    },
  };
}

/** As the crawler does it: digest, then append; `workers` events in hand at once. */
async function writeOurs(folder: string, workers: number): Promise<void> {
  const store = await openWarcStore({
    archive: folder,
    collection: 'bench',
    crawlId: 1,
    clock: { now: () => AT, sleep: async () => {} },
    software: 'bench',
    userAgent: 'bench',
    robots: 'obey',
  });
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const one = exchange(next++);
      const digest = await store.digest(one.response);
      await store.append({
        id: String(next),
        url: one.url,
        at: AT,
        exchanges: [{ exchange: one, digest }],
        derived: [],
      });
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  await store.close();
}

async function writeWarcio(path: string): Promise<void> {
  const out = createWriteStream(path);
  for (let i = 0; i < count; i++) {
    const { url, response } = exchange(i);
    const date = new Date(AT + i).toISOString();
    const request = WARCRecord.create({
      type: 'request',
      url,
      date,
      warcVersion: 'WARC/1.1',
      statusline: `GET /page/${i} HTTP/1.1`,
      httpHeaders: { Host: 'example.com' },
    });
    async function* body(): AsyncGenerator<Uint8Array> {
      yield response.body.bytes as Uint8Array;
    }
    const answer = WARCRecord.create(
      {
        type: 'response',
        url,
        date,
        warcVersion: 'WARC/1.1',
        statusline: 'HTTP/1.1 200 OK',
        httpHeaders: Object.fromEntries(response.headers),
      },
      body(),
    );
    for (const record of [request, answer]) {
      const bytes = await WARCSerializer.serialize(record, { gzip: true });
      if (!out.write(bytes)) await new Promise<void>((resolve) => void out.once('drain', () => resolve()));
    }
  }
  await new Promise<void>((resolve) => void out.end(() => resolve()));
}

async function readOurs(path: string): Promise<number> {
  let bytes = 0;
  for await (const record of readRecords(path)) bytes += record.payload.size;
  return bytes;
}

async function readWarcio(path: string): Promise<number> {
  let bytes = 0;
  for await (const record of new WARCParser(createReadStream(path)))
    bytes += (await record.readFully(false)).length;
  return bytes;
}

async function seconds(task: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await task();
  return (performance.now() - start) / 1000;
}

const best = new Map<string, number>();
const note = (name: string, rate: number): void => void best.set(name, Math.max(best.get(name) ?? 0, rate));

for (let round = 0; round < rounds; round++) {
  const folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
  try {
    const theirs = join(folder, 'warcio.warc.gz');
    note('write, warcio', count / (await seconds(() => writeWarcio(theirs))));
    note('write, ours, 1 worker', count / (await seconds(() => writeOurs(join(folder, 'one'), 1))));
    note('write, ours, 4 workers', count / (await seconds(() => writeOurs(join(folder, 'four'), 4))));
    const [name = ''] = await readdir(join(folder, 'four', 'warc'));
    const ours = join(folder, 'four', 'warc', name);
    note('read, warcio', count / (await seconds(() => readWarcio(ours))));
    note('read, ours', count / (await seconds(() => readOurs(ours))));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const rate = (name: string): number => Math.round(best.get(name) ?? 0);
const rows = [
  { what: 'write', ours: rate('write, ours, 4 workers'), warcio: rate('write, warcio') },
  { what: 'write, one at a time', ours: rate('write, ours, 1 worker'), warcio: rate('write, warcio') },
  { what: 'read', ours: rate('read, ours'), warcio: rate('read, warcio') },
].map((row) => ({ ...row, ratio: Number((row.ours / row.warcio).toFixed(2)) }));

if (values.json)
  console.log(JSON.stringify({ unit: 'request+response pairs per second, 30 KB', best: rounds, rows }));
else {
  console.log(`request and response pairs per second, 30 KB bodies, best of ${rounds} rounds`);
  console.table(rows);
}
