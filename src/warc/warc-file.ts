import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { isFullDisk, StorageFull } from '../ports/record-store.ts';
import { writeFully } from './file-window.ts';
import type { PackedRecord } from './pack.ts';

/** The part of a file that an append uses; tests supply one that fails half-way. */
export type AppendTarget = Pick<FileHandle, 'write' | 'truncate' | 'datasync' | 'close'>;

/** Writes up to this many bytes go out in one call, however many records they contain. */
const JOIN_LIMIT = 4 << 20;

/**
 * A WARC file that grows by whole groups of records. open → (append → open | append fails → truncated back,
 * open) → closed. If even truncating fails, the file is `broken` and accepts nothing more: its tail is left
 * to recovery at the next start.
 */
export class WarcFile {
  readonly name: string;
  /** Bytes up to the end of the last whole group; anything beyond is discarded. */
  length = 0;
  private readonly target: AppendTarget;
  private state: 'open' | 'broken' | 'closed' = 'open';

  constructor(name: string, target: AppendTarget) {
    this.name = name;
    this.target = target;
  }

  /** Writes all of the records, or none: then it throws and the file is as long as before. */
  async append(records: readonly PackedRecord[]): Promise<void> {
    if (this.state !== 'open') throw new Error(`${this.name} is ${this.state}: nothing can be appended`);
    let at = this.length;
    try {
      for (const group of grouped(records)) {
        if (group.kind === 'memory') await writeFully(this.target, group.bytes, at);
        else await this.copyFrom(group.path, at);
        at += group.length;
      }
    } catch (error) {
      await this.undo(error);
      throw isFullDisk(error) ? new StorageFull(this.name, error) : error;
    }
    this.length = at;
  }

  async sync(): Promise<void> {
    if (this.state === 'open') await this.target.datasync();
  }

  async close(): Promise<void> {
    if (this.state === 'closed') return;
    this.state = 'closed';
    await this.target.close();
  }

  private async undo(cause: unknown): Promise<void> {
    try {
      await this.target.truncate(this.length);
    } catch (error) {
      this.state = 'broken';
      throw new AggregateError(
        [cause, error],
        `${this.name} could not be cut back to ${this.length} bytes after a failed write; the next start repairs it`,
      );
    }
  }

  private async copyFrom(path: string, at: number): Promise<void> {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
      await writeFully(this.target, chunk as Buffer, at);
      at += (chunk as Buffer).length;
    }
  }
}

/** Adjacent records in memory are joined, so that an event is one write. */
function* grouped(records: readonly PackedRecord[]): Generator<PackedRecord> {
  let parts: Buffer[] = [];
  let length = 0;
  for (const record of records) {
    if (record.kind === 'memory') {
      parts.push(record.bytes);
      length += record.length;
    }
    if (parts.length > 0 && (record.kind === 'spooled' || length >= JOIN_LIMIT)) {
      yield { kind: 'memory', bytes: Buffer.concat(parts, length), length };
      parts = [];
      length = 0;
    }
    if (record.kind === 'spooled') yield record;
  }
  if (parts.length > 0) yield { kind: 'memory', bytes: Buffer.concat(parts, length), length };
}
