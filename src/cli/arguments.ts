import { InvalidArgumentError } from 'commander';
import { parseDeadline, parseMoment } from '../archive/given/moment.ts';
import * as quantities from '../archive/given/quantities.ts';
import { UserError } from '../archive/user-error.ts';

/** Adapts a parser to commander, which shows its error messages together with the flag. */
export function argument<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw error instanceof UserError ? new InvalidArgumentError(error.message) : error;
    }
  };
}

/** The same parser for values within bounds, both of which are accepted; `say` writes one as people do. */
export const within =
  (
    parse: (text: string) => number,
    least: number,
    most: number,
    say: (value: number) => string = String,
  ): ((text: string) => number) =>
  (text) => {
    const value = parse(text);
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(
      most === Number.POSITIVE_INFINITY
        ? `'${text}' is too little: ${say(least)} at least.`
        : `'${text}' is out of bounds: from ${say(least)} to ${say(most)}.`,
    );
  };

export const parseCount = argument(quantities.parseCount);
export const parsePort = argument(quantities.parsePort);
export const parseDuration = argument(quantities.parseDuration);
export const parseSize = argument(quantities.parseSize);
export const parseShare = argument(quantities.parseShare);

/** A time as people write it; for a period, its start or its end. */
export const momentArgument = (side: 'start' | 'end') => {
  const now = Date.now();
  return argument((text) => parseMoment(text, now, side));
};

/** When something ends: a day, a time, or in how long (`30d`). */
export const parseEnd = argument((text: string) => parseDeadline(text, Date.now()));
