/**
 * Crawler traps: endless families of URLs that a site makes up while it is crawled.
 *
 *   trap-growing-url      longer than 2,000 characters or deeper than 25 segments
 *   trap-repeating-path   /a/b/a/b/a/b, or one segment five times: a relative link that feeds itself
 *   trap-session-id       a page already known under another session id
 *   trap-calendar         a date years from now, or more dates of one pattern than a site has news days
 *   trap-query-variants   few argument values recombined over and over (faceted search, sort orders)
 *
 * The last three need to remember. `judge` only looks; `observe` remembers a URL that joined the frontier.
 * Observing the same URLs in the same order gives the same detector, which is how a resumed crawl rebuilds
 * it; observing one twice changes nothing, and a URL once observed is never judged a trap by its number.
 *
 * Memory is bounded: what is kept are 32-bit hashes, `hashes` of them at most; then the pattern seen first
 * is forgotten and counts anew. Two URLs that collide (1 in 4 billion per pair) count as one.
 */
import type { Millis } from '../../model/exchange.ts';
import type { SkipReason } from '../../model/fault.ts';
import { dateInUrl, type UrlDate } from './calendar-date.ts';
import { sessionIdOf } from './normalise.ts';

export interface TrapOptions {
  /** Characters. */
  readonly urlLength: number;
  /** Segments of the path. */
  readonly pathDepth: number;
  /** Variants of one path that recombine few argument values. */
  readonly queryVariants: number;
  /** Variants of one path where some argument is new in most of them (`?id=…`): real pages, up to a point. */
  readonly idVariants: number;
  /** Years ahead of now that a page's date may lie. */
  readonly yearsAhead: number;
  /** Years back that a calendar page's date may lie; news archives are not calendars. */
  readonly calendarYearsBack: number;
  /** Distinct dates of one calendar pattern. 3,000: eight years of days. */
  readonly calendarDates: number;
  /** Distinct dates of one pattern that does not look like a calendar. 20,000: 55 years of days. */
  readonly archiveDates: number;
  /** Hashes kept over all patterns: about 40 bytes each. */
  readonly hashes: number;
}

export const TRAP_DEFAULTS: TrapOptions = {
  urlLength: 2_000,
  pathDepth: 25,
  queryVariants: 1_000,
  idVariants: 50_000,
  yearsAhead: 2,
  calendarYearsBack: 20,
  calendarDates: 3_000,
  archiveDates: 20_000,
  hashes: 500_000,
};

export interface Trap {
  readonly trap: SkipReason;
  readonly detail: string;
  /** What the detail says, without this URL: one for each family of URLs. */
  readonly rule: string;
}

export interface TrapDetector {
  judge(url: string, now: Millis): Trap | undefined;
  observe(url: string): void;
}

/** A parameter counts as an identifier when more than 1 in this many variants brought a new value of it. */
const RECOMBINATION = 8;
const MS_PER_YEAR = 365.25 * 86_400_000;
const MS_PER_DAY = 86_400_000;

interface QueryFamily {
  readonly variants: Set<number>;
  /** Hash of `name=value`, per name. */
  readonly values: Map<string, Set<number>>;
}

