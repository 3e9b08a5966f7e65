/**
 * The same order by pure simulation: schedules of science/sharpness on the truth about a site, without loop, frontier, robots.txt
 * or latency. What it predicts for an order should agree with the crawl.
 */
import type { CapturedPage, SiteCapture } from '../../model/site-capture.ts';
import { revisitOrder } from '../../science/policy/revisit-order.ts';
import { sharpPlan } from '../../science/policy/sharp-plan.ts';
import { DEFAULT_SITE_ORDER } from '../../science/policy/site-order.ts';
import { exactPageBlur } from '../../science/sharpness/exact-blur.ts';
import type { SiteToCapture } from '../../science/sharpness/schedule.ts';
import { strategy } from '../../science/sharpness/strategies.ts';
import { type SyntheticWeb, siteToCapture, type WebSite } from './synthetic-web.ts';

export interface SimulatedOrder {
  /** Computed from the changes that did happen. */
  readonly blur: number;
  /** Share of pages that the crawl visited in the same slot as the simulation. */
  readonly sameSlot: number;
}

/** At the crawl's own pace, so that only the order can differ: its slots are as long as the crawl's were on average. */
export function simulateOrder(
  web: SyntheticWeb,
  capture: SiteCapture,
  /** Whether the crawl knew beforehand how large the sites are. */
  knewSize: boolean,
): SimulatedOrder {
  let blur = 0;
  let same = 0;
  for (const site of web.sites) {
    const pages = capture.pages.filter(({ url }) => url.startsWith(`${site.origin}/`));
    const one = simulateSite(site, pages, capture, knewSize);
    blur += one.blur;
    same += one.same;
  }
  return { blur, sameSlot: same / Math.max(1, capture.pages.length) };
}

function simulateSite(
  site: WebSite,
  captured: readonly CapturedPage[],
  { order, revisit }: Pick<SiteCapture, 'order' | 'revisit'>,
  knewSize: boolean,
): { readonly blur: number; readonly same: number } {
  const times = captured.map(({ visit }) => visit.at).sort((a, b) => a - b);
  const [start = 0] = times;
  // With a single page, or no pause, any slot length will do.
  const pace = Math.max(1, ((times.at(-1) ?? start) - start) / Math.max(1, times.length - 1));
  const known = siteToCapture(site, pace);
  const estimatedSize = knewSize ? site.pages.length : 0;
  // A capture that is to be sharp is planned as a whole: see stages/known-pages.ts.
  const isPlanned = knewSize && revisit === 'sharp' && order === DEFAULT_SITE_ORDER;
  // The default order starts with the pages of the last capture.
  const before = knewSize && order === DEFAULT_SITE_ORDER ? site.pages.map(({ index }) => index) : [];
  const { visits } = isPlanned
    ? sharpPlan(known, undefined)
    : strategy(order).schedule({ ...known, estimatedSize, known: before });
  const slotOf = new Map(
    captured.toSorted((a, b) => a.visit.at - b.visit.at).map(({ url }, slot) => [url, slot]),
  );
  const slots = site.pages.map((_, page) => Math.round((visits[page] as number) / known.delay));
  const same = site.pages.filter(({ url, index }) => slotOf.get(url) === slots[index]).length;
  const revisits = revisit === 'none' ? undefined : revisitTimes(known, visits, revisit);
  const end = Math.max(0, (revisit === 'none' ? 1 : 2) * site.pages.length - 1) * known.delay;
  const blur = site.pages.reduce((sum, { changes, index }) => {
    const happened = changes.until(start + end * 1000).map((at) => (at - start) / 1000);
    const twice = [visits[index] as number, ...(revisits ? [revisits[index] as number] : [])];
    return sum + exactPageBlur(happened, twice, [0, end]);
  }, 0);
  return { blur, same };
}

function revisitTimes(
  { rates, delay }: SiteToCapture,
  visits: ArrayLike<number>,
  purpose: Exclude<SiteCapture['revisit'], 'none'>,
): Float64Array {
  const start = visits.length * delay;
  const pages = Array.from(visits, (visit, page) => ({ visit, rate: rates[page] as number }));
  const times = new Float64Array(visits.length);
  revisitOrder(pages, purpose, { start, delay }).order.forEach((page, slot) => {
    times[page] = start + slot * delay;
  });
  return times;
}
