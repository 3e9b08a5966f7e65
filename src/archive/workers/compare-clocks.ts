import { hostname } from 'node:os';
import type { Millis } from '../../model/time.ts';
import { UserError } from '../user-error.ts';

/** Milliseconds that a clock may differ from that of the database: much more than clocks that are set by the network do. */
const APART = 30_000;

/** What the database's clock said, and what ours said before it was asked and after. */
export interface ClockReading {
  readonly database: Millis;
  readonly before: Millis;
  readonly after: Millis;
}

/** What is captured is dated by the clock of the machine that captures it: undefined where that is well, else what is wrong. */
export function clockFault({ database, before, after }: ClockReading): UserError | undefined {
  const apart = database < before ? before - database : Math.max(0, database - after);
  if (apart <= APART) return undefined;
  const own = database < before ? before : after;
  return new UserError(
    `the clock of this machine (${hostname()}) says ${iso(own)}, and that of the database ${iso(database)}: whatever is captured here would be ` +
      `dated ${spanText(apart)} ${own > database ? 'late' : 'early'}. Set both by the network (NTP), then start this again`,
  );
}

const iso = (at: Millis): string => new Date(at).toISOString();

const spanText = (millis: number): string =>
  millis >= 120_000 ? `${Math.round(millis / 60_000)} min` : `${Math.round(millis / 1_000)} s`;
