import { type Command, Option } from 'commander';

export interface LabReproduceFlags {
  /** Needed unless the experiments are only listed. */
  readonly out?: string;
  readonly list: boolean;
  readonly data?: string;
  readonly quick: boolean;
  readonly seed: number;
  readonly json: boolean;
}

export function reproduceCommand(lab: Command): void {
  lab
    .command('reproduce')
    .summary("the papers' figures and tables, measured again")
    .description(
      'Runs experiments of the papers and writes for each its numbers (CSV, JSON) and figures (SVG), and one ' +
        "page (index.html) with the papers' statements beside what came out.",
    )
    .argument('[experiment...]', 'names of experiments or papers, or all', ['all'])
    .option('--out <dir>', 'folder for the results')
    .option('--list', 'only say which experiments there are', false)
    .addOption(
      new Option('--data <dir>', 'folder of real histories (docs/lab.md); without it those are skipped').env(
        'DAGUERRE_DATA',
      ),
    )
    .option('--quick', 'small sizes: shows that it runs, not what the papers say', false)
    .option('--seed <number>', 'of everything that is drawn', Number, 1)
    .option('--json', 'machine-readable findings on stdout', false)
    .addHelpText(
      'after',
      `
Examples:
  daguerre lab reproduce --list
  daguerre lab reproduce all --out results/
  daguerre lab reproduce sharc-table-4 sharc-fig-10 --out results/ --seed 7`,
    )
    .action(async (names: string[], flags: LabReproduceFlags) => {
      const { labReproduce } = await import('../lab/reproduce.ts');
      await labReproduce(names, flags);
    });
}
