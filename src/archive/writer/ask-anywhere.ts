import { isPostgres } from '../../catalog/open.ts';
import type { ArchiveLocation } from '../open/open-archive.ts';
import { isForeseen, joinOthers, type SharedArchive } from '../open/open-shared.ts';
import { briefly } from '../short-wait.ts';
import { systemClock } from '../system-clock.ts';
import { askWriter } from './ask-writer.ts';
import { receivedError, type SentError, WriterGone } from './messages.ts';
import type { InputOf, RequestName, ResultOf } from './requests.ts';

/** How long the holder of the tick may take, and the interval between two checks, in milliseconds. */
const PATIENCE = 20_000;
const LOOK_EVERY = 200;

/**
 * Asks the writer of the archive: on this machine through its socket, on another through the catalog. Undefined where
 * nobody takes the request.
 */
export async function askAnywhere<Name extends RequestName>(
  location: ArchiveLocation,
  ask: Name,
  input: InputOf<Name>,
  onProgress?: (file: string, done: number, size: number) => void,
): Promise<ResultOf<Name> | undefined> {
  const near = await askWriter(location, ask, input, onProgress);
  if (near || !isForOthers(location, ask)) return near;
  const archive = await joinIfShared(location, ask);
  if (!archive) return undefined;
  try {
    const { catalog } = archive;
    if (!(await catalog.tickHolder())) return undefined;
    const id = await catalog.addAsked({ ask, input });
    try {
      for (const until = systemClock.now() + PATIENCE; systemClock.now() < until; ) {
        await systemClock.sleep(LOOK_EVERY);
        const { state, answer } = (await catalog.askedAnswer(id)) ?? {};
        if (state === 'done') return answer as ResultOf<Name>;
        if (state === 'failed') throw receivedError(answer as SentError);
      }
    } finally {
      await catalog.forgetAsked(id);
    }
  } finally {
    await archive.close();
  }
  throw new WriterGone(
    'the watch of this archive runs on another machine and has not answered: look whether it was done before you ask again',
  );
}

/** Requests that name nothing on this machine, as marked by `isForWeb`. */
export const FOR_OTHERS: readonly RequestName[] = ['decide', 'ping', 'stop'];

/** Whether it may be asked of, and done on, another machine. */
export const isForOthers = ({ database }: ArchiveLocation, ask: RequestName): boolean =>
  database !== undefined && isPostgres(database) && FOR_OTHERS.includes(ask);

/** Joins others who write to the archive. Undefined where somebody has it alone, or nobody has it yet. */
export async function joinIfShared(
  location: ArchiveLocation,
  command: string,
): Promise<SharedArchive | undefined> {
  return joinOthers(briefly(location), command, { roles: [], wait: 0 }).catch((error: unknown) => {
    if (isForeseen(error)) return undefined;
    throw error;
  });
}
