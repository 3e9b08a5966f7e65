import { UserError } from '../../archive/user-error.ts';
import type { Experiment } from '../../lab/experiment/experiment.ts';
import type { PlotDescription } from '../../lab/experiment/plot.ts';
import { printed } from '../../lab/experiment/text-table.ts';
import { ScheduleInputError } from '../../science/sharpness/schedule.ts';
import { writeOutput } from '../write-output.ts';
import { figureSvg, writeDrawing } from './figure.ts';
import type { LabFlags } from './lab-options.ts';
import { plotOptions } from './plot-options.ts';

/**
 * Runs an experiment and shows it as all lab commands do: as text, or as one object; with figures if a folder is named. `more`
 * is what the object contains besides the measurements: settings, bad rows left out.
 */
export async function showExperiment<I>(
  experiment: Experiment<I>,
  input: I,
  { json, out }: LabFlags,
  more: object = {},
): Promise<void> {
  const outcome = await experiment.run(input).catch((error: unknown) => {
    // Rates, delays and budgets were typed: what a schedule cannot be made of is the user's to fix.
    throw error instanceof ScheduleInputError ? new UserError(error.message) : error;
  });
  if (outcome.kind === 'skipped') throw new UserError(outcome.reason);
  const { text, data, plots, findings } = outcome;
  const verdicts = findings.map(
    ({ statement, holds, ours }) => `${holds.toUpperCase()}: ${statement}\n  ${ours}`,
  );
  const parts = verdicts.length > 0 ? [...text, verdicts.join('\n')] : text;
  const object = { ...data, ...more, ...(findings.length > 0 && { findings }) };
  // What may fail comes first: a command that ends with an error has printed no result.
  if (out !== undefined)
    for (const [k, plot] of plots.entries())
      await writeDrawing(out, figureFile(experiment.name, plot, k, plots.length), drawn(plot));
  await writeOutput(json ? `${JSON.stringify(object)}\n` : printed(parts), undefined);
}

/** A single figure takes the name of its experiment; several are numbered, unless they have names of their own. */
export function figureFile(name: string, { file }: PlotDescription, k: number, plots: number): string {
  return `${file ?? (plots === 1 ? name : `${name}-${k + 1}`)}.svg`;
}

export function drawn(plot: PlotDescription): string {
  const { title, description = `${plot.y} by ${plot.x || 'name'}` } = plot;
  return figureSvg(plotOptions(plot), { title, description });
}
