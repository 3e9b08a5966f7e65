/**
 * Crawler traps: endless families of URLs that a site makes up while it is crawled.
 *
 *   trap-growing-url      longer than 2,000 characters or deeper than 25 segments
 *   trap-repeating-path   /a/b/a/b/a/b, or one segment five times: a relative link that feeds itself
 *   trap-session-id       a page already known under another session id
 *   trap-calendar         a date years from now, or more dates of one pattern than a site has news days
 *   trap-query-variants   few argument values recombined over and over (faceted search, sort orders)
 *
 * The last three need memory. `judge` only looks; `observe` remembers a URL that joined the frontier.
 * Observing the same URLs in the same order gives the same detector, which is how a resumed crawl rebuilds
 * it; `observe` is idempotent, and a URL once observed is never judged a trap by the number of variants.
 *
 * Memory is bounded: at most `hashes` 32-bit hashes are kept; then the pattern seen first is forgotten and
 * counts afresh. Two URLs that collide (1 in 4 billion per pair) count as one.
 */
import type { Millis } from '../../model/time.ts';
import { dateInUrl, type UrlDate } from './calendar-date.ts';
import { sessionIdOf } from './normalise.ts';
import {
  growing,
  pathStart,
  repeating,
  TRAP_DEFAULTS,
  type Trap,
  type TrapOptions,
  trapped,
} from './url-traps.ts';

export interface TrapDetector {
  judge(url: string, now: Millis): Trap | undefined;
  observe(url: string): void;
}

/** A parameter counts as an identifier if more than 1 in this many variants brought a new value of it. */
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
      const known = dates.get(shape) ?? new Set();
      dates.set(shape, known);
      remember(known, date.day);
    }
    const query = url.indexOf('?');
    if (query >= 0) observeQuery(url, query);
    if (held > limits.hashes) forgetOldest();
  }

  function observeQuery(url: string, query: number): void {
    const shape = shapeOf(url.slice(0, query));
    const family = queries.get(shape) ?? { variants: new Set(), values: new Map() };
    queries.set(shape, family);
    if (!remember(family.variants, hash(url))) return;
    for (const pair of url.slice(query + 1).split('&')) {
      const name = pair.split('=', 1)[0] ?? '';
      const values = family.values.get(name) ?? new Set();
      family.values.set(name, values);
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
    const { name, without } = session;
    return trapped(
      'trap-session-id',
      `'${name}' apart, ${without} is known`,
      `'${name}' apart, the URL is known`,
    );
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
    return trapped('trap-calendar', `${known.size} dates of ${shape} are known`);
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
    return trapped('trap-query-variants', `${count} variants of ${shape} are known`);
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
  const far = (direction: string, rule: string): Trap =>
    trapped('trap-calendar', `date ${date.text} is ${Math.abs(years).toFixed(1)} years ${direction}`, rule);
  if (years > limits.yearsAhead) return far('ahead', `a date more than ${limits.yearsAhead} years ahead`);
  const yearsBack = date.isMonth ? limits.monthYearsBack : limits.calendarYearsBack;
  if (date.calendar && -years > yearsBack)
    return far('back', `a calendar's ${date.isMonth ? 'month' : 'date'} more than ${yearsBack} years back`);
  return undefined;
}

/** Digits outside the host do not make a new shape: `/item/17/view` and `/item/9/view` are the same. */
function shapeOf(url: string): string {
  const start = pathStart(url);
  return url.slice(0, start) + url.slice(start).replace(/\d+/g, 'N');
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h | 0;
}
