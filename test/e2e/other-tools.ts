import { writeFile } from 'node:fs/promises';
import { WARCRecord, WARCSerializer } from 'warcio';

/** One answer, as another tool recorded it. */
export interface RecordedAnswer {
  readonly url: string;
  /** ISO 8601, to the second. */
  readonly date: string;
  readonly body: string;
  readonly type?: string;
}

/** A WARC 1.1 file as warcio.js writes it, each record gzipped. Resolves with where each record begins. */
export async function writeWithWarcio(path: string, answers: readonly RecordedAnswer[]): Promise<number[]> {
  const pieces: Uint8Array[] = [];
  const offsets: number[] = [];
  let length = 0;
  for (const { url, date, body, type = 'text/html; charset=utf-8' } of answers) {
    const record = WARCRecord.create(
      {
        url,
        date,
        type: 'response',
        warcVersion: 'WARC/1.1',
        statusline: 'HTTP/1.1 200 OK',
        httpHeaders: { 'Content-Type': type },
      },
      (async function* () {
        yield Buffer.from(body);
      })(),
    );
    offsets.push(length);
    for await (const piece of await WARCSerializer.serialize(record, { gzip: true }).then((bytes) => [
      bytes,
    ])) {
      pieces.push(piece);
      length += piece.length;
    }
  }
  await writeFile(path, Buffer.concat(pieces));
  return offsets;
}
