import { checkSpec } from '../crawl/run-crawl.ts';
import { readConfig } from '../given/config-file.ts';
import { UserError } from '../user-error.ts';
import { WATCH_SETTINGS, type WatchConfig, watchConfig } from './watch-settings.ts';

/** Reads and checks the configuration; throws UserError with the line and what is accepted. */
export async function readWatchConfig(file: string): Promise<WatchConfig> {
  const config = watchConfig(await readConfig(file, WATCH_SETTINGS), file);
  for (const { spec } of config.sites) await checkSpec(spec);
  const privacy = new Set(config.sites.map(({ spec }) => spec.politeness.allowPrivate));
  if (privacy.size > 1)
    throw new UserError(
      `${file}: allowPrivate holds for the whole watch: write it under defaults, not with a site`,
    );
  return config;
}

/** Workers would not have it. */
export function refuseUnhandable({ ways }: WatchConfig): void {
  if (ways)
    throw new UserError(
      '--hand-over: a proxy is not stored with a crawl, and workers would not have it: leave out --hand-over, or proxy',
    );
}
