import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { CaptureFact } from '../../../src/model/capture.ts';
import type { Millis } from '../../../src/model/time.ts';
import type { WaczPage } from '../../../src/warc/wacz/pages-file.ts';

/** One response as a gzip member of a WARC, written by hand so that these tests stand on no other part. */
export interface SampleResponse {
  readonly url: string;
  readonly at: Millis;
  readonly body: string;
  readonly mime?: string;
}

export const FIRST = Date.UTC(2026, 0, 2, 3, 4, 5);
export const SECOND = Date.UTC(2026, 0, 9, 3, 4, 5);

/** Two captures of one page and one of another, with a style sheet. */
export const SAMPLE: readonly SampleResponse[] = [
  {
    url: 'http://news.example/',
    at: FIRST,
    body: page('Morning edition', 'The bridge was opened at dawn.'),
  },
  { url: 'http://news.example/style.css', at: FIRST + 500, body: 'p{color:#135}', mime: 'text/css' },
  { url: 'http://news.example/about', at: FIRST + 1000, body: page('About', 'Printed since 1839.') },
  {
    url: 'http://news.example/',
    at: SECOND,
    body: page('Evening edition', 'The bridge was closed at dusk.'),
  },
];

function page(title: string, text: string): string {
  return `<!doctype html><html><head><title>${title}</title><link rel="stylesheet" href="/style.css"></head><body><p>${text}</p><a href="/about">About</a></body></html>`;
}

/** Writes the responses to `<dir>/<name>` and tells where each one lies. */
export async function writeSampleWarc(
  dir: string,
  name: string,
  responses: readonly SampleResponse[],
): Promise<{ path: string; facts: CaptureFact[] }> {
  const members: Buffer[] = [];
  const facts: CaptureFact[] = [];
  let offset = 0;
  for (const { url, at, body, mime = 'text/html' } of responses) {
    const payload = Buffer.from(body);
    const http = `HTTP/1.1 200 OK\r\nContent-Type: ${mime}; charset=utf-8\r\nContent-Length: ${payload.length}\r\n\r\n`;
    const sha256 = createHash('sha256').update(payload).digest('hex');
    const id = createHash('sha1').update(`${url} ${at}`).digest('hex');
    const recordId = `<urn:uuid:${id.slice(0, 8)}-${id.slice(8, 12)}-4${id.slice(13, 16)}-8${id.slice(17, 20)}-${id.slice(20, 32)}>`;
    const head = [
      'WARC/1.1',
      'WARC-Type: response',
      `WARC-Record-ID: ${recordId}`,
      `WARC-Target-URI: ${url}`,
      `WARC-Date: ${new Date(at).toISOString()}`,
      `WARC-Payload-Digest: sha256:${sha256}`,
      'Content-Type: application/http; msgtype=response',
      `Content-Length: ${Buffer.byteLength(http) + payload.length}`,
    ].join('\r\n');
    const member = gzipSync(
      Buffer.concat([Buffer.from(`${head}\r\n\r\n${http}`), payload, Buffer.from('\r\n\r\n')]),
    );
    facts.push({
      file: name,
      offset,
      length: member.length,
      url,
      at,
      type: 'response',
      recordId,
      method: 'GET',
      status: 200,
      mime,
      digest: { sha256, sha1: '', size: payload.length },
    });
    members.push(member);
    offset += member.length;
  }
  const path = join(dir, name);
  await writeFile(path, Buffer.concat(members));
  return { path, facts };
}

export function samplePages(): WaczPage[] {
  const html = SAMPLE.filter(({ mime }) => mime === undefined);
  return html.map(({ url, at, body }, i) => ({
    id: `page-${i + 1}`,
    url,
    title: /<title>(.*)<\/title>/.exec(body)?.[1] ?? '',
    at,
  }));
}

export async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
