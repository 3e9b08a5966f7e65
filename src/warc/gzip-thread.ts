import { Worker } from 'node:worker_threads';

/** Bytes to become one gzip member. */
export interface MemberDraft {
  readonly parts: readonly Uint8Array[];
  readonly length: number;
  readonly level: number;
}

interface Answer {
  readonly bytes: Uint8Array;
  readonly ends: readonly number[];
}

/**
 * The code the thread runs. Text rather than a module of its own, so that it starts the same way from source, from
 * the compiled files and from the bundle.
 */
const THREAD = `
const { parentPort } = require('node:worker_threads');
const { gzipSync } = require('node:zlib');
parentPort.on('message', ({ plain, ends, levels, rooms }) => {
  let from = 0;
  const packed = ends.map((end, i) => {
    const member = gzipSync(plain.subarray(from, end), { level: levels[i], chunkSize: rooms[i] });
    from = end;
    return member;
  });
  const bytes = new Uint8Array(packed.reduce((sum, member) => sum + member.length, 0));
  const packedEnds = [];
  let at = 0;
  for (const member of packed) {
    bytes.set(member, at);
    at += member.length;
    packedEnds.push(at);
  }
  parentPort.postMessage({ bytes, ends: packedEnds }, [bytes.buffer]);
});
`;

/**
 * Bytes made ready for a member: all of it, most often, since every further piece is another turn. Not much more: of two
 * records of three, which have few hundred bytes, 64 KB were put aside for each.
 */
export const roomFor = ({ length, level }: Pick<MemberDraft, 'length' | 'level'>): number =>
  Math.max(1024, level === 0 ? length + 4 * 1024 : length >> 1);

/**
 * A thread that compresses many members per message. Node's own way (a stream object and a round trip through the
 * thread pool per member) cost the crawler's thread 0.15 ms per member; a message of thirty pages costs about as
 * much in total. It starts with the first message and does not keep the process alive.
 */
export class GzipThread {
  #worker: Worker | undefined;
  readonly #waiting: { resolve(answer: Answer): void; reject(error: unknown): void }[] = [];

  /** The members in the given order, as parts of one array. */
  async pack(members: readonly MemberDraft[]): Promise<Buffer[]> {
    const plain = new Uint8Array(members.reduce((sum, { length }) => sum + length, 0));
    const ends: number[] = [];
    let at = 0;
    for (const { parts } of members) {
      for (const part of parts) {
        plain.set(part, at);
        at += part.length;
      }
      ends.push(at);
    }
    const levels = members.map(({ level }) => level);
    const rooms = members.map(roomFor);
    const answer = await new Promise<Answer>((resolve, reject) => {
      const worker = this.#started();
      this.#waiting.push({ resolve, reject });
      worker.ref();
      worker.postMessage({ plain, ends, levels, rooms }, [plain.buffer]);
    });
    let from = 0;
    return answer.ends.map((end) => {
      const member = Buffer.from(answer.bytes.buffer, from, end - from);
      from = end;
      return member;
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(THREAD, { eval: true });
    // Answers come in the order of the requests.
    worker.on('message', (answer: Answer) => {
      this.#waiting.shift()?.resolve(answer);
      if (this.#waiting.length === 0) worker.unref();
    });
    const fail = (error: unknown): void => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    };
    worker.on('error', fail);
    worker.on('exit', (code) => fail(new Error(`the compressing thread ended with code ${code}`)));
    this.#worker = worker;
    return worker;
  }
}
