import { CatalogFault } from '../../catalog/faults.ts';
import { ArchiveLocked } from '../../storage/archive-lock.ts';
import { type ArchiveLocation, type OpenArchive, openForWriting } from '../open/open-archive.ts';
import { systemClock } from '../system-clock.ts';
import { askAnywhere, isForOthers, joinIfShared } from './ask-anywhere.ts';
import { WRITER_PATIENCE } from './ask-writer.ts';
import type { InputOf, RequestName, ResultOf } from './requests.ts';

export interface Writing<Name extends RequestName> {
  readonly ask: Name;
  /** Computed only if somebody has to be asked. */
  readonly input: () => InputOf<Name> | Promise<InputOf<Name>>;
  /** The same, done here. */
  readonly write: (archive: OpenArchive) => Promise<ResultOf<Name>>;
  readonly onProgress?: ((file: string, done: number, size: number) => void) | undefined;
  /** Receives what opening the archive had to mend. */
  readonly onMended?: ((sentence: string) => void) | undefined;
  /** Called while waiting for an unreachable database. */
  readonly onWait?: ((sentence: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Writes to the archive here if nobody else does; otherwise asks its writer: decisions/0022. */
export async function writeOrAsk<Name extends RequestName>(
  location: ArchiveLocation,
  writing: Writing<Name>,
): Promise<ResultOf<Name>> {
  const { ask, input, write, onProgress, onMended = () => {} } = writing;
  const until = systemClock.now() + WRITER_PATIENCE;
  for (;;) {
    const archive = await openUnlessLocked(location, writing);
    if (!(archive instanceof Error)) return writeAndClose(archive, write, onMended);
    const answer = await askAnywhere(location, ask, await input(), onProgress);
    if (answer) return answer;
    // Workers share the archive, and none of them takes requests: it is done alongside them.
    const beside = isForOthers(location, ask) ? await joinIfShared(location, ask) : undefined;
    if (beside) return writeAndClose(beside, write, onMended);
    if (systemClock.now() >= until) throw archive;
    await systemClock.sleep(100);
  }
}

async function writeAndClose<Result>(
  archive: OpenArchive,
  write: (archive: OpenArchive) => Promise<Result>,
  onMended: (sentence: string) => void,
): Promise<Result> {
  try {
    for (const sentence of archive.mended) onMended(sentence);
    return await write(archive);
  } finally {
    await archive.close();
  }
}

async function openUnlessLocked(
  location: ArchiveLocation,
  { ask, onWait, signal }: Pick<Writing<RequestName>, 'ask' | 'onWait' | 'signal'>,
): Promise<OpenArchive | ArchiveLocked | CatalogFault> {
  // Another machine may have the catalog, which no lock of this folder reveals.
  const isShared = isForOthers(location, ask);
  try {
    return await openForWriting(location, ask, {
      ...(isShared && { patience: 0 }),
      ...(onWait && { onWait }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (error instanceof ArchiveLocked) return error;
    if (isShared && error instanceof CatalogFault && error.kind === 'busy') return error;
    throw error;
  }
}
