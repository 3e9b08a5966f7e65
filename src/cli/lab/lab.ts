import type { Command } from 'commander';
import { completenessCommand } from './completeness.ts';
import { crawlCommand } from './crawl.ts';
import { deltasCommand } from './deltas.ts';
import { importanceCommand } from './importance.ts';
import { nearCommand } from './near.ts';
import { patternsCommand } from './patterns.ts';
import { perimeterCommand } from './perimeter.ts';
import { policiesCommand } from './policies.ts';
import { reproduceCommand } from './reproduce.ts';
import { segmentCommand } from './segment.ts';
import { sharcCommand } from './sharc.ts';
import { sharcOnlineCommand } from './sharc-online.ts';
import { skipsCommand } from './skips.ts';

/** The experiments run the very functions the archive calls; each is loaded when it is asked for. */
export function labCommand(program: Command): void {
  const lab = program
    .command('lab')
    .summary("the archive's algorithms on data of your own")
    .description('Experiments: what the archive does, measured on given data, as a table, JSON and figures.')
    .addHelpText(
      'after',
      `
Examples:
  daguerre lab reproduce --list                 the papers' figures that can be made again
  daguerre lab reproduce all --quick            all of them, small
  daguerre lab policies --help                  what one experiment takes`,
    );
  for (const command of [
    deltasCommand,
    segmentCommand,
    completenessCommand,
    patternsCommand,
    policiesCommand,
    importanceCommand,
    skipsCommand,
    perimeterCommand,
    crawlCommand,
    sharcCommand,
    sharcOnlineCommand,
    nearCommand,
    reproduceCommand,
  ]) {
    command(lab);
  }
}
