import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { header } from '../model/exchange.ts';
import type { Millis } from '../model/time.ts';
import { blockSha256, digestBody } from './digest.ts';
import { PAYLOAD_SHA1 } from './event-records.ts';
import { fileChunks } from './file-window.ts';
import { GzipThread } from './gzip-thread.ts';
import { discard, packRecords, type RecordDraft } from './pack.ts';
import type { ReadProblem } from './read-options.ts';
import { readRecords } from './read-records.ts';
import { warcDate } from './record-head.ts';
import { FORMAT_FIELDS, fieldsRecord } from './warc-fields.ts';
import { WarcFile } from './warc-file.ts';
import { bodyFrom, type WarcRecord } from './warc-record.ts';

export interface ConvertedRecord {
  readonly offset: number;
  readonly length: number;
  readonly recordId: string;
}

export interface ArcConversion {
  /** Where each ARC record went, by its offset in the ARC file. */
  readonly records: ReadonlyMap<number, ConvertedRecord>;
  /** Parts of the ARC file that are not records: they are not in the WARC file. */
  readonly problems: readonly ReadProblem[];
  /** HTTP heads that were written with different line ends: see `readableHead`. */
  readonly mendedHeads: number;
  readonly length: number;
}

/** Records compressed and written together. */
const BATCH = 32;
const GZIP_LEVEL = 6;

/**
 * Writes the records of an ARC file as WARC 1.1: the blocks byte for byte (but see `readableHead`), the words of the record line as fields,
 * plus digests, which ARC does not have. The `warcinfo` at the start and a `metadata` record at the end say what was converted from what.
 * Record ids are derived from the ARC file's digest and the offset: the same ARC gives the same ids.
 */
export async function arcToWarc(
  arc: { readonly path: string; readonly length: number },
  target: string,
  { software, at, name }: { readonly software: string; readonly at: Millis; readonly name: string },
): Promise<ArcConversion> {
  const digest = await sha256Of(arc.path, arc.length);
  const source = basename(arc.path);
  const idOf = (what: string | number): string => recordId(`${digest} ${what}`);
  const warcinfo = idOf('warcinfo');
  const records = new Map<number, ConvertedRecord>();
  const problems: ReadProblem[] = [];
  const file = new WarcFile(name, await open(target, 'w'));
  const thread = new GzipThread();
  let waiting: { readonly at: number | undefined; readonly id: string; readonly draft: RecordDraft }[] = [];

  async function flush(): Promise<void> {
    const drafts = waiting.map(({ draft }) => draft);
    let part = 0;
    const packed = await packRecords(drafts, {
      level: GZIP_LEVEL,
      thread,
      spool: () => `${target}.${part++}`,
    });
    try {
      let { length: offset } = file;
      await file.append(packed);
      packed.forEach(({ length }, i) => {
        const { at: from, id } = waiting[i] as (typeof waiting)[number];
        if (from !== undefined) records.set(from, { offset, length, recordId: id });
        offset += length;
      });
    } finally {
      await discard(packed);
    }
    waiting = [];
  }

  try {
    const description = `converted from the ARC file ${source} (sha256:${digest}, ${arc.length} bytes)`;
    waiting.push({
      at: undefined,
      id: warcinfo,
      draft: fieldsRecord(
        [
          ['WARC-Type', 'warcinfo'],
          ['WARC-Record-ID', warcinfo],
          ['WARC-Date', warcDate(at)],
          ['WARC-Filename', name],
        ],
        [['software', software], ...FORMAT_FIELDS, ['description', description]],
      ),
    });
    const onProblem = (problem: ReadProblem): void => void problems.push(problem);
    let count = 0;
    let mendedHeads = 0;
    for await (const record of readRecords(arc.path, { to: arc.length, onProblem })) {
      const id = idOf(record.offset);
      const mended = readableHead(record);
      if (mended) mendedHeads++;
      waiting.push({ at: record.offset, id, draft: await converted(record, id, warcinfo, mended) });
      count++;
      if (waiting.length >= BATCH) await flush();
    }
    waiting.push({
      at: undefined,
      id: idOf('conversion'),
      draft: fieldsRecord(
        [
          ['WARC-Type', 'metadata'],
          ['WARC-Record-ID', idOf('conversion')],
          ['WARC-Warcinfo-ID', warcinfo],
          ['WARC-Date', warcDate(at)],
        ],
        [
          [
            'conversion',
            `ARC to WARC/1.1; blocks byte for byte${
              mendedHeads === 0
                ? ''
                : `, but for ${mendedHeads} HTTP heads: their lines ended in LF, here in CRLF`
            }`,
          ],
          ['source', source],
          ['source-digest', `sha256:${digest}`],
          ['source-length', String(arc.length)],
          ['records', String(count)],
          ['left-out', `${problems.length} parts that are no records`],
        ],
      ),
    });
    await flush();
    await file.sync();
    return { records, problems, mendedHeads, length: file.length };
  } finally {
    await thread.close();
    await file.close();
  }
}

/**
 * The head with CRLF, if the empty line that ends it is a bare line feed; undefined if it can stay as it is. warcio.js, and so
 * ReplayWeb.page, looks only for CRLF CRLF: it would take the whole page for the head and show nothing. The payload is not touched, and the
 * ARC file stays as it was.
 */
function readableHead({ http, block }: WarcRecord): Buffer | undefined {
  if (!http || http.head.length >= block.size) return undefined;
  const text = Buffer.from(http.head).toString('latin1');
  return text.endsWith('\r\n\r\n') ? undefined : Buffer.from(text.replace(/\r?\n/g, '\r\n'), 'latin1');
}

async function converted(
  record: WarcRecord,
  id: string,
  warcinfo: string,
  mended: Buffer | undefined,
): Promise<RecordDraft> {
  const { block, payload, fields, type, at } = record;
  const head = mended ?? new Uint8Array(0);
  const body = mended ? bodyFrom(block, record.http?.head.length ?? 0) : block;
  const field = (name: string): string | undefined => header(fields, name);
  const digest = await digestBody(payload);
  return {
    fields: [
      // The ARC's own first record describes the file, not a page.
      ['WARC-Type', type === 'warcinfo' ? 'metadata' : type],
      ['WARC-Record-ID', id],
      ['WARC-Warcinfo-ID', warcinfo],
      ['WARC-Date', Number.isNaN(at) ? field('WARC-Date') : warcDate(at)],
      ['WARC-Target-URI', field('WARC-Target-URI')],
      ['WARC-IP-Address', ipAddress(field('WARC-IP-Address'))],
      ['WARC-Block-Digest', `sha256:${await blockSha256(head, body)}`],
      ['WARC-Payload-Digest', `sha256:${digest.sha256}`],
      [PAYLOAD_SHA1, `sha1:${digest.sha1}`],
      ['Content-Type', field('Content-Type')],
    ],
    head,
    body,
  };
}

/** ARC writes 0.0.0.0 where no server was contacted. */
function ipAddress(text: string | undefined): string | undefined {
  return text === undefined || text === '0.0.0.0' || !/^[\d.]+$|:/.test(text) ? undefined : text;
}

async function sha256Of(path: string, length: number): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of fileChunks(path, 0, length)) hash.update(chunk);
  return hash.digest('hex');
}

/** A UUID derived from a text (version 8, application-defined). */
function recordId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(18, 20)}`,
  ];
  return `<urn:uuid:${parts.join('-')}-${hex.slice(20, 32)}>`;
}
