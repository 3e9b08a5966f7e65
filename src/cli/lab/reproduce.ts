import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { resultFolder, type WriteResult } from '../../archive/result-folder.ts';
import { UserError } from '../../archive/user-error.ts';
import type { Outcome, Row } from '../../lab/experiment/experiment.ts';
import { textTable } from '../../lab/experiment/text-table.ts';
import type { PaperExperiment } from '../../lab/reproduce/paper-experiment.ts';
import { writeOutput } from '../write-output.ts';
import { type Reproduced, reproducePage } from './reproduce-page.ts';
import { withShownPages } from './shown-pages.ts';

interface ReproduceFlags {
  /** Required unless the experiments are only listed. */
  readonly out?: string;
  readonly list: boolean;
  readonly data?: string;
  readonly snapshots?: string;
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
    .option('--snapshots <dir>', 'keep there what the browser showed, and take it from there the next time')
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
    .action(runReproduce);
}

async function runReproduce(names: readonly string[], flags: ReproduceFlags): Promise<void> {
  const { EXPERIMENTS } = await import('../../lab/reproduce/index.ts');
  const { seed, quick, data, out } = flags;
  const chosen = chooseExperiments(EXPERIMENTS, names);
  if (flags.list) return listExperiments(chosen, flags.json);
  if (out === undefined) throw new UserError('name a folder for the results: --out <dir>');
  if (!Number.isInteger(seed)) throw new UserError('the seed must be a whole number');
  const write = await resultFolder(out);
  const done: Reproduced[] = [];
  await withShownPages(flags, async (pages) => {
    for (const experiment of chosen) {
      process.stderr.write(`${experiment.name} …\n`);
      const outcome = await experiment.run({
        seed,
        quick,
        data,
        pages,
        progress: (text) => process.stderr.write(`${experiment.name}: ${text}\n`),
      });
      if (outcome.kind === 'skipped')
        process.stderr.write(`${experiment.name}: skipped: ${outcome.reason}\n`);
      const figures = await draw(experiment, outcome);
      await writeResults(write, { experiment, outcome, figures }, { seed, quick });
      done.push({ experiment, outcome, figures });
    }
  });
  await write('index.html', reproducePage(done, { seed, quick }));
  process.stderr.write(`written to ${join(out, 'index.html')}\n`);
  await writeOutput(flags.json ? `${JSON.stringify(summary(done, flags))}\n` : findingsText(done), undefined);
}

async function listExperiments(chosen: readonly PaperExperiment[], json: boolean): Promise<void> {
  const rows = chosen.map(({ name, paper, figure, title }) => ({ name, paper, figure, title }));
  const table = textTable(
    ['name', 'paper', '', ''],
    rows.map((row) => Object.values(row)),
  );
  await writeOutput(json ? `${JSON.stringify({ experiments: rows })}\n` : `${table}\n`, undefined);
}

/** By name, by the paper a name begins with (`sharc`), or all; in the order of the list. */
export function chooseExperiments(
  all: readonly PaperExperiment[],
  names: readonly string[],
): PaperExperiment[] {
  const matches = (experiment: PaperExperiment, name: string): boolean =>
    name === 'all' || experiment.name === name || experiment.name.startsWith(`${name}-`);
  for (const name of names) {
    if (!all.some((experiment) => matches(experiment, name))) {
      const known = all.map((each) => each.name).join(', ');
      throw new UserError(`no experiment is named '${name}'; there are: all, ${known}`);
    }
  }
  return all.filter((experiment) => names.some((name) => matches(experiment, name)));
}

async function draw({ name }: PaperExperiment, outcome: Outcome): Promise<Reproduced['figures']> {
  if (outcome.kind === 'skipped') return [];
  const { drawn, figureFile } = await import('./show-experiment.ts');
  const { plots } = outcome;
  return plots.map((plot, k) => ({ file: figureFile(name, plot, k, plots.length), svg: drawn(plot) }));
}

async function writeResults(
  write: WriteResult,
  { experiment, outcome, figures }: Reproduced,
  settings: { readonly seed: number; readonly quick: boolean },
): Promise<void> {
  const { name, title, paper, figure, method } = experiment;
  const result =
    outcome.kind === 'skipped'
      ? outcome
      : { kind: outcome.kind, rows: outcome.rows, plots: outcome.plots, findings: outcome.findings };
  const kept = { name, title, paper, figure, method, ...settings, ...result };
  await write(`${name}.json`, `${JSON.stringify(kept, null, 1)}\n`);
  if (outcome.kind === 'skipped') return;
  await write(`${name}.csv`, csv(outcome.rows));
  for (const { file, svg } of figures) await write(file, svg);
}

export function csv(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const cell = (value: string | number | undefined): string => {
    const text = String(value ?? '');
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns.map(cell).join(','), ...rows.map((row) => columns.map((name) => cell(row[name])).join(','))]
    .map((line) => `${line}\n`)
    .join('');
}

function summary(done: readonly Reproduced[], { seed, quick, out }: ReproduceFlags): object {
  return {
    out,
    seed,
    quick,
    experiments: done.map(({ experiment, outcome }) => ({
      name: experiment.name,
      paper: experiment.paper,
      figure: experiment.figure,
      ...(outcome.kind === 'skipped' ? { skipped: outcome.reason } : { findings: outcome.findings }),
    })),
  };
}

function findingsText(done: readonly Reproduced[]): string {
  const parts = done.map(({ experiment: { paper, figure, title }, outcome }) => {
    const head = `${paper}, ${figure}: ${title}`;
    if (outcome.kind === 'skipped') return `${head}\n  skipped: ${outcome.reason}`;
    const lines = outcome.findings.map(
      ({ statement, holds, ours }) => `  ${holds.toUpperCase()}: ${statement}\n    ${ours}`,
    );
    return [head, ...lines].join('\n');
  });
  return `${parts.join('\n\n')}\n`;
}
