import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { type Body, EMPTY_BODY, memoryBody } from '../../model/body.ts';

/** Bodies up to this size stay in memory: 2 MB. */
export const MEMORY_LIMIT = 2 * 1024 * 1024;

export interface SpoolEvents {
  /** The file has caught up: writing may continue. */
  onDrain(): void;
  onError(error: Error): void;
}

/** Collects a body: in memory while it is small, then in a file in `dir`. */
export class BodySpool {
  size = 0;
  private readonly parts: Uint8Array[] = [];
  private readonly dir: string;
  private readonly events: SpoolEvents;
  private file: WriteStream | undefined;

  constructor(dir: string, events: SpoolEvents) {
    this.dir = dir;
    this.events = events;
  }

  /** False when the caller should hold back until `onDrain`. */
  write(part: Uint8Array): boolean {
    this.size += part.byteLength;
    if (this.file !== undefined) return this.file.write(part);
    this.parts.push(part);
    return this.size <= MEMORY_LIMIT || this.spill();
  }

  /** The spool must not be written to afterwards. */
  async finish(): Promise<Body> {
    const { file } = this;
    if (file === undefined) return this.inMemory();
    await new Promise<void>((resolve, reject) => {
      file.once('error', reject);
      file.end(resolve);
    });
    return fileBody(String(file.path), this.size);
  }

  async discard(): Promise<void> {
    this.parts.length = 0;
    const { file } = this;
    if (file === undefined) return;
    if (!file.closed) {
      const closed = new Promise<void>((resolve) => file.once('close', resolve));
      file.destroy();
      await closed;
    }
    await rm(file.path, { force: true });
  }

  private inMemory(): Body {
    const [only] = this.parts;
    if (only === undefined) return EMPTY_BODY;
    return memoryBody(this.parts.length === 1 ? only : Buffer.concat(this.parts));
  }

  private spill(): boolean {
    try {
      mkdirSync(this.dir, { recursive: true });
    } catch (error) {
      this.events.onError(error as Error);
      return false;
    }
    // Readable only by its owner: a capture may contain what other users of the machine must not see.
    const name = path.join(this.dir, `${randomUUID()}.body`);
    this.file = createWriteStream(name, { flags: 'wx', mode: 0o600, highWaterMark: 1024 * 1024 });
    this.file.on('drain', () => this.events.onDrain());
    this.file.on('error', (error) => this.events.onError(error));
    let hasRoom = true;
    for (const part of this.parts) hasRoom = this.file.write(part);
    this.parts.length = 0;
    return hasRoom;
  }
}

function fileBody(file: string, size: number): Body {
  return {
    size,
    bytes: undefined,
    chunks: () => createReadStream(file, { highWaterMark: 256 * 1024 }),
    release: () => rm(file, { force: true }),
  };
}
