import { type Command, InvalidArgumentError } from 'commander';

/** What every experiment takes. */
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
