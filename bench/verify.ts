/**
 * `daguerre verify` with one thread and with two, on one archive, in turns:
 * `npx tsx bench/verify.ts [--json] [--records N] [--rounds N]`. Needs the build and a quiet machine.
 *
 * The archive is made by importing a WARC of HTML answers of 2 to 14 kB, each a gzip member, so verify has record files,
 * an index and a catalog to go through. Time is for the whole command, including its start.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { meanRatio, median, print, round } from './figures.ts';
import { runCommand } from './run-command.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    records: { type: 'string', default: '60000' },
    rounds: { type: 'string', default: '8' },
  },
});
const records = Number(values.records);
const rounds = Number(values.rounds);
const bin = fileURLToPath(new URL('../bin/daguerre.js', import.meta.url));

/** Half of a page repeats, as its template does; the other half is unique. */
function body(n: number): string {
  const parts = [`<!doctype html><title>Page ${n}</title>`];
  for (let part = 0; part < 8 + ((n * 7) % 48); part++) {
    const words = createHash('sha512').update(`${n} ${part}`).digest('base64');
    parts.push(
      `<div class="entry"><h2><a href="/entry/${part}">An entry of the list</a></h2><p>${words}</p></div>`,
    );
  }
  return parts.join('\n');
}

function record(n: number): Buffer {
  const payload = Buffer.from(body(n));
  const block = Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${payload.length}\r\n\r\n`),
    payload,
  ]);
  const digest = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  const id = createHash('sha1').update(String(n)).digest('hex');
  const head = [
    'WARC/1.1',
    'WARC-Type: response',
    `WARC-Record-ID: <urn:uuid:${id.slice(0, 8)}-${id.slice(8, 12)}-4${id.slice(13, 16)}-8${id.slice(17, 20)}-${id.slice(20, 32)}>`,
    `WARC-Date: ${new Date(1_700_000_000_000 + n * 1000).toISOString()}`,
    `WARC-Target-URI: https://site.example/section-${n % 40}/${n}.html`,
    `WARC-Block-Digest: ${digest(block)}`,
    `WARC-Payload-Digest: ${digest(payload)}`,
    'Content-Type: application/http; msgtype=response',
    `Content-Length: ${block.length}`,
  ];
  return gzipSync(
    Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), block, Buffer.from('\r\n\r\n')]),
  );
}

function* all(): Generator<Buffer> {
  for (let n = 0; n < records; n++) yield record(n);
}

const folder = await mkdtemp(join(tmpdir(), 'daguerre-verify-'));
const seconds: Record<1 | 2, number[]> = { 1: [], 2: [] };
try {
  const warc = join(folder, 'made.warc.gz');
  await pipeline(Readable.from(all()), createWriteStream(warc));
  const archive = join(folder, 'archive');
  await runCommand([process.execPath, bin, 'import', warc, '--archive', archive]);
  await rm(warc);
  const verify = (threads: 1 | 2) =>
    runCommand([
      process.execPath,
      bin,
      'verify',
      '--archive',
      archive,
      '--threads',
      String(threads),
      '--json',
    ]);
  const checked = JSON.parse((await verify(1)).stdout) as { records: number; errors: unknown[] };
  if (checked.records < records || checked.errors.length > 0)
    throw new Error(
      `${checked.records} records, ${checked.errors.length} errors: the archive is not as it was made`,
    );
  for (let turn = 0; turn < rounds; turn++)
    for (const threads of turn % 2 === 0 ? ([1, 2] as const) : ([2, 1] as const))
      seconds[threads].push((await verify(threads)).seconds);
} finally {
  await rm(folder, { recursive: true, force: true });
}

const { value, interval } = meanRatio(seconds[1], seconds[2]);
print(
  {
    title: `verify of ${records} records, ${rounds} rounds`,
    rows: ([1, 2] as const).map((threads) => ({
      threads,
      's (median)': round(median(seconds[threads]), 2),
      'records a second': Math.round(records / median(seconds[threads])),
    })),
    ratios: [{ what: `time of one thread ÷ time of two; interval ${interval}`, value, aim: 1.5 }],
    notes: [],
  },
  values.json,
);
