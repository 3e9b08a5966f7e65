/**
 * Record writing and reading side by side with npm `warcio`, in one run on the same records: 30 KB of
 * HTML-like text, gzipped record by record, with digests, to a file:
 * `npx tsx bench/record-writing.ts [--json] [--records N] [--rounds N]`.
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
import { print, type Ratio, round } from './figures.ts';
import { numbers } from './sites/made-up.ts';

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

/** Text that gzip compresses to about a quarter, like HTML; the same in every run. */
function page(seed: number): Buffer {
  const next = numbers(seed);
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

/** As the crawler does: digest, then append; `workers` events in progress at once. */
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

/**
 * Best wall-clock rate, and least processor time per record, over the rounds: on a busy machine only the latter is
 * comparable.
 */
interface Figure {
  readonly perSecond: number;
  readonly cpuMs: number;
}
const figures = new Map<string, Figure>();

async function measure(name: string, task: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  const cpu = process.cpuUsage();
  await task();
  const { user, system } = process.cpuUsage(cpu);
  const perSecond = (count / (performance.now() - start)) * 1000;
  const cpuMs = (user + system) / 1000 / count;
  const known = figures.get(name) ?? { perSecond: 0, cpuMs: Number.POSITIVE_INFINITY };
  figures.set(name, {
    perSecond: Math.max(known.perSecond, perSecond),
    cpuMs: Math.min(known.cpuMs, cpuMs),
  });
}

for (let round = 0; round < rounds; round++) {
  const folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
  try {
    const theirs = join(folder, 'warcio.warc.gz');
    await measure('warcio write', () => writeWarcio(theirs));
    await measure('write, one at a time', () => writeOurs(join(folder, 'one'), 1));
    await measure('write, 4 workers', () => writeOurs(join(folder, 'four'), 4));
    const [name = ''] = await readdir(join(folder, 'four', 'warc'));
    const ours = join(folder, 'four', 'warc', name);
    await measure('warcio read', () => readWarcio(ours));
    await measure('read', () => readOurs(ours));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const NONE: Figure = { perSecond: 0, cpuMs: 0 };

function row(what: string) {
  const { perSecond, cpuMs } = figures.get(what) ?? NONE;
  return { what, 'pairs/s': Math.round(perSecond), 'ms of processor per pair': round(cpuMs, 3) };
}

function compare(what: string, peer: string, aim?: number): Ratio[] {
  const ours = figures.get(what) ?? NONE;
  const theirs = figures.get(peer) ?? NONE;
  return [
    {
      what: `${what}, against warcio, pairs/s`,
      value: ours.perSecond / theirs.perSecond,
      ...(aim && { aim }),
    },
    { what: `${what}, against warcio, pairs per second of processor`, value: theirs.cpuMs / ours.cpuMs },
  ];
}

print(
  {
    title: `Writing and reading records, ${count} pairs of request and response, 30 KB, best of ${rounds} rounds`,
    rows: [...figures.keys()].map(row),
    ratios: [
      ...compare('write, 4 workers', 'warcio write', 2.5),
      ...compare('write, one at a time', 'warcio write'),
      ...compare('read', 'warcio read'),
    ],
    notes: [],
  },
  values.json,
);
