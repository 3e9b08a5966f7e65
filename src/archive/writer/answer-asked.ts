import type { Asked, AskedAnswer } from '../../model/worker.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { systemClock } from '../system-clock.ts';
import { UserError } from '../user-error.ts';
import { sentError } from './messages.ts';
import { isRequest, REQUESTS, type WriterWork } from './requests.ts';

/** Interval between two checks, and age after which nobody waits for a request any longer, in milliseconds. */
const LOOK_EVERY = 1_000;
const FORGET_AFTER = 600_000;

export interface AnsweringOptions extends Pick<WriterWork, 'stop' | 'ping'> {
  readonly signal: AbortSignal;
  readonly onRequest: (sentence: string) => void;
}

/**
 * The holder of the watch's tick does what other machines ask for, which its folder's socket cannot reach:
 * decisions/0093. Resolves when the signal fires; rejects if the catalog fails.
 */
export async function answerAsked(archive: OpenArchive, options: AnsweringOptions): Promise<void> {
  const { catalog } = archive;
  const { signal } = options;
  while (!signal.aborted) {
    const asked = await catalog.takeAsked(FORGET_AFTER);
    if (asked) await catalog.answerAsked(asked.id, await answerTo(asked, archive, options));
    else await systemClock.sleep(LOOK_EVERY, signal);
  }
}

async function answerTo(
  { ask, input }: Asked,
  archive: OpenArchive,
  { signal, onRequest, stop, ping }: AnsweringOptions,
): Promise<AskedAnswer> {
  try {
    const request = isRequest(ask) ? REQUESTS[ask] : undefined;
    // Names of local files would mean something else here.
    if (!request?.isForWeb) throw new UserError(`'${ask}' cannot be asked from another machine`);
    const given = request.input.parse(input) as never;
    onRequest(`${request.sentence(given)}, asked for from another machine or folder.`);
    const work: WriterWork = { archive, onProgress: () => {}, signal, gone: signal, stop, ping };
    return { state: 'done', answer: await request.run(given, work) };
  } catch (error) {
    return { state: 'failed', answer: sentError(error) };
  }
}