export function createTrapDetector(options: Partial<TrapOptions> = {}): TrapDetector {
  const limits = { ...TRAP_DEFAULTS, ...options };
  const queries = new Map<string, QueryFamily>();
  const dates = new Map<string, Set<number>>();
  /** Hash of the URL without session id => hash of the URL that was observed. */
  const sessions = new Map<number, number>();
  let held = 0;

  function remember(set: Set<number>, value: number): boolean {
    if (set.has(value)) return false;
    set.add(value);
    held++;
    return true;
  }

  function forgetOldest(): void {
    while (held > limits.hashes) {
      const query = queries.keys().next();
      const date = dates.keys().next();
      const session = sessions.keys().next();
      if (!session.done && sessions.size * 2 > held) {
        sessions.delete(session.value);
        held--;
      } else if (!query.done && (date.done || queries.size >= dates.size)) {
        held -= familySize(queries.get(query.value));
        queries.delete(query.value);
      } else if (!date.done) {
        held -= dates.get(date.value)?.size ?? 0;
        dates.delete(date.value);
      } else return;
    }
  }

  function observe(url: string): void {
    const session = sessionIdOf(url);
    if (session) {
      const key = hash(session.without);
      if (!sessions.has(key)) {
        sessions.set(key, hash(url));
        held++;
      }
    }
    const date = dateInUrl(url);
    if (date) {
      const shape = shapeOf(date.rest);
      let known = dates.get(shape);
      if (!known) {
        known = new Set();
        dates.set(shape, known);
      }
      remember(known, date.day);
    }
    const query = url.indexOf('?');
    if (query >= 0) observeQuery(url, query);
    if (held > limits.hashes) forgetOldest();
  }

  function observeQuery(url: string, query: number): void {
    const shape = shapeOf(url.slice(0, query));
    let family = queries.get(shape);
    if (!family) {
      family = { variants: new Set(), values: new Map() };
      queries.set(shape, family);
    }
    if (!remember(family.variants, hash(url))) return;
    for (const pair of url.slice(query + 1).split('&')) {
      const name = pair.split('=', 1)[0] ?? '';
      let values = family.values.get(name);
      if (!values) {
        values = new Set();
        family.values.set(name, values);
      }
      remember(values, hash(pair));
    }
  }

  function judge(url: string, now: Millis): Trap | undefined {
    return (
      growing(url, limits) ?? repeating(url) ?? sessionTrap(url) ?? calendarTrap(url, now) ?? queryTrap(url)
    );
  }

  function sessionTrap(url: string): Trap | undefined {
    const session = sessionIdOf(url);
    if (!session) return undefined;
    const known = sessions.get(hash(session.without));
    if (known === undefined || known === hash(url)) return undefined;
    return {
      trap: 'trap-session-id',
      detail: `'${session.name}' apart, ${session.without} is known`,
      rule: `'${session.name}' apart, the URL is known`,
    };
  }

  function calendarTrap(url: string, now: Millis): Trap | undefined {
    const date = dateInUrl(url);
    if (!date) return undefined;
    const far = farDate(date, now, limits);
    if (far) return far;
    const shape = shapeOf(date.rest);
    const known = dates.get(shape);
    const limit = date.calendar ? limits.calendarDates : limits.archiveDates;
    if (!known || known.size < limit || known.has(date.day)) return undefined;
    const detail = `${known.size} dates of ${shape} are known`;
    return { trap: 'trap-calendar', detail, rule: detail };
  }

  function queryTrap(url: string): Trap | undefined {
    const query = url.indexOf('?');
    if (query < 0) return undefined;
    const shape = shapeOf(url.slice(0, query));
    const family = queries.get(shape);
    if (!family) return undefined;
    const count = family.variants.size;
    if (count < limits.queryVariants || family.variants.has(hash(url))) return undefined;
    if (count < limits.idVariants && mostValues(family) * RECOMBINATION > count) return undefined;
    const detail = `${count} variants of ${shape} are known`;
    return { trap: 'trap-query-variants', detail, rule: detail };
  }

  return { judge, observe };
}

function familySize(family: QueryFamily | undefined): number {
  if (!family) return 0;
  let size = family.variants.size;
  for (const values of family.values.values()) size += values.size;
  return size;
}

function mostValues(family: QueryFamily): number {
  let most = 0;
  for (const values of family.values.values()) most = Math.max(most, values.size);
  return most;
}

function farDate(date: UrlDate, now: Millis, limits: TrapOptions): Trap | undefined {
  const years = (date.day * MS_PER_DAY - now) / MS_PER_YEAR;
  if (years > limits.yearsAhead) {
    return {
      trap: 'trap-calendar',
      detail: `date ${date.text} is ${years.toFixed(1)} years ahead`,
      rule: `a date more than ${limits.yearsAhead} years ahead`,
    };
  }
  if (date.calendar && -years > limits.calendarYearsBack) {
    return {
      trap: 'trap-calendar',
      detail: `date ${date.text} is ${(-years).toFixed(1)} years back`,
      rule: `a calendar's date more than ${limits.calendarYearsBack} years back`,
    };
  }
  return undefined;
}

function pathStart(url: string): number {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  return slash < 0 ? url.length : slash;
}

function growing(url: string, limits: TrapOptions): Trap | undefined {
  if (url.length > limits.urlLength) {
    return {
      trap: 'trap-growing-url',
      detail: `${url.length} characters, more than ${limits.urlLength}`,
      rule: `more than ${limits.urlLength} characters`,
    };
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
  return {
    trap: 'trap-growing-url',
    detail: `path of ${depth} segments, more than ${limits.pathDepth}`,
    rule: `path of more than ${limits.pathDepth} segments`,
  };
}

/** Times in a row that a run of segments may stand: two happen (`/de/de/`), three do not. */
const RUN_REPEATS = 3;
/** Times that one segment may stand anywhere in a path. */
const SEGMENT_REPEATS = 5;

function repeating(url: string): Trap | undefined {
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
  return { trap: 'trap-repeating-path', detail: `${what} ${times}`, rule: `${kind} ${times}` };
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

/** Digits make no new shape: `/item/17/view` and `/item/9/view` are one. */
function shapeOf(url: string): string {
  return url.replace(/\d+/g, 'N');
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h | 0;
}
