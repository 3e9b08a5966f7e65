import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../archive/make-folder.ts';
import { UserError } from '../../archive/user-error.ts';
import type { Outcome, Row } from '../../lab/experiment/experiment.ts';
import { textTable } from '../../lab/experiment/text-table.ts';
import { EXPERIMENTS } from '../../lab/reproduce/index.ts';
import type { PaperExperiment } from '../../lab/reproduce/paper-experiment.ts';
import { naming } from '../../ports/system-error.ts';
import type { LabReproduceFlags } from '../commands/lab-reproduce.ts';
import { writeOutput } from '../write-output.ts';
import { type Reproduced, reproducePage } from './reproduce-page.ts';
import { drawn, figureFile } from './show-experiment.ts';

export async function labReproduce(names: readonly string[], flags: LabReproduceFlags): Promise<void> {
  const { seed, quick, data, out } = flags;
  if (flags.list) return listExperiments(chooseExperiments(names), flags.json);
  if (out === undefined) throw new UserError('name a folder for the results: --out <dir>');
  if (!Number.isInteger(seed)) throw new UserError('the seed must be a whole number');
  const chosen = chooseExperiments(names);
  await makeFolder(out);
  const done: Reproduced[] = [];
  for (const experiment of chosen) {
    process.stderr.write(`${experiment.name} …\n`);
    const outcome = await experiment.run({
      seed,
      quick,
      data,
      progress: (text) => process.stderr.write(`${experiment.name}: ${text}\n`),
    });
    if (outcome.kind === 'skipped') process.stderr.write(`${experiment.name}: skipped: ${outcome.reason}\n`);
    const figures = draw(experiment, outcome);
    await writeResults(out, { experiment, outcome, figures }, { seed, quick });
    done.push({ experiment, outcome, figures });
  }
  await write(join(out, 'index.html'), reproducePage(done, { seed, quick }));
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
export function chooseExperiments(names: readonly string[]): PaperExperiment[] {
  const matches = (experiment: PaperExperiment, name: string): boolean =>
    name === 'all' || experiment.name === name || experiment.name.startsWith(`${name}-`);
  for (const name of names) {
    if (!EXPERIMENTS.some((experiment) => matches(experiment, name))) {
      const known = EXPERIMENTS.map((each) => each.name).join(', ');
      throw new UserError(`no experiment is named '${name}'; there are: all, ${known}`);
    }
  }
  return EXPERIMENTS.filter((experiment) => names.some((name) => matches(experiment, name)));
}

function draw({ name }: PaperExperiment, outcome: Outcome): Reproduced['figures'] {
  if (outcome.kind === 'skipped') return [];
  const { plots } = outcome;
  return plots.map((plot, k) => ({ file: figureFile(name, plot, k, plots.length), svg: drawn(plot) }));
}

async function writeResults(
  folder: string,
  { experiment, outcome, figures }: Reproduced,
  settings: { readonly seed: number; readonly quick: boolean },
): Promise<void> {
  const { name, title, paper, figure, method } = experiment;
  const result =
    outcome.kind === 'skipped'
      ? outcome
      : { kind: outcome.kind, rows: outcome.rows, plots: outcome.plots, findings: outcome.findings };
  const kept = { name, title, paper, figure, method, ...settings, ...result };
  await write(join(folder, `${name}.json`), `${JSON.stringify(kept, null, 1)}\n`);
  if (outcome.kind === 'skipped') return;
  await write(join(folder, `${name}.csv`), csv(outcome.rows));
  for (const { file, svg } of figures) await write(join(folder, file), svg);
}

const write = (path: string, text: string): Promise<void> => naming(path, writeFile(path, text));

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

function summary(done: readonly Reproduced[], { seed, quick, out }: LabReproduceFlags): object {
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
