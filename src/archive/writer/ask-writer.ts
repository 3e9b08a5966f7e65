import { archiveFolder } from '../../storage/archive-folder.ts';
import { connectToWriter } from '../../storage/writer-socket.ts';
import type { ArchiveLocation } from '../open/open-archive.ts';
import { VERSION } from '../version.ts';
import { type AskerMessage, receivedError, type WriterAnswer, WriterGone } from './messages.ts';
import type { InputOf, RequestName, ResultOf } from './requests.ts';

/**
 * How long to wait for a writer that has begun but is not listening yet, or no longer listens but has not ended
 * yet, in milliseconds.
 */
export const WRITER_PATIENCE = 3_000;

/** Asks the writer of the archive for something. Undefined where nobody takes the request. */
export async function askWriter<Name extends RequestName>(
  { archive, database = null }: Omit<ArchiveLocation, 'database'> & { readonly database?: string | null },
  ask: Name,
  input: InputOf<Name>,
  onProgress: (file: string, done: number, size: number) => void = () => {},
): Promise<ResultOf<Name> | undefined> {
  const { root } = archiveFolder(archive);
  const channel = await connectToWriter(root);
  if (!channel) return undefined;
  channel.send({ ask, input, version: VERSION, process: process.pid, database } satisfies AskerMessage);
  let accepted = false;
  try {
    for await (const message of channel.messages()) {
      const answer = message as WriterAnswer;
      if (answer.kind === 'accepted') accepted = true;
      else if (answer.kind === 'progress') onProgress(answer.file, answer.done, answer.size);
      else if (answer.kind === 'failed') throw receivedError(answer.error);
      else return answer.result as ResultOf<Name>;
    }
  } finally {
    channel.end();
  }
  if (!accepted) return undefined;
  throw new WriterGone(
    `the process that writes to ${root} ended before it had done all that it was asked for. Nothing of the archive is ` +
      'lost: run the same command again',
  );
}
