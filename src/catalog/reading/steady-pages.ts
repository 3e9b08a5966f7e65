import type { LearntPage, PatternKind } from '../../model/pattern.ts';
import type { Connection } from '../engines/engine.ts';
import { unpackRows } from '../names/packed-rows.ts';
import { dense, sparse } from '../names/stored-sums.ts';

/**
 * A page that was seen more than once and never changed: most pages of most sites. What is learnt of it is when it was seen and
 * the hours it was watched for; its sums are zeros else, and what it was last is what its capture of that moment says. Such
 * pages are packed, hundreds to a row: on their own they would take a catalog of an unchanged site half as much again.
 */
export interface SteadyPage {
  readonly url_id: number;
  readonly kind: PatternKind;
  readonly observations: number;
  readonly first_at: number;
  readonly last_at: number;
  /** PatternSums.hours: see `sparse`. */
  readonly hours: string;
  readonly group_number: number;
  readonly threshold: number;
}

/** Undefined for a page that has more to say. */
export function asSteady(page: LearntPage): Omit<SteadyPage, 'url_id'> | undefined {
  const { kind, observations, firstAt, lastAt, sums } = page;
  const { hours, until } = sums;
  const isSteady =
    page.changes === 0 &&
    page.goneAt === undefined &&
    sums.shape === undefined &&
    until === lastAt / 1000 &&
    Number.isSafeInteger(firstAt) &&
    Number.isSafeInteger(lastAt) &&
    [sums.changes, sums.seen, sums.weight].every(
      (list) => list.length === hours.length && list.every((value) => Object.is(value, 0)),
    );
  if (!isSteady) return undefined;
  const times = { kind, observations, first_at: firstAt, last_at: lastAt };
  return { ...times, hours: sparse(hours).join(), group_number: 0, threshold: 0 };
}

export function steadyPage(row: SteadyPage): Omit<LearntPage, 'url' | 'lastSha256' | 'lastLook'> {
  const hours = dense(row.hours.split(',').map(Number));
  const zeros = hours.map(() => 0);
  return {
    kind: row.kind,
    observations: row.observations,
    changes: 0,
    firstAt: row.first_at,
    lastAt: row.last_at,
    sums: { changes: zeros, hours, seen: zeros, weight: zeros, until: row.last_at / 1000 },
  };
}

/** URLs of a site, by id, both included. */
export interface SiteRange {
  readonly siteId: number;
  readonly from?: number;
  readonly to?: number;
}

/** In the order of URLs within each site. */
export async function* steadyPages(db: Connection, range?: SiteRange): AsyncGenerator<SteadyPage> {
  const { siteId, from = 0, to = Number.MAX_SAFE_INTEGER } = range ?? {};
  let parts = db.selectFrom('steady_pages').select(['site_id', 'first_url_id']);
  if (siteId !== undefined) {
    const begun = await db
      .selectFrom('steady_pages')
      .select(({ fn }) => fn.max<number | null>('first_url_id').as('first'))
      .where('site_id', '=', siteId)
      .where('first_url_id', '<=', from)
      .executeTakeFirst();
    parts = parts
      .where('site_id', '=', siteId)
      .where('first_url_id', '>=', begun?.first ?? from)
      .where('first_url_id', '<=', to);
  }
  for (const key of await parts.orderBy('site_id').orderBy('first_url_id').execute())
    for (const page of await steadyPart(db, key)) if (page.url_id >= from && page.url_id <= to) yield page;
}

export async function steadyPart(
  db: Connection,
  key: { readonly site_id: number; readonly first_url_id: number },
): Promise<readonly SteadyPage[]> {
  const row = await db
    .selectFrom('steady_pages')
    .select('pages')
    .where('site_id', '=', key.site_id)
    .where('first_url_id', '=', key.first_url_id)
    .executeTakeFirst();
  return row ? (unpackRows(row.pages) as unknown as SteadyPage[]) : [];
}
