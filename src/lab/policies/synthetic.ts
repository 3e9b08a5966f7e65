/**
 * About a thousand pages, as the paper simulates them (§10.1): each is given a pattern, and changes are drawn from it.
 *
 * `syntheticHistories` after the paper's description of France Télévisions (§7): sites active by day, overseas sites hours
 * behind, sport in the evening and at weekends, programmes renewed before dawn, deep pages that hardly change. The paper's
 * own patterns are not published; families, rates and importances are ours, drawn from a seed.
 *
 * `syntheticFromPatterns` from patterns that were discovered on real pages, as the paper did; each is drawn several times.
 */
import type { ChangePattern } from '../../science/patterns/change-pattern.ts';
import type { Gap } from '../../science/patterns/observations.ts';
import type { PageVersion } from '../../science/quality/completeness.ts';
import { type Random, stream } from '../newspaper/random.ts';
import type { Histories, SimulatedPage } from './histories.ts';

export interface SyntheticHistoryOptions {
  readonly seed: number;
  readonly pages?: number;
  /** Days. */
  readonly train?: number;
  readonly test?: number;
}

interface Family {
  readonly name: string;
  /** Share of the pages. */
  readonly share: number;
  /** Mean changes per day. */
  readonly perDay: number;
  /** Mean importance of a change. */
  readonly importance: number;
  /** Relative activity by hour and day of the week (0 is Sunday). */
  readonly activity: (hour: number, weekday: number) => number;
}

const bump = (hour: number, centre: number, width: number): number => {
  const apart = Math.min(Math.abs(hour - centre), 24 - Math.abs(hour - centre));
  return Math.exp(-((apart / width) ** 2));
};
const weekend = (day: number): boolean => day === 0 || day === 6;
const office = (hour: number, day: number): number =>
  0.05 + (weekend(day) ? 0.4 : 1) * (bump(hour, 8, 2) + bump(hour, 12, 2.5) + bump(hour, 18, 2.5));

const FAMILIES: readonly Family[] = [
  { name: 'news', share: 0.2, perDay: 16, importance: 0.35, activity: office },
  {
    name: 'overseas',
    share: 0.12,
    perDay: 10,
    importance: 0.3,
    activity: (h, d) => office((h + 18) % 24, d),
  },
  {
    name: 'indian-ocean',
    share: 0.08,
    perDay: 10,
    importance: 0.3,
    activity: (h, d) => office((h + 3) % 24, d),
  },
  {
    name: 'sport',
    share: 0.12,
    perDay: 8,
    importance: 0.4,
    activity: (h, d) => 0.05 + (weekend(d) ? 2 : 1) * (bump(h, 21, 2) + (weekend(d) ? bump(h, 16, 2) : 0)),
  },
  { name: 'programme', share: 0.15, perDay: 2, importance: 0.6, activity: (h) => 0.01 + bump(h, 5, 1) },
  {
    name: 'culture',
    share: 0.13,
    perDay: 3,
    importance: 0.2,
    activity: (h, d) => (weekend(d) ? 0.1 : 1) * bump(h, 14, 3) + 0.02,
  },
  { name: 'forum', share: 0.08, perDay: 20, importance: 0.05, activity: (h) => 0.2 + bump(h, 22, 4) },
  { name: 'documentary', share: 0.12, perDay: 0.3, importance: 0.5, activity: () => 1 },
];

const DAY = 86_400;
/** A Monday, 00:00 UTC. */
const BEGIN = 1_325_462_400;

export const syntheticHistories = (options: SyntheticHistoryOptions): Histories =>
  gather(options, (index, start, end) => syntheticPage(options.seed, index, start, end));

/** @param zone the zone in which the patterns were learned */
export const syntheticFromPatterns = (
  patterns: readonly ChangePattern[],
  options: SyntheticHistoryOptions & { readonly zone: string },
): Histories => ({
  ...gather(options, (index, start, end) => patternedPage(patterns, options.seed, index, start, end)),
  zone: options.zone,
});

