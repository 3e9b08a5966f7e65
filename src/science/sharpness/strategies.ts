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
  /** What it must know beforehand. */
  readonly needs: string;
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

/** Strategies that can decide page by page while the site is discovered. */
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

const ONLINE_NEEDS: Readonly<Record<string, string>> = {
  'breadth-first': 'entry pages',
  'depth-first': 'entry pages',
  'hottest-first': 'entry pages, rates on detection',
  'coldest-first': 'entry pages, rates on detection',
  'olston-pandey': 'entry pages, histories on detection',
  'sharc-online': 'entry pages, rates on detection, the size of the site',
  'adaptive-organ-pipe': 'entry pages, rates on detection, a guess of the size',
  'explore-first': 'entry pages, rates and directories on detection',
};

/** One visit per page. */
export const SINGLE_VISIT_STRATEGIES: readonly Strategy[] = [
  { name: 'identity', needs: 'all pages', schedule: identity },
  { name: 'sharc-offline', needs: 'all pages and rates', schedule: sharcOffline },
  ...Object.entries(ONLINE_STRATEGIES).map(([name, strategy]) => ({
    name,
    needs: ONLINE_NEEDS[name] ?? '',
    schedule: online(strategy),
  })),
];

/** A visit and a revisit per page. */
export const REVISIT_STRATEGIES: readonly Strategy<RevisitSchedule>[] = [
  { name: 'sharc-revisits', needs: 'all pages and rates', schedule: sharcRevisits },
  {
    name: 'sharc-threshold',
    needs: 'all pages and rates',
    schedule: (site, options) => sharcThreshold(site, options?.threshold),
  },
  { name: 'sharp-assignment', needs: 'all pages and rates', schedule: (site) => sharpAssignment(site) },
  { name: 'sharp-and-clear', needs: 'all pages and rates', schedule: sharpAndClear },
  ...SINGLE_VISIT_STRATEGIES.filter(({ name }) => name !== 'sharc-offline').map((strategy) => ({
    name: `${strategy.name}-doubled`,
    needs: strategy.needs,
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
