import { listenAsWriter, type WriterChannel } from '../../storage/writer-socket.ts';
import type { ArchiveLocation, OpenArchive } from '../open/open-archive.ts';
import { UserError } from '../user-error.ts';
import { VERSION } from '../version.ts';
import { type AskerMessage, sentError, type WriterAnswer } from './messages.ts';
import type { WriterWork } from './requests.ts';

export interface AskerDesk {
  /** Takes no more requests, and waits for those being done; once the signal fires, only until they can be abandoned. */
  close(stop: AbortSignal): Promise<void>;
  /** Requests that are being done, or waiting. */
  readonly underWay: number;
}

export interface DeskOptions {
  /** Called with each request. */
  readonly onRequest?: (sentence: string) => void;
  /** See WriterWork. */
  readonly onStop?: () => void;
  readonly ping?: WriterWork['ping'];
}

/** Interval between two progress messages, in milliseconds. */
const PROGRESS_EVERY = 200;

/**
 * While a process writes to an archive, others may ask it to write something for them: see decisions/0022. Requests
 * are done one after the other, concurrently with the process's own work; each batch is a transaction of its own.
 */
export async function serveAskers(
  archive: OpenArchive,
  location: ArchiveLocation,
  { onRequest = () => {}, onStop, ping }: DeskOptions = {},
): Promise<AskerDesk> {
  const stopping = new AbortController();
  let underWay = 0;
  let turn: Promise<void> = Promise.resolve();
  /** Those that have not yet said what they want. */
  const silent = new Set<WriterChannel>();

  async function answer(channel: WriterChannel): Promise<void> {
    const send = (message: WriterAnswer): void => channel.send(message);
    try {
      const messages = channel.messages();
      const { value, done } = await messages.next();
      silent.delete(channel);
      if (done) return;
      const { run, isUrgent, isQuiet, sentence, asker } = await checked(value, location);
      // There is no second message: this is how it is known that the asker left.
      void messages.next();
      send({ kind: 'accepted' });
      underWay++;
      const work = (isUrgent ? Promise.resolve() : turn).then(async () => {
        const announce = (): void => {
          if (!isQuiet) onRequest(`${sentence}, asked for by process ${asker}.`);
        };
        // What takes long is announced when it begins; what is done at once, when it is: it may be refused.
        if (!isUrgent) announce();
        const { signal } = stopping;
        const surroundings = { signal, gone: channel.gone, stop: onStop, ping };
        const result = await run({ archive, onProgress: throttled(send), ...surroundings });
        if (isUrgent) announce();
        return result;
      });
      if (!isUrgent) {
        turn = work.then(
          () => {},
          () => {},
        );
      }
      try {
        send({ kind: 'done', result: await work });
      } finally {
        underWay--;
      }
    } catch (error) {
      // A connection that closes without an answer tells the asker that the writer stopped.
      if (!stopping.signal.aborted) send({ kind: 'failed', error: sentError(error) });
    } finally {
      channel.end();
    }
  }

  const answering = new Set<Promise<void>>();
  const socket = await listenAsWriter(archive.folder.root, (channel) => {
    silent.add(channel);
    const answered = answer(channel).finally(() => answering.delete(answered));
    answering.add(answered);
  });
  return {
    get underWay() {
      return underWay;
    },
    async close(stop) {
      const abort = (): void => stopping.abort();
      if (stop.aborted) abort();
      else stop.addEventListener('abort', abort, { once: true });
      await socket?.close();
      for (const channel of silent) channel.drop();
      await Promise.allSettled(answering);
      stop.removeEventListener('abort', abort);
    },
  };
}

interface CheckedRequest {
  readonly asker: number;
  readonly isUrgent: boolean;
  readonly isQuiet: boolean;
  readonly sentence: string;
  run(work: WriterWork): Promise<unknown>;
}

/** What was asked for, once it is known to be one of REQUESTS with what that takes. */
async function checked(
  value: unknown,
  { database = null }: { readonly database?: string | null },
): Promise<CheckedRequest> {
  // Import, analysis and checks are among them: loaded when somebody asks, not when a crawl begins.
  const { isRequest, REQUESTS } = await import('./requests.ts');
  const { ask, input, version, process: asker, database: theirs } = (value ?? {}) as Partial<AskerMessage>;
  const request = isRequest(ask) ? REQUESTS[ask] : undefined;
  const given = request?.input.safeParse(input);
  if (!request || !given?.success || version !== VERSION || !Number.isSafeInteger(asker)) {
    throw new UserError(
      `the archive is being written by Daguerre ${VERSION}, which does not understand what it was asked for: ` +
        'wait until it ends',
    );
  }
  if (theirs !== database) {
    throw new UserError(
      'the archive is being written with another catalog than the one given: check --database',
    );
  }
  // The input belongs to this very request.
  return {
    asker: asker ?? 0,
    isUrgent: request.isUrgent ?? false,
    isQuiet: request.isQuiet ?? false,
    sentence: request.sentence(given.data as never),
    run: (work) => request.run(given.data as never, work),
  };
}

function throttled(send: (message: WriterAnswer) => void) {
  let sentAt = 0;
  return (file: string, done: number, size: number): void => {
    const now = Date.now();
    if (now - sentAt < PROGRESS_EVERY) return;
    sentAt = now;
    send({ kind: 'progress', file, done, size });
  };
}