function gather(
  { pages = 1000, train = 21, test = 14 }: SyntheticHistoryOptions,
  make: (index: number, start: number, end: number) => SimulatedPage,
): Histories {
  const start = BEGIN + train * DAY;
  const end = start + test * DAY;
  const list: SimulatedPage[] = [];
  let leftOut = 0;
  for (let index = 0; index < pages; index++) {
    const page = make(index, start, end);
    if (page.versions.some(({ importance }) => importance > 0)) list.push(page);
    else leftOut++;
  }
  return { start, end, zone: 'UTC', pages: list, leftOut };
}

function patternedPage(
  patterns: readonly ChangePattern[],
  seed: number,
  index: number,
  start: number,
  end: number,
): SimulatedPage {
  const random = stream(seed, 'patterned', index);
  const which = random.int(patterns.length);
  const { plan, rate, importance } = patterns[which] as ChangePattern;
  const changes: PageVersion[] = [];
  for (let time = BEGIN; time < end; time += 3600) {
    const slot = plan.slotOf(time);
    drawHour(random, time, rate[slot] as number, importance[slot] as number, changes);
  }
  const depth = 1 + random.int(4);
  return finished(`pattern-${which}/${index}`, depth, random, changes, start);
}

/** Changes in one hour: exponential importances, capped at 1. */
function drawHour(
  random: Random,
  from: number,
  rate: number,
  importance: number,
  changes: PageVersion[],
): void {
  const count = random.poisson(Math.min(20, rate));
  for (let k = 0; k < count; k++) {
    const weight = Math.min(1, importance * random.delay(1));
    changes.push({ time: from + random.next() * 3600, importance: weight });
  }
}

function finished(
  name: string,
  depth: number,
  random: Random,
  changes: PageVersion[],
  start: number,
): SimulatedPage {
  changes.sort((a, b) => a.time - b.time);
  return {
    name,
    // Page importance falls with depth, as PageRank does.
    weight: Math.min(1, (0.3 + 0.7 * random.next()) / depth),
    training: hourlyGaps(changes, BEGIN, start),
    versions: changes.filter(({ time }) => time >= start),
  };
}

function syntheticPage(seed: number, index: number, start: number, end: number): SimulatedPage {
  const random = stream(seed, 'page', index);
  const family = pickFamily(random.next());
  const depth = 1 + random.int(4);
  // Pages of one family differ by a factor of about two, deeper ones are slower; their hours are shifted a little.
  const perDay = family.perDay * Math.exp(0.7 * normal(random)) * 0.8 ** (depth - 1);
  const mean = Math.min(0.9, family.importance * Math.exp(0.4 * normal(random)));
  const shift = Math.round(normal(random));
  const hours = (end - BEGIN) / 3600;
  let activity = 0;
  for (let hour = 0; hour < 168; hour++) activity += family.activity(hour % 24, Math.floor(hour / 24));
  const changes: PageVersion[] = [];
  for (let hour = 0; hour < hours; hour++) {
    const local = (hour + shift + 24) % 24;
    const level = family.activity(local, (Math.floor(hour / 24) + 1) % 7);
    // Changes in busy hours matter more: an edition, not a correction.
    const accent = 0.6 + (0.8 * level) / (level + 0.6);
    drawHour(random, BEGIN + hour * 3600, (perDay * 7 * level) / activity, mean * accent, changes);
  }
  return finished(`${family.name}/${depth}/${index}`, depth, random, changes, start);
}

function pickFamily(at: number): Family {
  let sum = 0;
  for (const family of FAMILIES) {
    sum += family.share;
    if (at < sum) return family;
  }
  return FAMILIES[FAMILIES.length - 1] as Family;
}

/** Sum of twelve uniform numbers: close enough to a normal distribution for a spread. */
function normal(random: Random): number {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += random.next();
  return sum;
}

function hourlyGaps(changes: readonly PageVersion[], from: number, to: number): Gap[] {
  const gaps: Gap[] = [];
  let next = 0;
  for (let time = from; time < to; time += 3600) {
    let stays = 1;
    let changed = false;
    while (next < changes.length && (changes[next] as PageVersion).time <= time + 3600) {
      stays *= 1 - (changes[next++] as PageVersion).importance;
      changed = true;
    }
    gaps.push({ from: time, to: time + 3600, changed, importance: 1 - stays });
  }
  return gaps;
}
