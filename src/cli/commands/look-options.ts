import { type Command, InvalidArgumentError, Option } from 'commander';
import { LOOK_TIME_LIMIT } from '../../archive/look/look-time-limit.ts';
import { SEGMENTER_NAMES, type SegmenterName } from '../../science/layout/segmenter.ts';
import { parseDuration } from '../arguments.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

export interface LookFlags extends CommonOptions {
  readonly segmenter: SegmenterName;
  readonly allowPrivate: boolean;
  readonly url?: string;
  readonly timeLimit: number;
  readonly out?: string;
}

/** Options of the commands that look at single pages. */
export function lookOptions(command: Command): Command {
  return archiveOptions(command)
    .addOption(
      new Option('--segmenter <name>', 'how the page is cut into blocks')
        .choices(SEGMENTER_NAMES)
        .default('blocks'),
    )
    .option('--url <url>', 'where a local file says it is, for its links', parseWebUrl)
    .option('--allow-private', 'also ask private addresses', false)
    .addOption(
      new Option('--time-limit <duration>', 'for one page in the browser')
        .argParser(parseDuration)
        .default(LOOK_TIME_LIMIT, '60s'),
    )
    .option('--out <file>', 'write there instead of to the terminal');
}

function parseWebUrl(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('Write it as https://example.org/page.');
  return new URL(text).href;
}
