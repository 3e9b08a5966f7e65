import { UserError } from '../../archive/user-error.ts';
import { isSystemError } from '../../ports/system-error.ts';
import { RequestProblem } from '../api-error.ts';

/** What follows from the file of a watch; a file that is broken is nothing that whoever asks did wrong. */
export async function fromWatchFile<T>(answer: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    const isOfFile = error instanceof UserError ? error.kind === 'usage' : isSystemError(error);
    if (!isOfFile) throw error;
    throw new RequestProblem(
      503,
      error instanceof Error ? error.message : String(error),
      'mend the file of the watch, then load this page again: the server need not be restarted',
    );
  }
}
