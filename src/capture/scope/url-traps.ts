/** Traps recognisable from the URL alone; those that need memory are in traps.ts. */
import type { SkipReason } from '../../model/fault.ts';

export interface TrapOptions {
  /** Characters. */
  readonly urlLength: number;
  /** Segments of the path. */
  readonly pathDepth: number;
  /** Variants of one path that recombine few argument values. */
  readonly queryVariants: number;
  /** Variants of one path where some argument is new in most of them (`?id=…`): real pages, up to a point. */
  readonly idVariants: number;
  /** How many years ahead of now a page's date may be. */
  readonly yearsAhead: number;
  /** How many years back a calendar page's date may be; news archives are not calendars. */
  readonly calendarYearsBack: number;
  /** The same for pages that show a month: 480 of them are no trap yet. */
  readonly monthYearsBack: number;
  /** Distinct dates of one calendar pattern. 3,000: eight years of days. */
  readonly calendarDates: number;
  /** Distinct dates of one pattern that does not look like a calendar. 20,000: 55 years of days. */
  readonly archiveDates: number;
  /** Hashes kept for all patterns together, at about 40 bytes each. */
  readonly hashes: number;
}

export const TRAP_DEFAULTS: TrapOptions = {
  urlLength: 2_000,
  pathDepth: 25,
  queryVariants: 1_000,
  idVariants: 50_000,
  yearsAhead: 2,
  calendarYearsBack: 20,
  monthYearsBack: 40,
  calendarDates: 3_000,
  archiveDates: 20_000,
  hashes: 500_000,
};

export interface Trap {
  readonly trap: SkipReason;
  readonly detail: string;
  /** What the detail says, without this URL: the same for a whole family of URLs. */
  readonly rule: string;
}

/** One rule for the whole family of URLs, unless the detail is about this URL alone. */
export const trapped = (trap: SkipReason, detail: string, rule = detail): Trap => ({ trap, detail, rule });

/** Where the host ends. */
export function pathStart(url: string): number {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  return slash < 0 ? url.length : slash;
}

/** Longer or deeper than pages are. */
export function growing(url: string, limits: TrapOptions): Trap | undefined {
  if (url.length > limits.urlLength) {
    const rule = `more than ${limits.urlLength} characters`;
    return trapped('trap-growing-url', `${url.length} characters, more than ${limits.urlLength}`, rule);
  }
  const end = url.indexOf('?');
  let depth = 0;
  for (
    let i = url.indexOf('/', pathStart(url) + 1);
    i >= 0 && (end < 0 || i < end);
    i = url.indexOf('/', i + 1)
  ) {
    depth++;
  }
  if (depth <= limits.pathDepth) return undefined;
  const rule = `path of more than ${limits.pathDepth} segments`;
  return trapped('trap-growing-url', `path of ${depth} segments, more than ${limits.pathDepth}`, rule);
}

/** How often in a row a run of segments makes a trap: twice happens (`/de/de/`), three times does not. */
const RUN_REPEATS = 3;
/** How often one segment anywhere in a path makes a trap. */
const SEGMENT_REPEATS = 5;

/** A relative link that feeds itself. */
export function repeating(url: string): Trap | undefined {
  const query = url.indexOf('?');
  const segments = url.slice(pathStart(url) + 1, query < 0 ? undefined : query).split('/');
  if (segments.length >= RUN_REPEATS) {
    const run = repeatedRun(segments);
    if (run) return repeats(`'${run}'`, 'a run of segments', `${RUN_REPEATS} times in a row`);
    const often = repeatedItem(
      segments.filter((segment) => !/^\d*$/.test(segment)),
      SEGMENT_REPEATS,
    );
    if (often) return repeats(`'${often}'`, 'a segment', `${SEGMENT_REPEATS} times in the path`);
  }
  const pairs =
    query < 0
      ? []
      : url
          .slice(query + 1)
          .split('&')
          .filter((pair) => pair !== '');
  const pair = pairs.length < RUN_REPEATS ? undefined : repeatedItem(pairs, RUN_REPEATS);
  return pair === undefined
    ? undefined
    : repeats(`argument '${pair}'`, 'an argument', `${RUN_REPEATS} times`);
}

function repeats(what: string, kind: string, times: string): Trap {
  return trapped('trap-repeating-path', `${what} ${times}`, `${kind} ${times}`);
}

/** Paths are at most 25 segments deep here, so trying every run length costs little. */
function repeatedRun(segments: readonly string[]): string | undefined {
  for (let length = 1; length * RUN_REPEATS <= segments.length; length++) {
    let same = 0;
    for (let i = length; i < segments.length; i++) {
      same = segments[i] === segments[i - length] ? same + 1 : 0;
      if (same < length * (RUN_REPEATS - 1)) continue;
      const run = segments.slice(i - length + 1, i + 1);
      // Numbers repeat by chance: /2022/02/02/02, tiles /3/3/3.
      if (!run.every((segment) => /^\d+$/.test(segment))) return run.join('/');
    }
  }
  return undefined;
}

function repeatedItem(items: readonly string[], times: number): string | undefined {
  if (items.length < times) return undefined;
  const counts = new Map<string, number>();
  for (const item of items) {
    const count = (counts.get(item) ?? 0) + 1;
    if (count === times) return item;
    counts.set(item, count);
  }
  return undefined;
}
