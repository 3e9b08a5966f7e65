import { mirrorWords } from '../../access/mirror-words.ts';
import type { MirrorFact } from '../../model/mirror.ts';
import type { Millis } from '../../model/time.ts';
import { SITE_MEASURES, type SiteMeasure, siteValues } from '../../science/importance/site-values.ts';
import type { SizeEstimate } from '../../science/policy/sites/new-site-size.ts';
import { rankSites } from '../../science/policy/sites/site-priority.ts';
import { rankCorrelation } from '../../science/rates/rank-correlation.ts';
import { type OverviewCatalog, type SitesOverview, sitesOverview } from './site-overview.ts';

/** A site as a list shows it. */
export interface ListedSite {
  readonly site: string;
  /** Archived ones; 0 for a site that is known by links alone. */
  readonly pages: number;
  /** Known URLs of the site. */
  readonly known: number;
  /** For a site of which nothing was read. */
  readonly estimated?: SizeEstimate;
  readonly importance: number;
  /** c̄h(S), changes per second and page. For a site of which nothing was read, the mean of the others. */
  readonly changeRate: number;
  readonly lastRead: Millis | null;
  readonly failures: number;
  /** ρ(S). */
  readonly priority: number;
  readonly reason: string;
  /** What it is known to mirror, and how far it is in step: `mirrors example.org, up to date`. */
  readonly mirror?: string;
  /** By each measure, where requested. */
  readonly measures?: Readonly<Record<SiteMeasure, number>>;
}

export interface SiteList {
  /** Archived sites, by ρ. */
  readonly archived: readonly ListedSite[];
  /** Sites known by links alone, by ρ. */
  readonly fresh: readonly ListedSite[];
  /**
   * How each measure ranks archived sites, compared with the theorem; null for fewer than two sites, which cannot be
   * ranked.
   */
  readonly rankCorrelation?: Readonly<Record<Exclude<SiteMeasure, 'theorem'>, number>> | null;
}

export interface ListOptions {
  /** Also rank by each cheaper measure. */
  readonly importance?: boolean;
  /** What the archive has recorded about mirrors. */
  readonly mirrors?: readonly MirrorFact[];
}

export async function listSites(
  catalog: OverviewCatalog,
  now: Millis,
  { importance = false, mirrors = [] }: ListOptions = {},
): Promise<SiteList> {
  const overview = await sitesOverview(catalog, now);
  const measured = importance ? measuredSites(overview) : undefined;
  const known = new Map([...overview.archived, ...overview.fresh].map((one) => [one.site, one.known]));
  const sizes = new Map(overview.fresh.map((one) => [one.site, one.size]));
  const listed = (sites: SitesOverview['archived'] | SitesOverview['fresh']): readonly ListedSite[] =>
    rankSites(sites, now).map((one) => {
      const size = sizes.get(one.site);
      const measures = measured?.get(one.site);
      const mirror = mirrorWords(one.site, mirrors);
      return {
        site: one.site,
        pages: size ? 0 : one.pages,
        known: known.get(one.site) ?? 0,
        ...(size && { estimated: size }),
        importance: one.importance,
        changeRate: one.changeRate,
        lastRead: one.lastRead ?? null,
        failures: one.failures,
        priority: one.priority,
        reason: one.reason,
        ...(mirror !== undefined && { mirror }),
        ...(measures && { measures }),
      };
    });
  const archived = listed(overview.archived);
  return {
    archived,
    fresh: listed(overview.fresh),
    ...(importance && { rankCorrelation: correlations(archived) }),
  };
}

function measuredSites({ web }: SitesOverview): ReadonlyMap<string, Readonly<Record<SiteMeasure, number>>> {
  const values = siteValues(web, web.importance);
  return new Map(
    web.names.map((name, id) => {
      const own = SITE_MEASURES.map((measure) => [measure, values[measure][id] as number] as const);
      return [name, Object.fromEntries(own) as Readonly<Record<SiteMeasure, number>>];
    }),
  );
}

/** Sites known by links alone have no links of their own, and all measures would rank them alike. */
function correlations(sites: readonly ListedSite[]): NonNullable<SiteList['rankCorrelation']> | null {
  if (sites.length < 2) return null;
  const column = (measure: SiteMeasure): number[] => sites.map(({ measures }) => measures?.[measure] ?? 0);
  const like = (measure: SiteMeasure): number => rankCorrelation(column(measure), column('theorem'));
  return {
    uniform: like('uniform'),
    outdegree: like('outdegree'),
    local: like('local'),
    maximum: like('maximum'),
    interSite: like('interSite'),
  };
}
