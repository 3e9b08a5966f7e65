import type { z } from 'zod';
import { UserError } from '../archive/user-error.ts';

export const flagName = (key: string): string =>
  key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * Settings as given, checked. What was given as a flag is named as one; the rest, such as seeds, by its key. (What stands in
 * a file was checked with its line.)
 */
export function checkedSettings<T extends z.ZodType>(
  schema: T,
  given: Readonly<Record<string, unknown>>,
  isFlag: (key: string) => boolean,
): z.output<T> {
  const checked = schema.safeParse(given);
  if (checked.success) return checked.data;
  const [{ path = [], message = '' } = {}] = checked.error.issues;
  const [key = ''] = path.map(String);
  throw new UserError(`${isFlag(key) ? `--${flagName(key)}` : path.join('.')}: ${message}`);
}
