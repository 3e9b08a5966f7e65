import type { Command } from 'commander';
import { parseDuration, parseSize } from '../arguments.ts';

/** For commands that crawl: how records are written. */
export const writingOptions = (command: Command): Command =>
  command
    .option('--sync-every <duration>', 'how often records are forced to disk', parseDuration, 1000)
    .option('--rotate-size <size>', 'begin a new record file past this size', parseSize, 1_000_000_000)
    .option(
      '--no-online-importance',
      "do not keep the importance of pages while they are read: 'daguerre reindex' makes it good",
    );
