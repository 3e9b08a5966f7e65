import { crawlUrl } from '../../capture/scope/normalise.ts';
import { ScopeError } from '../../capture/scope/scope-rules.ts';
import { compileSeedScopes, type SeedScopes } from '../../capture/scope/seed-scopes.ts';
import type { SiteBounds } from '../../model/site-bounds.ts';
import type { Millis } from '../../model/time.ts';
import { zoneOffset } from '../../science/patterns/zone.ts';
import { UserError } from '../user-error.ts';
import { dueAfter, type OpenHours, type WatchConfig, type WatchedSiteSettings } from './watch-settings.ts';

/** A site that is watched, with its settings resolved. */
export interface LiveSite {
  /** As named in the catalog. */
  readonly name: string;
  readonly settings: WatchedSiteSettings;
  /** Whether a page is watched as part of it. */
  has(url: string): boolean;
  /** Longest time between visits of a page, in milliseconds; undefined where nobody set one. */
  everyOf(url: string, lastVisit: Millis): number | undefined;
  /** Pages to be visited although nothing is known of them yet. */
  readonly wanted: readonly string[];
}

/** Throws UserError for invalid addresses, and for two entries of one site. */
export function liveSites(config: Pick<WatchConfig, 'sites'>, bounds: SiteBounds): readonly LiveSite[] {
  const names = new Map<string, string>();
  return config.sites.map((settings) => {
    const parsed = crawlUrl(settings.url);
    if (!parsed.ok) throw new UserError(`'${settings.url}' cannot be watched: ${parsed.detail}`);
    const name = bounds.siteOf(parsed.url);
    const other = names.get(name);
    if (other !== undefined)
      throw new UserError(
        `${other} and ${settings.url} are of one site, ${name}: write one entry with include:, or make their ` +
          "directories sites of their own ('daguerre sites')",
      );
    names.set(name, settings.url);
    const rules = compiled(settings);
    const forced = forcedPaths(settings);
    return {
      name,
      settings,
      has: (url) => rules.judge(url, { depth: 0, extraHops: 0 }).in && bounds.siteOf(url) === name,
      everyOf(url, lastVisit) {
        if (!settings.forced || !forced.some((test) => test(url))) return undefined;
        const { every } = settings.forced;
        return every.kind === 'span' ? every.span : dueAfter(lastVisit, every, settings.zone) - lastVisit;
      },
      wanted: [parsed.url, ...exactPaths(settings)],
    };
  });
}

function compiled({ spec }: WatchedSiteSettings): SeedScopes {
  try {
    return compileSeedScopes(spec.seeds, spec.scope, spec.seedScopes);
  } catch (error) {
    throw error instanceof ScopeError ? new UserError(error.message) : error;
  }
}

function forcedPaths({ url: base, forced }: WatchedSiteSettings): readonly ((url: string) => boolean)[] {
  return (forced?.of ?? []).map((path) => {
    const isPrefix = path.endsWith('*');
    const { href } = new URL(isPrefix ? path.slice(0, -1) : path, base);
    return isPrefix ? (url) => url.startsWith(href) : (url) => url === href;
  });
}

const exactPaths = ({ url: base, forced }: WatchedSiteSettings): readonly string[] =>
  (forced?.of ?? []).filter((path) => !path.endsWith('*')).map((path) => new URL(path, base).href);

/** Whether a site's opening hours allow a visit. */
export function isOpenAt({ only, zone }: Pick<WatchedSiteSettings, 'only' | 'zone'>, at: Millis): boolean {
  return only === undefined || isWithin(only, at, only.zone ?? zone);
}

function isWithin({ from, to }: OpenHours, at: Millis, zone: string): boolean {
  const seconds = at / 1000;
  const local = seconds + zoneOffset(zone)(seconds);
  const minute = Math.floor((((local % 86_400) + 86_400) % 86_400) / 60);
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}
