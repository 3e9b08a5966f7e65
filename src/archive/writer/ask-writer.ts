import { resolve } from 'node:path';
import { connectToWriter } from '../../storage/writer-socket.ts';
import type { ImportReport } from '../import/import-files.ts';
import { VERSION } from '../version.ts';
import { type ImportRequest, receivedError, type WriterAnswer, WriterGone } from './messages.ts';

/** Asks whoever writes to the archive to import files. Undefined where nobody takes the request. */
export async function askToImport(
  root: string,
  request: Pick<ImportRequest, 'paths' | 'database'>,
  onProgress: (file: string, done: number, size: number) => void,
): Promise<ImportReport | undefined> {
  const channel = await connectToWriter(root);
  if (!channel) return undefined;
  const paths = request.paths.map((path) => resolve(path));
  const asked: ImportRequest = { ...request, paths, ask: 'import', version: VERSION, process: process.pid };
  channel.send(asked);
  let accepted = false;
  try {
    for await (const message of channel.messages()) {
      const answer = message as WriterAnswer;
      if (answer.kind === 'accepted') accepted = true;
      else if (answer.kind === 'progress') onProgress(answer.file, answer.done, answer.size);
      else if (answer.kind === 'failed') throw receivedError(answer.error);
      else return answer.report;
    }
  } finally {
    channel.end();
  }
  if (!accepted) return undefined;
  throw new WriterGone(
    `the process that writes to ${root} ended before it had imported everything. Nothing of the archive is lost: ` +
      'run the same command again',
  );
}
