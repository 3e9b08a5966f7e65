import { type Command, InvalidArgumentError } from 'commander';
import type { Experiment } from '../../lab/experiment/experiment.ts';

/** Flags of every experiment. */
export interface LabFlags {
  readonly json: boolean;
  /** Folder for figures. */
  readonly out?: string;
}

export function labOptions(command: Command): Command {
  return command
    .option('--json', 'machine-readable output on stdout', false)
    .option('--out <dir>', 'write figures (SVG) there');
}

export function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) {
    throw new InvalidArgumentError(`'${text}' is not a number`);
  }
  return value;
}

/**
 * `showExperiment`, loaded only when an experiment is run: drawing and everything it needs is a lot of code.
 */
export async function show<I>(
  experiment: Experiment<I>,
  input: I,
  flags: LabFlags,
  more?: object,
): Promise<void> {
  const { showExperiment } = await import('./show-experiment.ts');
  await showExperiment(experiment, input, flags, more);
}
