import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { CaptureFact } from '../model/capture.ts';
import { cdxjLine } from '../model/cdxj-line.ts';
import type { Millis } from '../model/time.ts';
import { insteadOf, naming } from '../ports/system-error.ts';

export { cdxjKey, cdxjLine, timestamp14 } from '../model/cdxj-line.ts';

/**
 * CDXJ: one line per capture, `<surt> <14 digits> <json>`, sorted as bytes. Lines are pure ASCII (the JSON
 * escapes everything else), so that comparing strings in JavaScript is comparing bytes. Numbers are written
 * as strings, as pywb, cdxj-indexer and warcio do.
 */

export interface CdxjEntry {
  readonly key: string;
  /** 14 digits, UTC. */
  readonly timestamp: string;
  readonly url: string;
  readonly mime: string;
  readonly status: number | undefined;
  /** As written: `sha256:<hex>`, `sha1:<BASE32>`, or bare base32 from older tools. */
  readonly digest: string;
  readonly length: number;
  readonly offset: number;
  readonly filename: string;
  readonly method?: string;
  readonly requestBody?: string;
}

/** `20260102030405` => ms. Shorter timestamps mean their first moment. NaN if it is not a timestamp. */
export function parseTimestamp14(timestamp: string): Millis {
  if (!/^\d{4,17}$/.test(timestamp)) return Number.NaN;
  const full = timestamp + '00000101000000'.slice(timestamp.length);
  const part = (from: number, to: number): string => full.slice(from, to);
  return Date.parse(
    `${part(0, 4)}-${part(4, 6)}-${part(6, 8)}T${part(8, 10)}:${part(10, 12)}:${part(12, 14)}Z`,
  );
}

/** undefined if the line is not CDXJ (pywb's `!meta` lines included). */
export function parseCdxjLine(line: string): CdxjEntry | undefined {
  const first = line.indexOf(' ');
  const second = line.indexOf(' ', first + 1);
  if (first <= 0 || second < 0) return undefined;
  let json: Record<string, unknown>;
  try {
    json = JSON.parse(line.slice(second + 1)) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  if (json === null || typeof json !== 'object' || typeof json.url !== 'string') return undefined;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const status = Number.parseInt(String(json.status ?? ''), 10);
  return {
    key: line.slice(0, first),
    timestamp: line.slice(first + 1, second),
    url: json.url,
    mime: text(json.mime),
    status: Number.isNaN(status) ? undefined : status,
    digest: text(json.digest),
    length: Number(json.length ?? Number.NaN),
    offset: Number(json.offset ?? Number.NaN),
    filename: text(json.filename),
    ...(typeof json.method === 'string' ? { method: json.method } : {}),
    ...(typeof json.requestBody === 'string' ? { requestBody: json.requestBody } : {}),
  };
}

/**
 * Sorts, then writes to a temporary file and renames it: readers see either the old index or the new one,
 * whole.
 */
export async function writeCdxj(
  path: string,
  facts: Iterable<CaptureFact> | AsyncIterable<CaptureFact>,
): Promise<number> {
  const lines: string[] = [];
  for await (const fact of facts) lines.push(cdxjLine(fact));
  await writeSortedLines(path, lines);
  return lines.length;
}

/** Lines of `cdxjLine`, in any order. */
export async function writeSortedLines(path: string, lines: string[]): Promise<void> {
  lines.sort();
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await insteadOf(path, open(temporary, 'wx'));
    try {
      // 4096 lines (about 1 MB) per write.
      for (let i = 0; i < lines.length; i += 4096) {
        // Not `write`: on a disk that fills up it writes a part and says so only in its result.
        await naming(path, file.appendFile(`${lines.slice(i, i + 4096).join('\n')}\n`));
      }
      await naming(path, file.sync());
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    // It may never have been created.
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

export interface CdxjProblem {
  readonly file: string;
  /** Byte offset of the line. */
  readonly offset: number;
  readonly reason: string;
}

/** Reads an index line by line. Unsorted lines are reported: binary search would miss them. */
export async function* readCdxj(
  path: string,
  onProblem: (problem: CdxjProblem) => void = () => {},
): AsyncGenerator<CdxjEntry & { readonly lineOffset: number }> {
  let previous: Buffer | undefined;
  let offset = 0;
  const lines = createInterface({ input: createReadStream(path, { encoding: 'utf8' }), crlfDelay: 0 });
  for await (const line of lines) {
    const bytes = Buffer.from(line);
    if (line !== '' && !line.startsWith('!')) {
      if (previous && Buffer.compare(previous, bytes) > 0) {
        onProblem({ file: path, offset, reason: 'not sorted: this line belongs before the one above it' });
      }
      previous = bytes;
      const entry = parseCdxjLine(line);
      if (entry) yield { ...entry, lineOffset: offset };
      else onProblem({ file: path, offset, reason: 'not a CDXJ line' });
    }
    offset += bytes.length + 1;
  }
}
