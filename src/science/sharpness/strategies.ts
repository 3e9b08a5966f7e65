/** All schedules by name, behind one function: what the lab, the crawler and the tests choose from. */

import { adaptiveOrganPipe } from './adaptive-organ-pipe.ts';
import { exploreFirst } from './explore-first.ts';
import {
  breadthFirst,
  byRate,
  depthFirst,
  type OnlineStrategy,
  olstonPandey,
  onlineSchedule,
} from './online-order.ts';
import { sharcOffline, sharcRevisits } from './organ-pipe.ts';
import {
  checkSite,
  doubled,
  type RevisitSchedule,
  type Schedule,
  ScheduleInputError,
  type SiteToCapture,
  timesOfOrder,
} from './schedule.ts';
import { sharcOnline } from './sharc-online.ts';
import { sharcThreshold } from './sharc-threshold.ts';
import { type SharpAndClearOptions, sharpAndClear } from './sharp-and-clear.ts';
import { sharpAssignment } from './sharp-assignment.ts';
import { coldest, hottest } from './slot-rule.ts';

export interface StrategyOptions extends SharpAndClearOptions {
  /** τ of SHARC-threshold. */
  readonly threshold?: number | undefined;
}

export interface Strategy<S extends Schedule = Schedule> {
  readonly name: string;
  schedule(site: SiteToCapture, options?: StrategyOptions): S;
}

/** Pages in the order given. */
function identity(site: SiteToCapture): Schedule {
  checkSite(site);
  return {
    visits: timesOfOrder(
      Uint32Array.from({ length: site.rates.length }, (_, i) => i),
      site.delay,
    ),
  };
}

const online = (strategy: OnlineStrategy) => (site: SiteToCapture) => onlineSchedule(strategy, site);

/** Strategies that can decide page by page while the site is being discovered. */
export const ONLINE_STRATEGIES: Readonly<Record<string, OnlineStrategy>> = {
  'breadth-first': breadthFirst,
  'depth-first': depthFirst,
  'hottest-first': byRate(hottest),
  'coldest-first': byRate(coldest),
  'olston-pandey': olstonPandey,
  'sharc-online': byRate(sharcOnline),
  'adaptive-organ-pipe': byRate(adaptiveOrganPipe),
  'explore-first': exploreFirst,
};

/** One visit per page. */
export const SINGLE_VISIT_STRATEGIES: readonly Strategy[] = [
  { name: 'identity', schedule: identity },
  { name: 'sharc-offline', schedule: sharcOffline },
  ...Object.entries(ONLINE_STRATEGIES).map(([name, strategy]) => ({ name, schedule: online(strategy) })),
];

/** A visit and a revisit per page. */
export const REVISIT_STRATEGIES: readonly Strategy<RevisitSchedule>[] = [
  { name: 'sharc-revisits', schedule: sharcRevisits },
  { name: 'sharc-threshold', schedule: (site, options) => sharcThreshold(site, options?.threshold) },
  { name: 'sharp-assignment', schedule: (site) => sharpAssignment(site) },
  { name: 'sharp-and-clear', schedule: sharpAndClear },
  ...SINGLE_VISIT_STRATEGIES.filter(({ name }) => name !== 'sharc-offline').map((strategy) => ({
    name: `${strategy.name}-doubled`,
    schedule: (site: SiteToCapture) => doubled(strategy.schedule(site), site.delay),
  })),
];

export const STRATEGY_NAMES: readonly string[] = [...SINGLE_VISIT_STRATEGIES, ...REVISIT_STRATEGIES].map(
  ({ name }) => name,
);

export function strategy(name: string): Strategy {
  const found = [...SINGLE_VISIT_STRATEGIES, ...REVISIT_STRATEGIES].find((each) => each.name === name);
  if (!found) {
    throw new ScheduleInputError(`no strategy is named '${name}'; there are: ${STRATEGY_NAMES.join(', ')}`);
  }
  return found;
}

export function revisitStrategy(name: string): Strategy<RevisitSchedule> {
  const found = REVISIT_STRATEGIES.find((each) => each.name === name);
  if (!found) throw new ScheduleInputError(`no strategy with revisits is named '${name}'`);
  return found;
}
