import { type ArchiveInfo, api } from '../api.ts';

/** A watch that plans by the week has something to write within two. */
const LONG = 14 * 86_400_000;

/** Whether a watch that is configured has ended, by what it has written: what it would do now is no plan of anybody. */
export const isOver = (watch: ArchiveInfo['watch'], lastWritten: number | undefined, now: number): boolean =>
  watch === 'configured' && lastWritten !== undefined && now - lastWritten > LONG;

/** When the watch ended; undefined of one that runs, or may. */
export async function endedAt(): Promise<number | undefined> {
  const { watch } = await api.archive();
  if (watch !== 'configured') return undefined;
  const last = (await api.latestCapture())?.at;
  return isOver(watch, last, Date.now()) ? last : undefined;
}
