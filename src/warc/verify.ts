import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CERTIFICATE } from '../model/certificate.ts';
import { header } from '../model/exchange.ts';
import { type CdxjEntry, readCdxj, timestamp14 } from './cdxj.ts';
import { CompactSet } from './compact-set.ts';
import { base32, parseDigest } from './digest.ts';
import { toldDigest } from './facts.ts';
import { type ReadProblem, readRecords } from './read-records.ts';
import { checkRecord } from './verify-record.ts';
import type { WarcRecord } from './warc-record.ts';
import { archiveFolders } from './warc-store.ts';

export interface VerifyProgress {
  /** File name, without folder. */
  readonly file: string;
  /** Bytes of it checked, and its size. */
  readonly done: number;
  readonly size: number;
  /** Records checked in all files so far. */
  readonly records: number;
}

export interface VerifyOptions {
  readonly onProgress?: (progress: VerifyProgress) => void;
  /** Committed lengths by file name: what lies past one is being written, or was when a crawl was killed. */
  readonly lengths?: ReadonlyMap<string, number>;
  /** Sees each record after its own check; its payload may be read only meanwhile. */
  readonly onRecord?: (file: string, record: WarcRecord) => Promise<void>;
}

export interface Verification {
  readonly records: number;
  /** File names without folder. */
  readonly errors: readonly ReadProblem[];
}

const WARC_NAME = /\.w?arc(\.gz)?$/i;

/**
 * Checks an archive: every gzip member and record header, every digest, that each revisit's original is there
 * with the same digest, that concurrent records exist, and that each index line is in order and names a record
 * of that URL, time and digest. Memory: some 60 bytes per record.
 */
export async function verifyWarcs(archive: string, options: VerifyOptions = {}): Promise<Verification> {
  const { warc, indexes } = archiveFolders(archive);
  const check = new ArchiveCheck();
  const uncommitted = new Map<string, { from: number; to: number }>();
  // Before the records are read: an index that is written meanwhile names records that come later.
  const indexFiles = await names(indexes, /\.cdxj$/i);
  for (const name of await names(warc, WARC_NAME)) {
    const path = join(warc, name);
    const { size: onDisk } = await stat(path);
    const size = Math.min(onDisk, options.lengths?.get(name) ?? onDisk);
    if (size < onDisk) uncommitted.set(name, { from: size, to: onDisk });
    const onProblem = (problem: ReadProblem): void => {
      if (problem.offset < size) check.error(name, problem.offset, problem.reason);
    };
    for await (const record of readRecords(path, { onProblem })) {
      if (record.offset >= size) break;
      await check.record(name, record);
      await options.onRecord?.(name, record);
      if (check.records % 256 === 0) {
        options.onProgress?.({ file: name, done: record.offset, size, records: check.records });
      }
    }
    options.onProgress?.({ file: name, done: size, size, records: check.records });
  }
  check.links();
  for (const name of indexFiles) {
    const onProblem = (problem: ReadProblem): void => check.error(name, problem.offset, problem.reason);
    for await (const entry of readCdxj(join(indexes, name), onProblem)) {
      const tail = uncommitted.get(basename(entry.filename));
      if (!tail || entry.offset < tail.from || entry.offset >= tail.to) check.line(name, entry);
    }
  }
  return { records: check.records, errors: check.errors };
}

async function names(folder: string, pattern: RegExp): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => pattern.test(name)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** A reference that was not yet found; asked again when all files are read. */
interface OpenLink {
  readonly file: string;
  readonly offset: number;
  readonly reason: string;
  readonly found: () => boolean;
}

class ArchiveCheck {
  records = 0;
  readonly errors: ReadProblem[] = [];
  private readonly ids = new CompactSet();
  /** Payloads held in full, by digest, and by URL, second and digest. */
  private readonly payloads = new CompactSet();
  private readonly originals = new CompactSet();
  private readonly urls = new CompactSet();
  private readonly positions = new CompactSet();
  private open: OpenLink[] = [];

  error(file: string, offset: number, reason: string): void {
    this.errors.push({ file, offset, reason });
  }

