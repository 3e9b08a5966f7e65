import { homedir } from 'node:os';
import { join } from 'node:path';

/** For what can be made again: compiled filter lists. */
export function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'daguerre');
}
