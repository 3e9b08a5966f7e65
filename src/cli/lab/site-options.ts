import type { Command } from 'commander';
import { type LabFlags, labOptions, parseNumber } from './lab-options.ts';

/** A site given by tables. */
export interface SiteFlags extends LabFlags {
  readonly rates: string;
  readonly delay: number;
  readonly graph?: string;
  readonly entry?: readonly string[];
  readonly size?: number;
  readonly weights?: string;
  readonly skipBad: boolean;
  /** Unused by online orders, which draw no random numbers; every experiment takes it, for uniformity. */
  readonly seed: string;
}

export function siteOptions(command: Command): Command {
  return labOptions(command)
    .requiredOption('--rates <list|file>', 'change rates: 0,1,2 or a table of page, rate')
    .option('--delay <number>', 'time between two downloads, in the unit of the rates', parseNumber, 1)
    .option('--entry <page...>', 'pages known at the start; with a graph: that of its first link')
    .option('--size <number>', 'pages the site is believed to have; as many as have rates', parseNumber)
    .option('--weights <file>', 'table of page, importance (0 to 1)')
    .option('--skip-bad', 'leave bad rows of tables out, and say how many', false)
    .option('--seed <seed>', 'of histories that are drawn', '1');
}