  async record(file: string, record: WarcRecord): Promise<void> {
    this.records++;
    const { offset } = record;
    const { faults, sha256, sha1 } = await checkRecord(record);
    for (const reason of faults) this.error(file, offset, reason);
    if (record.id !== '') this.ids.add(record.id);
    this.concurrents(file, record);
    if (record.type === 'metadata' && record.url.startsWith(CERTIFICATE)) {
      this.place(file, record, [`sha256:${sha256.toString('hex')}`, `sha1:${base32(sha1)}`]);
    } else if (record.type === 'response' || record.type === 'resource') {
      const digests = [`sha256:${sha256.toString('hex')}`, `sha1:${base32(sha1)}`];
      for (const digest of digests) this.payloads.add(digest);
      this.urls.add(record.url);
      this.originals.add(originalKey(record.url, record.at, digests[1] as string));
      this.place(file, record, digests);
    } else if (record.type === 'revisit') {
      const { sha256: told256, sha1: told1 } = toldDigest(record);
      const digests = [told256 && `sha256:${told256}`, told1 && `sha1:${told1}`].filter(
        (digest) => digest !== '',
      );
      this.revisit(file, record, digests);
      this.place(file, record, digests.length > 0 ? digests : ['']);
    }
  }

  /** What was not found before may stand in a later file. */
  links(): void {
    for (const { file, offset, reason, found } of this.open) if (!found()) this.error(file, offset, reason);
    this.open = [];
  }

  line(index: string, entry: CdxjEntry & { readonly lineOffset: number }): void {
    const digest = normalDigest(entry.digest);
    const at = `${basename(entry.filename)} ${entry.offset} ${entry.length} ${entry.timestamp.slice(0, 14)}`;
    if (this.positions.has(`${at} ${entry.url} ${digest}`)) return;
    const reason = `no record of ${entry.url} with this time and digest in ${entry.filename} at ${entry.offset}`;
    this.error(index, entry.lineOffset, reason);
  }

  private place(file: string, record: WarcRecord, digests: readonly string[]): void {
    if (record.shared || Number.isNaN(record.at)) return;
    for (const digest of digests) {
      const at = `${file} ${record.offset} ${record.length} ${timestamp14(record.at)}`;
      this.positions.add(`${at} ${record.url} ${digest}`);
    }
  }

  private concurrents(file: string, { fields, offset }: WarcRecord): void {
    for (const [name, value] of fields) {
      if (name.toLowerCase() !== 'warc-concurrent-to') continue;
      const reason = `WARC-Concurrent-To names ${value}, which is not in the archive`;
      this.expect({ file, offset, reason, found: () => this.ids.has(value) });
    }
  }

  private revisit(file: string, record: WarcRecord, digests: readonly string[]): void {
    const { fields, offset } = record;
    const url = header(fields, 'warc-refers-to-target-uri')?.replace(/^<(.*)>$/, '$1') ?? '';
    const at = Date.parse(header(fields, 'warc-refers-to-date') ?? '');
    const sha1 = digests.find((digest) => digest.startsWith('sha1:'));
    if (url !== '' && !Number.isNaN(at) && sha1) {
      const key = originalKey(url, at, sha1);
      const reason = `the original of this revisit, ${url} of ${timestamp14(at)} with the same digest, is not in the archive`;
      this.expect({ file, offset, reason, found: () => this.originals.has(key) });
    } else if (digests.length > 0) {
      const reason = `the original of this revisit, with digest ${digests[0]}, is not in the archive`;
      this.expect({ file, offset, reason, found: () => digests.some((digest) => this.payloads.has(digest)) });
    } else {
      // A bare "not modified" of old tools: some capture of the URL has to be there.
      const original = url === '' ? record.url : url;
      const reason = `no capture of ${original}, the original of this revisit, is in the archive`;
      this.expect({ file, offset, reason, found: () => this.urls.has(original) });
    }
  }

  private expect(link: OpenLink): void {
    if (!link.found()) this.open.push(link);
    // Most references are to the record just before or after: asked again now and then, few stay.
    if (this.open.length >= 4096 && this.open.length % 4096 === 0) {
      this.open = this.open.filter((one) => !one.found());
    }
  }
}

function originalKey(url: string, at: number, digest: string): string {
  return `${url} ${Number.isNaN(at) ? '' : timestamp14(at)} ${digest}`;
}

function normalDigest(digest: string): string {
  const parsed = parseDigest(digest);
  if (parsed?.algorithm === 'sha256') return `sha256:${parsed.bytes.toString('hex')}`;
  if (parsed?.algorithm === 'sha1') return `sha1:${base32(parsed.bytes)}`;
  return digest;
}
