import { type Command, InvalidArgumentError } from 'commander';
import { siteNamed } from '../../access/site-name.ts';
import { momentArgument } from '../arguments.ts';

/** `--since` and `--until`, for the commands that look back. */
export function periodOptions(command: Command): Command {
  return command
    .option(
      '--since <time>',
      'only from this time on: a day, a time (UTC), or how long ago (7d)',
      momentArgument('start'),
    )
    .option('--until <time>', 'only up to this time', momentArgument('end'));
}

/** Which site is meant is known only once the archive is open, with its rules: see `siteNamed`. */
export function parseSite(text: string): string {
  if (siteNamed(text) === '')
    throw new InvalidArgumentError(`'${text}' is no site; write a host, such as example.org`);
  return text;
}
