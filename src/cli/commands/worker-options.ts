import { type Command, Option } from 'commander';
import { SILENCE } from '../../archive/workers/attendance.ts';
import { parseDuration, within } from '../arguments.ts';

export interface SilenceFlag {
  /** Milliseconds. */
  readonly silence: number;
}

/** Milliseconds: with less, whoever is busy for a moment is taken for dead. */
const LEAST_SILENCE = 5_000;

/** Not for every day: it must be the same for all who share an archive. */
export function silenceOption(command: Command): Command {
  return command.addOption(
    new Option('--silence <duration>', 'a worker without a sign of life for this long is replaced')
      .env('DAGUERRE_SILENCE')
      .argParser(
        within(parseDuration, LEAST_SILENCE, Number.POSITIVE_INFINITY, (millis) => `${millis / 1000} s`),
      )
      .default(SILENCE, '60s')
      .hideHelp(),
  );
}
