import { stat } from 'node:fs/promises';
import { readWatchConfig } from './read-watch-config.ts';
import type { RunningWatch, WatchOptions } from './run-watch.ts';

/** Interval between two checks of the configuration file, in milliseconds. */
const LOOK_EVERY = 2_000;

/** Reads the file again when it changes; errors in it are reported, and the old configuration stays in force. */
export async function followConfig(
  file: string,
  watch: Pick<RunningWatch, 'reconfigure' | 'complain'>,
  { clock, tell }: Pick<WatchOptions, 'clock' | 'tell'>,
  signal: AbortSignal,
): Promise<void> {
  const complain = (problem: string): void => {
    watch.complain(problem);
    tell(problem);
  };
  let read = await changedAt(file);
  let isMissing = false;
  while (!signal.aborted) {
    await clock.sleep(LOOK_EVERY, signal);
    const now = await changedAt(file);
    if (signal.aborted) continue;
    if (now === undefined && !isMissing)
      complain(`${file} is not there any more: what it said last goes on.`);
    // A file that is restored unchanged is read again too, which ends the complaint.
    const isBack = isMissing && now !== undefined;
    isMissing = now === undefined;
    if (now === undefined || (now === read && !isBack)) continue;
    read = now;
    try {
      await watch.reconfigure(await readWatchConfig(file));
      tell(`${file} was read again: what it says holds from now on.`);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      complain(`${file} was changed and cannot be used, so that the old one goes on:\n${error.message}`);
    }
  }
}

async function changedAt(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.mtimeMs;
}
