/**
 * What a policy knows at the start of a run, and how it keeps learning.
 *
 *   learned   patterns fitted to the training: each page shrunk to its group's shape, kind chosen by held-out data
 *   cold      nothing: flat shapes and one rate for all; shapes are learned from the policy's own visits, and
 *             shared by groups that are regrouped every day
 */
import { meanImportance, meanRate } from '../../science/patterns/change-pattern.ts';
import { chooseKind } from '../../science/patterns/choose-kind.ts';
import { type GroupMember, groupPages } from '../../science/patterns/groups.ts';
import {
  fitLearner,
  learn,
  newLearner,
  type PatternLearner,
  patternOf,
} from '../../science/patterns/learn.ts';
import type { Gap } from '../../science/patterns/observations.ts';
import { type PatternKind, type SlotPlan, slotPlan } from '../../science/patterns/slots.ts';
import { flatRow, patternTable, rowOf, setRow } from '../../science/policy/refresh/pattern-table.ts';
import { newState, type PageKnowledge, type RefreshState } from '../../science/policy/refresh/state.ts';
import type { Objective } from '../../science/quality/completeness.ts';
import type { Histories, SimulatedPage } from './histories.ts';
import type { SimulateOptions } from './simulate.ts';

export interface Knowledge {
  /** A new state each time: runs do not share what they learn. */
  begin(run: PolicyRun): { readonly state: RefreshState } & Pick<SimulateOptions, 'onVisit' | 'onPeriod'>;
}

/** What a policy is told about its run. */
export interface PolicyRun extends Pick<SimulateOptions, 'budget' | 'period'> {
  readonly objective?: Objective;
}

export interface KnowledgeOptions {
  readonly periods?: number;
  /** Kinds to choose from; a single one is used as it is. */
  readonly kinds?: readonly PatternKind[];
}

const DEFAULT_KINDS: readonly PatternKind[] = ['daily', 'workday-weekend'];

/** The site of a page is its name up to the first slash; its depth is the number of slashes. */
export function memberOf(name: string, learner: PatternLearner): GroupMember {
  const parts = name.split('/');
  return { site: parts[0] ?? '', template: '', depth: parts.length - 1, learner };
}

/** What is learnt about a page from its training, under the shape that its group shares. */
export interface TrainedPage {
  readonly learner: PatternLearner;
  readonly shape?: Float64Array;
}

/** Each page shrunk to its group's shape, kind chosen by held-out data. */
export function trainedPages(histories: Histories, options: KnowledgeOptions = {}): TrainedPage[] {
  const slots = { zone: histories.zone, periods: options.periods ?? 24 };
  const kinds = options.kinds ?? DEFAULT_KINDS;
  const plans = kinds.map((kind) => slotPlan(kind, slots));
  const widest = plans[plans.length - 1] as SlotPlan;
  const first = histories.pages.map((page) => fitLearner(page.training, widest));
  const groups = groupPages(
    histories.pages.map(({ name }, index) => memberOf(name, first[index] as PatternLearner)),
    widest,
  );
  return histories.pages.map((page, index) => {
    const { kind } = chooseKind(page.training, slots, {}, kinds);
    const plan = plans[kinds.indexOf(kind)] as SlotPlan;
    const shared =
      plan === widest ? { shape: groups.shapes[groups.of[index] as number] as Float64Array } : {};
    return { learner: fitLearner(page.training, plan, shared), ...shared };
  });
}

export function learnedKnowledge(histories: Histories, options: KnowledgeOptions = {}): Knowledge {
  const rows = trainedPages(histories, options).map(({ learner }) => patternOf(learner));
  const known: PageKnowledge[] = rows.map((pattern, index) => {
    const { training, weight } = histories.pages[index] as SimulatedPage;
    return {
      weight,
      row: index,
      rate: meanRate(pattern),
      importance: meanImportance(pattern),
      evidence: pattern.evidence,
      ...pastVisits(training),
    };
  });
  const table = rows.map(rowOf);
  return {
    begin: (run) => ({
      state: newState(known, { ...window(histories, run), table: patternTable(table) }),
    }),
  };
}

function window(
  { start, end, pages }: Histories,
  { objective = 'per-page', budget, period = 3600 }: PolicyRun,
) {
  const round = period / 3600;
  return {
    objective,
    now: start,
    horizon: (end - start) / 3600,
    round,
    pace: (budget * pages.length) / round,
  };
}

/** What Cho's estimator needs from the training. */
function pastVisits(training: readonly Gap[]): PageKnowledge {
  let watched = 0;
  let unchanged = 0;
  for (const gap of training) {
    watched += (gap.to - gap.from) / 3600;
    if (!gap.changed) unchanged++;
  }
  return { visits: training.length, unchanged, watched };
}

export function coldKnowledge(histories: Histories, options: KnowledgeOptions = {}): Knowledge {
  const slots = { zone: histories.zone, periods: options.periods ?? 24 };
  const plan = slotPlan('daily', slots);
  return {
    begin: (run) => {
      const known = histories.pages.map(({ weight }, row) => ({ weight, row }));
      const table = patternTable(known.map(() => flatRow(plan)));
      const state = newState(known, { ...window(histories, run), table });
      const learners = histories.pages.map(() => newLearner(plan));
      let nextDay = histories.start + 86_400;
      return {
        state,
        onVisit: ({ page, ...gap }) => {
          if (gap.to > gap.from) learn(learners[page] as PatternLearner, gap);
        },
        onPeriod: (now) => {
          if (now < nextDay) return;
          nextDay += 86_400;
          shareShapes(histories, learners, plan, state);
        },
      };
    },
  };
}

/** Regroups the pages; each page's row becomes its group's shape combined with its own sums. */
function shareShapes(
  histories: Histories,
  learners: PatternLearner[],
  plan: SlotPlan,
  state: RefreshState,
): void {
  const members = histories.pages.map(({ name }, index) => memberOf(name, learners[index] as PatternLearner));
  const groups = groupPages(members, plan);
  learners.forEach((learner, index) => {
    const shape = groups.shapes[groups.of[index] as number] as Float64Array;
    const renewed = { ...learner, options: { ...learner.options, shape } };
    learners[index] = renewed;
    setRow(state.table, index, rowOf(patternOf(renewed)));
  });
}
