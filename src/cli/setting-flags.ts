import { Option } from 'commander';
import type { z } from 'zod';
import { SECRET_SETTINGS } from '../archive/session/session-settings.ts';
import { flagName } from './given-settings.ts';

/** One flag per setting: switches for booleans, repeatable for lists. */
export function settingFlag(key: string, schema: z.ZodType): Option {
  const name = flagName(key);
  const fallback: unknown = schema.safeParse(undefined).data;
  const help = schema.description ?? '';
  if (fallback === true) return new Option(`--no-${name}`, `do not ${help}`);
  if (fallback === false) return new Option(`--${name}`, help);
  const shown = fallback === Number.POSITIVE_INFINITY ? 'no limit' : fallback === '' ? undefined : fallback;
  if (SECRET_SETTINGS.some((secret) => secret === key))
    return new Option(`--${name} <value>`, help).argParser((value: string, before: string[] = []) => [
      ...before,
      value,
    ]);
  // Names separated by commas: one argument, so that an address after it stays an address.
  if (Array.isArray(fallback) && fallback.length > 0)
    return new Option(`--${name} <names>`, `${help} (default: ${fallback.join(',')})`);
  if (Array.isArray(fallback)) return new Option(`--${name} <pattern...>`, help);
  const unit = /Delay|delay|Time|time/.test(key) && key !== 'delayFactor' ? ' ms' : '';
  return new Option(
    `--${name} <value>`,
    shown === undefined
      ? help
      : `${help} (default: ${String(shown)}${typeof shown === 'number' ? unit : ''})`,
  );
}

/** A switch that was not given has its default: the file's value takes precedence over that. */
export function chosenSetting(flagged: unknown, fromFile: unknown, schema: z.ZodType): unknown {
  if (typeof flagged === 'boolean' && flagged === schema.safeParse(undefined).data) return fromFile;
  return flagged ?? fromFile;
}
