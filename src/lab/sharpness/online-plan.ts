/** `lab sharc-online`: the download order for a site that is discovered by its links along the way. */
import { expectedBlur } from '../../science/sharpness/blur.ts';
import { crawlOrder, type OnlineStrategy } from '../../science/sharpness/online-order.ts';
import { sharcOffline } from '../../science/sharpness/organ-pipe.ts';
import { ScheduleInputError, type SiteToCapture, timesOfOrder } from '../../science/sharpness/schedule.ts';
import { ONLINE_STRATEGIES } from '../../science/sharpness/strategies.ts';

export interface OnlinePlan {
  readonly strategy: string;
  /** The size that the strategy assumed. */
  readonly size: number;
  /** Pages by index, first download first; pages that no link leads to come last. */
  readonly order: readonly number[];
  readonly blur: number;
  /** Blur of SHARC-offline, which knows all pages beforehand: the minimum. */
  readonly offlineBlur: number;
}

export function onlinePlan(site: SiteToCapture, name = 'sharc-online'): OnlinePlan {
  const strategy: OnlineStrategy | undefined = ONLINE_STRATEGIES[name];
  if (!strategy) throw new ScheduleInputError(`'${name}' does not decide page by page`);
  const order = crawlOrder(strategy, site);
  return {
    strategy: name,
    size: site.estimatedSize ?? site.rates.length,
    order,
    blur: expectedBlur(site, { visits: timesOfOrder(order, site.delay) }),
    offlineBlur: expectedBlur(site, sharcOffline(site)),
  };
}
