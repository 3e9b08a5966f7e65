import type { Change } from '../model/change.ts';
import type { Millis } from '../model/time.ts';
import type { StoreMode, VersionFact, Weighing } from '../model/version.ts';
import type { PatternCatalog, SiteCatalog } from '../ports/catalog.ts';
import { contentId } from '../science/layout/content-hash.ts';
import { decide } from '../science/patterns/thresholds.ts';

/** A version of a page as brought by a visit, before any of it is written. */
export interface NewVersion {
  readonly url: string;
  readonly at: Millis;
  readonly sha256: string;
  /** Bytes of the page's own records, before compression. */
  readonly size: number;
  /** Set if the page was analysed: against the last archived layout. */
  readonly seen?: { readonly layoutAt: Millis; readonly change: Change | undefined };
}

export interface JudgedVersion {
  readonly fact: VersionFact;
  /**
   * The payload is the one last stored for this address: a revisit record is true, even though the version is not kept. Undefined if
   * that is unknown.
   */
  readonly payloadStored: boolean | undefined;
}

export interface VersionKeeper {
  /** Decides about a version, and remembers it. */
  judge(version: NewVersion): Promise<JudgedVersion>;
}

/** Pages whose last archived state is kept in memory, at a few hundred bytes each. */
const KEPT = 300_000;

interface Standing {
  readonly last: string;
  readonly stored: string;
  readonly look: string | undefined;
  readonly accumulated: number;
  readonly threshold: number | undefined;
  /** The unit of the threshold. */
  readonly weigh: Weighing;
}

/**
 * Stage: Algorithm 4. What the archive knows of a page → whether a version is indexed for search and, under `store: important`, kept.
 * Called between the analysis of a page and the writing of its records: what is not to be kept is never written. Always kept, whatever
 * their weight: the first version of a page, and its first layout; a version that was not looked at through a browser, or not seen
 * whole, since nobody knows what its change was; and all versions of pages beyond those known here.
 *
 * What is known is read site by site, when the first page of a site comes: a query per page would slow the crawl.
 */
export function openVersionKeeper(
  store: StoreMode,
  catalog: Pick<PatternCatalog, 'pageStandings'> & Pick<SiteCatalog, 'siteBounds'>,
): VersionKeeper {
  const known = new Map<string, Standing>();
  const sites = new Map<string, Promise<void>>();
  let isAll = true;

  async function load(site: string): Promise<void> {
    for await (const page of catalog.pageStandings(site)) {
      if (known.size >= KEPT) {
        isAll = false;
        return;
      }
      known.set(page.url, {
        last: short(page.lastSha256),
        stored: short(page.storedSha256),
        look: page.look,
        accumulated: page.accumulated,
        threshold: page.threshold,
        weigh: page.weigh ?? 'importance',
      });
    }
  }

  return {
    async judge(version) {
      const site = catalog.siteBounds().siteOf(version.url);
      const loaded = sites.get(site) ?? load(site);
      sites.set(site, loaded);
      await loaded;
      const before = known.get(version.url);
      const fact = before || !isAll ? laterVersion(version, before, store) : firstVersion(version);
      if (before || known.size < KEPT) {
        known.set(version.url, {
          last: short(version.sha256),
          stored: fact.kept ? short(version.sha256) : (before?.stored ?? ''),
          look: fact.look,
          accumulated: fact.accumulated,
          threshold: before?.threshold,
          weigh: before?.weigh ?? 'importance',
        });
      }
      const unknown = isAll ? false : undefined;
      return { fact, payloadStored: before ? before.stored === short(version.sha256) : unknown };
    },
  };
}

/** 128 bits: with fewer, an author could craft two payloads that pass for one. */
const short = (sha256: string): string => sha256.slice(0, 32);

function firstVersion({ sha256, size, at, seen }: NewVersion): VersionFact {
  return {
    sha256,
    size,
    ...(seen && { look: String(at) }),
    basis: seen ? 'layout' : 'payload',
    importance: 1,
    indexed: true,
    kept: true,
    reason: 'first',
    threshold: 0,
    accumulated: 0,
  };
}

function laterVersion(version: NewVersion, before: Standing | undefined, store: StoreMode): VersionFact {
  const { sha256, size, at, seen } = version;
  const look = seen && lookOf(seen);
  // Tells versions apart as science/patterns/sightings.ts does.
  const isPartial = seen?.change?.partial === true;
  const changed =
    isPartial ||
    (look !== undefined && before?.look !== undefined
      ? look !== before.look
      : short(sha256) !== before?.last);
  const isFirstLayout = seen?.layoutAt === at && !seen.change;
  // Back to what is archived: no difference from it. If nobody looked, or there was nothing to compare with: it may be any.
  const unweighed = !seen || isFirstLayout ? 1 : 0;
  const importance = changed ? (seen?.change?.importance ?? unweighed) : 0;
  const salience = changed ? seen?.change?.salience : undefined;
  const { threshold, accumulated = 0, weigh } = before ?? {};
  // In the unit the threshold was learnt in: a different setting takes effect with what the crawl learns at its end.
  const bySalience = weigh === 'salience' && seen !== undefined;
  const weight = bySalience ? (salience ?? importance) : importance;
  const { keep, reason, next } = decide({ threshold: threshold ?? 0, accumulated }, weight);
  const kept = store === 'all' || !before || isFirstLayout || (changed && (keep || !seen || isPartial));
  return {
    sha256,
    size,
    // From now on an archived layout shows it.
    ...(look !== undefined && { look: kept && seen?.change ? String(at) : look }),
    basis: bySalience ? 'salience' : seen ? 'layout' : 'payload',
    importance,
    ...(salience !== undefined && { salience }),
    indexed: keep || isPartial,
    kept,
    reason: !changed
      ? 'unchanged'
      : isPartial && !keep
        ? 'partial'
        : keep && threshold === undefined
          ? 'no-pattern'
          : reason,
    threshold: threshold ?? 0,
    accumulated: next.accumulated,
  };
}

/**
 * A name for what the page shows: the time of the archived layout that shows it, or, until it is archived, that of the layout it was
 * compared with plus the differences. Weights, saliences and the order based on them are left out: they depend on the page's past.
 */
function lookOf({ layoutAt, change }: NonNullable<NewVersion['seen']>): string {
  if (!change) return String(layoutAt);
  const parts = change.operations.map(({ weight: _, salience: __, ...operation }) =>
    JSON.stringify(operation),
  );
  return `${change.from}+${contentId('look', `[${parts.sort().join()}]`)}`;
}
