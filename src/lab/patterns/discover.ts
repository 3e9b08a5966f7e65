/**
 * What `lab patterns` reports: series, patterns, thresholds and groups of pages, computed by the functions that the
 * archive calls.
 */
import { confidence, meanImportance, meanRate } from '../../science/patterns/change-pattern.ts';
import { chooseKind } from '../../science/patterns/choose-kind.ts';
import { groupPages } from '../../science/patterns/groups.ts';
import { fitLearner } from '../../science/patterns/learn.ts';
import { paperPattern, timeSeries } from '../../science/patterns/series.ts';
import {
  type HolidayTest,
  kindsFor,
  type PatternKind,
  type SlotPlan,
  slotPlan,
} from '../../science/patterns/slots.ts';
import { indexThreshold } from '../../science/patterns/thresholds.ts';
import { memberOf } from '../policies/knowledge.ts';
import { type IndexingRow, indexingTrade, learnedBefore } from './indexing.ts';
import { type GapsOfPage, watchedTime } from './watched-pages.ts';

export interface LearnedPattern {
  /** Chosen by held-out likelihood. */
  readonly kind: PatternKind;
  /** Expected changes per hour and mean importance of a change, by slot of that kind. */
  readonly rate: readonly number[];
  readonly importance: readonly number[];
  readonly changesPerDay: number;
  readonly meanImportance: number;
  /** In [0, 1): how far it rests on the page's own changes. */
  readonly confidence: number;
}

export interface PatternsReport {
  readonly periods: number;
  readonly timezone: string;
  readonly pages: number;
  /** Local days with a series, for the page that has most. */
  readonly days: number;
  /** ω_1 … ω_N of each page (Def. 5). */
  readonly patterns: Readonly<Record<string, readonly number[]>>;
  /** δ of each page. */
  readonly thresholds: Readonly<Record<string, number>>;
  readonly groups: readonly { readonly pages: readonly string[]; readonly shape: readonly number[] }[];
  readonly learned: Readonly<Record<string, LearnedPattern>>;
  /** Empty if nothing appeared in the second half of the time. */
  readonly indexing: readonly IndexingRow[];
}

export interface DiscoverOptions {
  readonly periods?: number;
  readonly timezone?: string;
  /** Holidays of the pages' country; without it the kind `holiday` is not tried. */
  readonly isHoliday?: HolidayTest;
}

export function discoverPatterns(
  pages: readonly GapsOfPage[],
  options: DiscoverOptions = {},
): PatternsReport {
  const { periods = 24, timezone = 'UTC', isHoliday } = options;
  const slots = { zone: timezone, periods, ...(isHoliday && { isHoliday }) };
  const kinds = kindsFor(isHoliday);
  const plan = slotPlan('daily', slots);
  const series = pages.map(({ gaps }) => timeSeries(gaps, plan));
  const patterns = series.map((list) => Array.from(paperPattern(list, plan.slots).importance));
  const named = <T>(value: (page: GapsOfPage, index: number) => T): Record<string, T> =>
    Object.fromEntries(pages.map((page, index) => [page.name, value(page, index)]));
  return {
    periods,
    timezone,
    pages: pages.length,
    days: series.reduce((most, { length }) => Math.max(most, length), 0),
    patterns: named((_, index) => patterns[index] as number[]),
    thresholds: named((_, index) => indexThreshold(patterns[index] as number[])),
    groups: groupsOf(pages, plan),
    learned: named(({ gaps }) => {
      const { kind, pattern } = chooseKind(gaps, slots, {}, kinds);
      return {
        kind,
        rate: Array.from(pattern.rate),
        importance: Array.from(pattern.importance),
        changesPerDay: 24 * meanRate(pattern),
        meanImportance: meanImportance(pattern),
        confidence: confidence(pattern),
      };
    }),
    indexing: indexingOf(pages, plan),
  };
}

/** Largest group first. */
function groupsOf(pages: readonly GapsOfPage[], plan: SlotPlan): PatternsReport['groups'] {
  const { of, shapes } = groupPages(
    pages.map(({ name, gaps }) => memberOf(name, fitLearner(gaps, plan))),
    plan,
  );
  return shapes
    .map((shape, group) => ({
      pages: pages.filter((_, index) => of[index] === group).map(({ name }) => name),
      shape: Array.from(shape),
    }))
    .filter((group) => group.pages.length > 0)
    .sort((a, b) => b.pages.length - a.pages.length);
}

function indexingOf(pages: readonly GapsOfPage[], plan: SlotPlan): readonly IndexingRow[] {
  const { from, to } = watchedTime(pages);
  const split = learnedBefore(pages, (from + to) / 2, plan);
  return split.some(({ versions }) => versions.length > 0) ? indexingTrade(split) : [];
}
