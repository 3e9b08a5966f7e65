import { readFileSync } from 'node:fs';
import { UserError } from '../user-error.ts';

/**
 * A secret as given: literally, as `env:NAME`, or as `file:PATH`, each line of which is one. `flag` is named in
 * complaints, the secret never.
 */
export function secretTexts(given: string, flag: string): readonly string[] {
  const [, kind, place = ''] = /^(env|file):(.+)$/s.exec(given) ?? [];
  if (kind === 'env') {
    const text = process.env[place];
    if (text === undefined || text === '')
      throw new UserError(`${flag}: the environment has no variable ${place}`);
    return [text];
  }
  if (kind !== 'file') return [given];
  const lines = fileText(place, flag)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  if (lines.length === 0) throw new UserError(`${flag}: ${place} is empty`);
  return lines;
}

/** Whether it is on the command line itself, where `ps` shows it to everybody on the machine. */
export const isInTheOpen = (given: string): boolean => !/^(env|file):./s.test(given);

export function fileText(path: string, flag: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : (code ?? String(error));
    throw new UserError(`${flag}: ${path} cannot be read: ${why}`);
  }
}
