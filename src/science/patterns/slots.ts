/**
 * The slots of a pattern: which part of the period a moment belongs to, in the site's own time.
 *
 *   kind              classes × periods of          for pages that
 *   daily             1 × N of a day                change every day alike
 *   workday-weekend   2 × N of a day                rest at the weekend
 *   holiday           3 × N of a day                and on holidays (the test for a holiday is an argument)
 *   day-of-week       7 × N of a day                have a day of their own
 *   weekly            1 × 7 days                    change a few times a week
 *   monthly           1 × 31 days                   change a few times a month
 *
 * N is 24 by default (hours), any whole number otherwise: the paper's Fig. 11 goes from 2 to 120.
 */
import { type HolidayTest, PATTERN_KINDS, type PatternKind } from '../../model/pattern.ts';
import type { Seconds } from '../../model/time.ts';
import { utc, type ZoneOffset, zoneOffset } from './zone.ts';

export { type HolidayTest, PATTERN_KINDS, type PatternKind } from '../../model/pattern.ts';

/** Kinds to choose from. Without a list of holidays, `holiday` would repeat the kind before it. */
export const kindsFor = (isHoliday: HolidayTest | undefined): readonly PatternKind[] =>
  isHoliday ? PATTERN_KINDS : PATTERN_KINDS.filter((kind) => kind !== 'holiday');

export interface SlotPlan {
  readonly kind: PatternKind;
  /** N_T: periods of one class. */
  readonly periods: number;
  readonly classes: number;
  /** classes × periods. */
  readonly slots: number;
  /** Length of one period. */
  readonly period: Seconds;
  slotOf(time: Seconds): number;
  /** A later moment up to which slot and offset stay the same: at most half an hour ahead. */
  edgeAfter(time: Seconds): Seconds;
  /** Local day of a moment, as days since 1970-01-01 in the zone: one time series per day (Def. 6). */
  dayOf(time: Seconds): number;
  /** The previous and the next slot in time of day: the neighbours used for smoothing. */
  neighbours(slot: number): readonly [number, number];
  /** Share of all time that each slot takes, ignoring holidays. They sum to 1. */
  readonly share: Float64Array;
}

export interface SlotOptions {
  /** IANA name; UTC by default. */
  readonly zone?: string;
  readonly periods?: number;
  readonly isHoliday?: HolidayTest;
}

const DAY = 86_400;
/** Zones have long switched on half hours of UTC alone (zone.ts searches finer, for the history): no piece between two of them spans a switch. */
const HALF_HOUR = 1800;

const CLASSES: Record<PatternKind, number> = {
  daily: 1,
  'workday-weekend': 2,
  holiday: 3,
  'day-of-week': 7,
  weekly: 1,
  monthly: 1,
};

/** How many of the seven days of the week fall into each class. */
const CLASS_DAYS: Record<PatternKind, readonly number[]> = {
  daily: [7],
  'workday-weekend': [5, 2],
  holiday: [5, 2, 0],
  'day-of-week': [1, 1, 1, 1, 1, 1, 1],
  weekly: [7],
  monthly: [7],
};

/** Memoized: every page asks for its plan, and pages of one zone and calendar share it. */
const NO_HOLIDAYS: HolidayTest = () => false;
const PLANS = new WeakMap<HolidayTest, Map<string, SlotPlan>>();

export function slotPlan(kind: PatternKind, options: SlotOptions = {}): SlotPlan {
  const { isHoliday = NO_HOLIDAYS } = options;
  const plans = PLANS.get(isHoliday) ?? new Map<string, SlotPlan>();
  PLANS.set(isHoliday, plans);
  const key = `${kind} ${options.periods} ${options.zone}`;
  const plan = plans.get(key) ?? newPlan(kind, options);
  plans.set(key, plan);
  return plan;
}

function newPlan(kind: PatternKind, options: SlotOptions): SlotPlan {
  const offset: ZoneOffset = options.zone === undefined ? utc : zoneOffset(options.zone);
  const long = kind === 'weekly' ? 7 : kind === 'monthly' ? 31 : undefined;
  const periods = long ?? options.periods ?? 24;
  if (!(Number.isInteger(periods) && periods >= 1 && periods <= 1440)) {
    throw new RangeError(`a pattern has 1 to 1440 periods, not ${periods}`);
  }
  const period = long === undefined ? DAY / periods : DAY;
  const classes = CLASSES[kind];
  const { isHoliday = NO_HOLIDAYS } = options;
  const dayOf = (time: Seconds): number => Math.floor((time + offset(time)) / DAY);
  const classOf = (day: number): number => {
    if (kind === 'day-of-week') return weekday(day);
    if (kind === 'holiday' && isHoliday(isoDate(day))) return 2;
    return isWeekend(day) ? 1 : 0;
  };
  const slotOf = (time: Seconds): number => {
    const local = time + offset(time);
    const day = Math.floor(local / DAY);
    if (kind === 'weekly') return weekday(day);
    if (kind === 'monthly') return new Date(day * DAY * 1000).getUTCDate() - 1;
    const within = Math.min(periods - 1, Math.floor((local - day * DAY) / period + 1e-9));
    return classes === 1 ? within : classOf(day) * periods + within;
  };
  return {
    kind,
    periods,
    classes,
    slots: classes * periods,
    period,
    slotOf,
    edgeAfter: (time) => {
      const local = time + offset(time);
      const within = local - Math.floor(local / DAY) * DAY;
      const edge = time + (Math.floor(within / period + 1e-9) + 1) * period - within;
      return Math.min(edge, (Math.floor(time / HALF_HOUR) + 1) * HALF_HOUR);
    },
    dayOf,
    neighbours: (slot) => {
      const base = slot - (slot % periods);
      const place = slot - base;
      return [base + ((place + periods - 1) % periods), base + ((place + 1) % periods)];
    },
    share: shares(kind, periods),
  };
}

function shares(kind: PatternKind, periods: number): Float64Array {
  if (kind === 'monthly') {
    // Days 29, 30 and 31 come in 11.25, 11 and 7 of 12 months.
    const months = (day: number) => (day < 28 ? 12 : day === 28 ? 11.25 : day === 29 ? 11 : 7);
    return Float64Array.from({ length: 31 }, (_, day) => months(day) / 365.25);
  }
  const days = CLASS_DAYS[kind];
  return Float64Array.from(
    { length: days.length * periods },
    (_, slot) => (days[Math.floor(slot / periods)] as number) / 7 / periods,
  );
}

/** Calls back, in order of time, with each slot that (from, to] touches and the hours spent in it. */
export function spread(
  plan: SlotPlan,
  from: Seconds,
  to: Seconds,
  use: (slot: number, hours: number) => void,
): void {
  for (let time = from; time < to; ) {
    const end = Math.min(to, plan.edgeAfter(time));
    use(plan.slotOf(time), (end - time) / 3600);
    time = end;
  }
}

/** 0 is Sunday: 1970-01-01 was a Thursday. */
export const weekday = (day: number): number => (((day + 4) % 7) + 7) % 7;

export const isWeekend = (day: number): boolean => weekday(day) === 0 || weekday(day) === 6;

export const isoDate = (day: number): string => new Date(day * DAY * 1000).toISOString().slice(0, 10);
