import type { EntryKind, Visit } from '../../model/crawl.ts';
import type { SettledQuery } from '../../ports/catalog.ts';
import type { Engine } from '../engines/engine.ts';
import { EMBEDDED, embeddingSites } from './embedding-sites.ts';
import {
  type FoldedCount,
  type FoldedEntry,
  foldedCounts,
  foldedEntries,
  foldedVisits,
} from './folded-entries.ts';
import { settledEntries } from './settled-entries.ts';
import { withWww } from './site-rules.ts';
import { hostNames } from './tally-rows.ts';
import { urlsById } from './urls-by-id.ts';
import { selectVisits, visitOf, withUrls } from './visit-rows.ts';

/** The visits that `tally` counts as `result`, newest first. */
export async function settledVisits(engine: Engine, query: SettledQuery): Promise<readonly Visit[]> {
  const { db, bounds } = engine;
  const { crawlId, result, site, limit = Number.MAX_SAFE_INTEGER, offset = 0 } = query;
  const kinds: readonly EntryKind[] = query.kind === 'resource' ? [...EMBEDDED, 'sitemap'] : ['page'];
  const most = Math.min(Number.MAX_SAFE_INTEGER, offset + limit);
  const isAlike = (one: Pick<FoldedCount, 'kind' | 'result'>): boolean =>
    one.result === result && kinds.includes(one.kind);
  const counts = (await foldedCounts(db, crawlId)).filter(isAlike);
  const isOfSite = site === undefined ? () => true : await siteTest(engine, query, site, isAlike);
  const siteHosts = site === undefined ? [] : bounds.hostsOf(site);
  // Where resources of other hosts stand, and of which site the pages of a divided host are, is not told by their rows.
  const isTold =
    site === undefined || (query.kind !== 'resource' && !siteHosts.some((host) => bounds.divided.has(host)));
  const rows = await selectVisits(db)
    .innerJoin(settledEntries(db, [crawlId]).where('f.kind', 'in', kinds).as('r'), 'r.visitId', 'x.id')
    .where('r.result', '=', result)
    .orderBy('x.id', 'desc')
    .$if(site !== undefined && query.kind !== 'resource', (pages) =>
      pages.where('r.host', 'in', withWww(siteHosts)),
    )
    .$if(isTold, (all) => all.limit(most))
    .select(['r.host', 'r.via'])
    .execute();
  const own = rows.filter(isOfSite);
  if (counts.length === 0) return own.slice(offset, most).map(visitOf);
  const hosts = await hostNames(
    db,
    counts.flatMap(({ host_id }) => host_id ?? []),
  );
  const of = (entry: FoldedEntry): boolean =>
    isAlike(entry) &&
    isOfSite({ host: hosts.get(entry.host_id ?? 0) ?? null, via: viaOf(entry), url_id: entry.url_id });
  const folded = await foldedVisits(db, crawlId, { of, most });
  const both = [...own, ...folded].sort((a, b) => b.id - a.id).slice(offset, most);
  return (await withUrls(db, both)).map(visitOf);
}

const viaOf = ({ kind, via_id }: Pick<FoldedEntry, 'kind' | 'via_id'>): number | null =>
  EMBEDDED.includes(kind) ? via_id : null;

/** Whether an entry counts for the site: as in `tally`. */
async function siteTest(
  engine: Engine,
  { crawlId, kind }: SettledQuery,
  site: string,
  isAlike: (entry: FoldedEntry) => boolean,
) {
  const { db, bounds } = engine;
  const vias = new Set<number | null>();
  if (kind === 'resource') {
    const rows = await settledEntries(db, [crawlId]).where('f.kind', 'in', EMBEDDED).execute();
    for (const { via } of rows) vias.add(via);
    for await (const entry of foldedEntries(db, crawlId)) if (isAlike(entry)) vias.add(viaOf(entry));
  }
  const sites = await embeddingSites(engine, db, crawlId, vias);
  const own = new Set<number>();
  if (kind !== 'resource' && bounds.divided.size > 0)
    for await (const entry of foldedEntries(db, crawlId)) if (isAlike(entry)) own.add(entry.url_id);
  const names = await urlsById(db, own);
  return ({ host, via, url, url_id }: SettledEntry): boolean => {
    const page = kind === 'resource' ? undefined : (url ?? names.get(url_id));
    return (sites.get(via ?? 0) ?? bounds.siteOf(page ?? `http://${host ?? ''}/`)) === site;
  };
}

interface SettledEntry {
  readonly host: string | null;
  readonly via: number | null;
  readonly url?: string;
  readonly url_id: number;
}
