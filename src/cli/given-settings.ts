import type { z } from 'zod';
import { UserError } from '../archive/user-error.ts';

export const flagName = (key: string): string =>
  key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * Checks the given settings. Those given as flags are named as flags; the rest, such as seeds, by their key. (Settings from
 * a file were already checked with their line.)
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
