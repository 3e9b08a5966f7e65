import { sql } from 'kysely';
import type { Truncation } from '../../model/exchange.ts';
import type {
  InferenceReason,
  InferenceState,
  InferredDirectory,
  VirtualDirectory,
} from '../../model/inference.ts';
import type { Millis } from '../../model/time.ts';
import type { KeptVersion, StoredInference } from '../../ports/catalog.ts';
import type { Connection } from '../engines/engine.ts';
import { decodeTargets } from '../names/link-targets.ts';
import { recordIdOf } from '../names/stored-ids.ts';
import { keyOf, storable, whole } from '../names/stored-text.ts';
import { ANSWERS, siteId, THERE } from './sighting-queries.ts';
import { urlsById } from './urls-by-id.ts';

export async function inferences(
  db: Connection,
  { crawlId, site }: { readonly crawlId?: number; readonly site?: string },
): Promise<readonly StoredInference[]> {
  let query = db
    .selectFrom('inferred_directories as d')
    .innerJoin('sites as s', 's.id', 'd.site_id')
    .orderBy('d.crawl_id')
    .orderBy('d.id')
    .selectAll('d')
    .select('s.site');
  if (crawlId !== undefined) query = query.where('d.crawl_id', '=', crawlId);
  if (site !== undefined) query = query.where('d.site_id', '=', (await siteId(db, site)) ?? -1);
  const rows = (await query.execute()).map((row) => ({ ...row, ids: decodeTargets(row.urls) }));
  const names = await urlsById(db, new Set(rows.flatMap(({ ids }) => ids)));
  return rows.map((row) => ({
    crawlId: row.crawl_id,
    site: row.site,
    directory: row.directory,
    reason: row.reason as InferenceReason,
    rule: row.rule,
    ...(row.assumes !== null && {
      assumes: JSON.parse(row.assumes) as NonNullable<InferredDirectory['assumes']>,
    }),
    expectedMissed: row.expected_missed,
    confidence: row.confidence,
    lastSeen: row.last_seen,
    state: row.state as InferenceState,
    urls: row.ids.flatMap((id) => names.get(id) ?? []).sort(),
  }));
}

export async function virtualDirectories(
  db: Connection,
  { crawlId }: { readonly crawlId: number },
): Promise<readonly VirtualDirectory[]> {
  const rows = await db
    .selectFrom('virtual_directories as d')
    .innerJoin('sites as s', 's.id', 'd.site_id')
    .where('d.crawl_id', '=', crawlId)
    .orderBy('d.id')
    .selectAll('d')
    .select('s.site')
    .execute();
  const listed = rows.map((row) => ({ ...row, ids: decodeTargets(row.urls) }));
  const names = await urlsById(db, new Set(listed.flatMap(({ ids }) => ids)));
  return listed.map((row) => ({
    site: row.site,
    directory: row.directory,
    reason: row.reason as InferenceReason,
    rule: row.rule,
    expectedMissed: row.expected_missed,
    heldBy: row.held_by,
    urls: row.ids.flatMap((id) => names.get(id) ?? []).sort(),
  }));
}

export async function inferredDirectories(
  db: Connection,
  site: string,
): Promise<readonly Pick<StoredInference, 'crawlId' | 'directory' | 'state'>[]> {
  const rows = await db
    .selectFrom('inferred_directories as d')
    .where('d.site_id', '=', (await siteId(db, site)) ?? -1)
    .orderBy('d.crawl_id')
    .orderBy('d.id')
    .select(['d.crawl_id', 'd.directory', 'd.state'])
    .execute();
  return rows.map(({ crawl_id: crawlId, directory, state }) => ({ crawlId, directory, state }));
}

/** URLs per statement. */
const AT_ONCE = 500;

export async function keptVersions(
  db: Connection,
  urls: readonly string[],
  before: Millis,
): Promise<ReadonlyMap<string, KeptVersion>> {
  const kept = new Map<string, KeptVersion>();
  for (let from = 0; from < urls.length; from += AT_ONCE) {
    const keys = urls.slice(from, from + AT_ONCE).map((url) => sql`${keyOf(storable(url))}`);
    const { rows } =
      await sql<KeptRow>`select u.url, c.taken_at, c.record, c.record_id, c.status, c.truncated,
        coalesce(c.sha256, o.sha256) as sha256
      from urls u join captures c on c.id = (select c.id from captures c where c.url_id = u.id
          and c.taken_at < ${whole(before)} and ${ANSWERS} and ${THERE} order by c.taken_at desc, c.id limit 1)
        left join captures o on o.id = c.original_id
      where u.key in (${sql.join(keys)})`.execute(db);
    for (const { url, taken_at, record, record_id, status, sha256, truncated } of rows) {
      const recordId = recordIdOf(record, record_id);
      kept.set(url, { at: taken_at, recordId, sha256, status, ...(truncated !== null && { truncated }) });
    }
  }
  return kept;
}

interface KeptRow {
  readonly url: string;
  readonly taken_at: number;
  readonly record: Uint8Array;
  readonly record_id: string | null;
  readonly status: number;
  readonly sha256: string;
  readonly truncated: Truncation | null;
}
