import { type Command, InvalidArgumentError } from 'commander';
import { parseCount } from '../arguments.ts';
import { type LabFlags, labOptions } from './lab-options.ts';

/** Experiments on tables about pages: when they changed, when they were captured, what was seen. */
export interface TableFlags extends LabFlags {
  readonly skipBad: boolean;
  readonly seed: string;
}

export function tableOptions(command: Command): Command {
  return labOptions(command)
    .option('--seed <seed>', 'of all that is drawn by chance', '1')
    .option('--skip-bad', 'leave bad rows out and count them, instead of refusing the file', false);
}

/** Exactly one of `changes` and `observations` is given. */
export interface HistoryFlags extends TableFlags {
  readonly changes?: string;
  readonly observations?: string;
  readonly periods: number;
  readonly timezone: string;
}

/** Where the histories come from, and how their days are divided. */
export function historyOptions(command: Command): Command {
  return command
    .option('--changes <file>', 'what appeared, and when')
    .option('--observations <file>', 'what visits saw')
    .option('--periods <number>', 'periods of a day', parsePeriods, 24)
    .option('--timezone <zone>', 'local time of the pages, as in Europe/Berlin', 'UTC');
}

function parsePeriods(text: string): number {
  const periods = parseCount(text);
  if (!(periods >= 1 && periods <= 1440))
    throw new InvalidArgumentError(`a day has 1 to 1440 periods, not ${text}`);
  return periods;
}

export const FORMATS = `
Tables are tab-separated, gzip or not, with or without a header row:
  changes       page, unix time, importance (optional, 1 by default)
  observations  page, unix time, changed 0|1, importance (unchanged visits included)
  captures      page, unix time
  weights       page, importance`;
