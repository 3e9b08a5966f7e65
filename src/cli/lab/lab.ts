import type { Command } from 'commander';
import { agreeCommand } from './agree.ts';
import { alertsLabCommand } from './alerts.ts';
import { choicesCommand } from './choices.ts';
import { completenessCommand } from './completeness.ts';
import { crawlCommand } from './crawl.ts';
import { deltasCommand } from './deltas.ts';
import { editsCommand } from './edits.ts';
import { importanceCommand } from './importance.ts';
import { liveCompletenessCommand } from './live-completeness.ts';
import { nearCommand } from './near.ts';
import { patternsCommand } from './patterns.ts';
import { perimeterCommand } from './perimeter.ts';
import { policiesCommand } from './policies.ts';
import { reproduceCommand } from './reproduce.ts';
import { salienceCommand } from './salience.ts';
import { segmentCommand } from './segment.ts';
import { sharcCommand } from './sharc.ts';
import { sharcOnlineCommand } from './sharc-online.ts';
import { skipsCommand } from './skips.ts';
import { watchLabCommand } from './watch.ts';

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
    editsCommand,
    salienceCommand,
    segmentCommand,
    alertsLabCommand,
    completenessCommand,
    liveCompletenessCommand,
    patternsCommand,
    policiesCommand,
    choicesCommand,
    watchLabCommand,
    importanceCommand,
    skipsCommand,
    perimeterCommand,
    crawlCommand,
    agreeCommand,
    sharcCommand,
    sharcOnlineCommand,
    nearCommand,
    reproduceCommand,
  ]) {
    command(lab);
  }
}
