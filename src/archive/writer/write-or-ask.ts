import { ArchiveLocked } from '../../storage/archive-lock.ts';
import { type ArchiveLocation, type OpenArchive, openForWriting } from '../open/open-archive.ts';
import { systemClock } from '../system-clock.ts';
import { askWriter, WRITER_PATIENCE } from './ask-writer.ts';
import type { InputOf, RequestName, ResultOf } from './requests.ts';

export interface Writing<Name extends RequestName> {
  readonly ask: Name;
  /** Made only where somebody has to be asked. */
  readonly input: () => InputOf<Name> | Promise<InputOf<Name>>;
  /** The same, done here. */
  readonly write: (archive: OpenArchive) => Promise<ResultOf<Name>>;
  readonly onProgress?: ((file: string, done: number, size: number) => void) | undefined;
  /** Told what opening the archive had to mend. */
  readonly onMended?: ((sentence: string) => void) | undefined;
  /** Told while a database that went away is waited for. */
  readonly onWait?: ((sentence: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Where nobody writes to the archive, it is written here; else whoever writes is asked to: decisions/0022. */
export async function writeOrAsk<Name extends RequestName>(
  location: ArchiveLocation,
  writing: Writing<Name>,
): Promise<ResultOf<Name>> {
  const { ask, input, write, onProgress, onMended = () => {} } = writing;
  const until = systemClock.now() + WRITER_PATIENCE;
  for (;;) {
    const archive = await openUnlessLocked(location, writing);
    if (!(archive instanceof ArchiveLocked)) {
      try {
        for (const sentence of archive.mended) onMended(sentence);
        return await write(archive);
      } finally {
        await archive.close();
      }
    }
    const answer = await askWriter(location, ask, await input(), onProgress);
    if (answer) return answer;
    if (systemClock.now() >= until) throw archive;
    await systemClock.sleep(100);
  }
}

async function openUnlessLocked(
  location: ArchiveLocation,
  { ask, onWait, signal }: Pick<Writing<RequestName>, 'ask' | 'onWait' | 'signal'>,
): Promise<OpenArchive | ArchiveLocked> {
  try {
    return await openForWriting(location, ask, { ...(onWait && { onWait }), ...(signal && { signal }) });
  } catch (error) {
    if (error instanceof ArchiveLocked) return error;
    throw error;
  }
}
