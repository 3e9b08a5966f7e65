import { type Command, Option } from 'commander';
import { SILENCE } from '../../archive/workers/attendance.ts';
import { parseDuration } from '../arguments.ts';

export interface SilenceFlag {
  /** Milliseconds. */
  readonly silence: number;
}

/** Not for every day: it must be the same for all who share an archive. */
export function silenceOption(command: Command): Command {
  return command.addOption(
    new Option('--silence <duration>', 'a worker without a sign of life for this long is replaced')
      .env('DAGUERRE_SILENCE')
      .argParser(parseDuration)
      .default(SILENCE, '60s')
      .hideHelp(),
  );
}
