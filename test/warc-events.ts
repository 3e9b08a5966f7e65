import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Body, EMPTY_BODY, memoryBody } from '../src/model/body.ts';
import type { CaptureEvent, CaptureFact, DerivedRecord, ExchangeToStore } from '../src/model/capture.ts';
import type { Exchange, HeaderList } from '../src/model/exchange.ts';
import { isChunked } from '../src/model/http-message.ts';
import type { Millis } from '../src/model/time.ts';
import type { RecordStore } from '../src/ports/record-store.ts';
import { writeCdxj } from '../src/warc/cdxj.ts';
import { factsFromWarc } from '../src/warc/facts.ts';
import type { ReadOptions } from '../src/warc/read-options.ts';
import { openWarcStore, type WarcStoreOptions } from '../src/warc/warc-store.ts';

/* Events for the tests of src/warc. */

export const AT: Millis = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

export interface ExchangeExample {
  readonly url?: string;
  readonly at?: Millis;
  readonly method?: string;
  readonly requestHeaders?: HeaderList;
  readonly requestBody?: string;
  readonly status?: number;
  readonly headers?: HeaderList;
  readonly body?: Body | Uint8Array | string;
  readonly more?: Partial<Pick<Exchange, 'ip' | 'truncated' | 'resourceType' | 'protocols'>>;
}

export function exchange(example: ExchangeExample = {}): Exchange {
  const {
    url = 'https://example.com/',
    at = AT,
    method = 'GET',
    status = 200,
    requestHeaders = [['Host', 'example.com']],
    headers = [['Content-Type', 'text/html; charset=utf-8']],
    body = '<p>hello</p>',
  } = example;
  const head = (first: string, list: HeaderList): Uint8Array =>
    Buffer.from(
      `${[first, ...list.map(([name, value]) => `${name}: ${value}`)].join('\r\n')}\r\n\r\n`,
      'latin1',
    );
  const asBody = (data: Body | Uint8Array | string): Body =>
    typeof data === 'string'
      ? memoryBody(Buffer.from(data))
      : data instanceof Uint8Array
        ? memoryBody(data)
        : data;
  return {
    url,
    startedAt: at,
    finishedAt: at + 5,
    road: 'http',
    protocols: ['http/1.1'],
    request: {
      method,
      headers: requestHeaders,
      head: head(`${method} / HTTP/1.1`, requestHeaders),
      body: example.requestBody === undefined ? EMPTY_BODY : asBody(example.requestBody),
    },
    response: {
      status,
      headers,
      head: head(`HTTP/1.1 ${status} OK`, headers),
      body: asBody(body),
      framing: isChunked(headers) ? 'chunked' : 'identity',
    },
    ...example.more,
  };
}

export async function event(
  store: RecordStore,
  exchanges: readonly (Exchange | Omit<ExchangeToStore, 'digest'>)[],
  derived: readonly DerivedRecord[] = [],
): Promise<CaptureEvent> {
  const stored: ExchangeToStore[] = [];
  for (const one of exchanges) {
    const item = 'exchange' in one ? one : { exchange: one };
    stored.push({ ...item, digest: await store.digest(item.exchange.response) });
  }
  const [main] = stored;
  return {
    id: randomUUID(),
    url: main?.exchange.url ?? 'https://example.com/',
    at: main?.exchange.startedAt ?? AT,
    exchanges: stored,
    derived,
  };
}

export function pageinfo(url: string, json: unknown = {}): DerivedRecord {
  const body = memoryBody(Buffer.from(JSON.stringify(json)));
  return { uri: `urn:pageinfo:${url}`, contentType: 'application/json', body };
}

export async function fileBody(path: string): Promise<Body> {
  const { size } = await stat(path);
  return { size, bytes: undefined, chunks: () => createReadStream(path), release: async () => {} };
}

export async function temporaryArchive(): Promise<{ archive: string; remove: () => Promise<void> }> {
  const archive = await mkdtemp(join(tmpdir(), 'daguerre-'));
  return { archive, remove: () => rm(archive, { recursive: true, force: true }) };
}

export function testStore(archive: string, options: Partial<WarcStoreOptions> = {}): Promise<RecordStore> {
  return openWarcStore({
    archive,
    collection: 'test',
    crawlId: 7,
    clock: { now: () => AT, sleep: async () => {} },
    software: 'Daguerre/test',
    userAgent: 'Daguerre/test (+mailto:test@example.com)',
    robots: 'obey',
    ...options,
  });
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export async function bodyBytes(body: Body): Promise<Buffer> {
  return Buffer.concat(await collect(body.chunks()));
}

/** Writes the CDXJ of one record file, as the store does when it closes the file. */
export async function indexWarc(warc: string, cdxj: string, options: ReadOptions = {}): Promise<void> {
  const facts: CaptureFact[] = [];
  for await (const { fact } of factsFromWarc(warc, options)) facts.push(fact);
  await writeCdxj(cdxj, facts);
}
