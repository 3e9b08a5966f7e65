import type { WatchSettings } from '../../loop/watch/watch.ts';
import { kindsFor } from '../../science/patterns/slots.ts';
import type { openEquipment } from '../crawl/equipment.ts';
import { UserError } from '../user-error.ts';
import { isOpenAt, type LiveSite } from './live-site.ts';
import type { WatchConfig } from './watch-settings.ts';

const HOUR = 3_600_000;

/** Settings of the browser and connections that all sites share. */
export function sharedSpec(sites: readonly LiveSite[]): Parameters<typeof openEquipment>[1]['spec'] {
  const specs = sites.map(({ settings }) => settings.spec);
  const [first] = specs;
  if (!first) throw new UserError('at least one site is to be watched');
  const rendered = specs.find(({ render }) => render !== 'never');
  return {
    render: rendered?.render ?? 'never',
    politeness: first.politeness,
    workers: Math.max(...specs.map(({ workers }) => workers)),
    blockRules: specs.flatMap(({ blockRules = [] }) => blockRules),
    blockAds: specs.some(({ blockAds }) => blockAds),
  };
}

/** The loop's settings, from a configuration. */
export function settingsOf(config: WatchConfig, sites: readonly LiveSite[]): WatchSettings {
  const byName = new Map(sites.map((site) => [site.name, site.settings]));
  const ownBudgets = [...byName].flatMap(([name, { requestsPerHour }]) =>
    requestsPerHour === undefined ? [] : [[name, requestsPerHour] as const],
  );
  return {
    budget: config.budget,
    objective: config.objective,
    round: config.round,
    shares: config.shares,
    ...(config.floor !== undefined && { floor: config.floor / HOUR }),
    isOpen: (site, at) => {
      const settings = byName.get(site);
      return settings === undefined || isOpenAt(settings, at);
    },
    slotsOf: (site) => ({ zone: byName.get(site)?.zone ?? 'UTC', kinds: kindsFor(undefined) }),
    siteBudgets: new Map(ownBudgets),
  };
}
