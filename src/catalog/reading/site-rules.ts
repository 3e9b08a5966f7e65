import { HOSTS_AS_SITES, type SiteRule, siteBounds } from '../../model/site-bounds.ts';
import type { Connection, Engine } from '../engines/engine.ts';

/** Once the tables are there. */
export async function readSiteRules(engine: Engine): Promise<void> {
  const row = await engine.db.selectFrom('site_rules').select('rules').executeTakeFirst();
  engine.bounds = row ? siteBounds(JSON.parse(row.rules) as SiteRule[]) : HOSTS_AS_SITES;
}

/** Ids of the hosts whose pages are of more than one site: those must be looked at page by page. */
export async function dividedHosts(
  { bounds }: Pick<Engine, 'bounds'>,
  db: Connection,
): Promise<ReadonlySet<number>> {
  if (bounds.divided.size === 0) return new Set();
  const rows = await db
    .selectFrom('hosts')
    .select('id')
    .where('host', 'in', withWww([...bounds.divided]))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** As frontiers have them. */
export const withWww = (hosts: readonly string[]): string[] => hosts.flatMap((host) => [host, `www.${host}`]);
