import type { InferenceReason, InferredDirectory } from '../../model/inference.ts';
import { type DeltaDocument, isShown, type PageAccess } from '../../model/site-delta.ts';
import type { Millis } from '../../model/time.ts';
import type { Connection } from '../engines/engine.ts';
import { decodeTargets } from '../names/link-targets.ts';

interface UnvisitedDirectory {
  /** When the crawl that left it out began. */
  readonly at: Millis;
  readonly reason: InferenceReason;
  /** Set where another archive holds its pages. */
  readonly heldBy?: string;
  /** Of a mirror: what it mirrors, as `https://example.org`. */
  readonly origin?: string;
}

export type Unvisited = (
  page: { readonly id: number; readonly url: string },
  told: readonly DeltaDocument[],
) => readonly PageAccess[];

/** Rows fetched at a time: a row has the ids of all pages of a directory. */
const ROWS = 50;
const ROW_BITS = 32n;

/**
 * What crawls of a site took for unchanged, page by page. Directories list their pages, and are asked for by page: all lists are
 * turned round in memory, eight bytes per page and crawl.
 */
export async function unvisitedPages(db: Connection, siteId: number): Promise<Unvisited> {
  const directories: UnvisitedDirectory[] = [];
  const lists: Uint32Array[] = [];
  for await (const { urls, ...directory } of rowsOf(db, siteId)) {
    directories.push(directory);
    lists.push(Uint32Array.from(decodeTargets(urls)));
  }
  const pairs = new BigUint64Array(lists.reduce((sum, ids) => sum + ids.length, 0));
  let end = 0;
  lists.forEach((ids, row) => {
    for (const id of ids) pairs[end++] = (BigInt(id) << ROW_BITS) | BigInt(row);
  });
  lists.length = 0;
  pairs.sort();
  return ({ id: urlId, url }, told) => {
    const accesses: PageAccess[] = [];
    for (let i = firstOf(pairs, BigInt(urlId) << ROW_BITS); i < pairs.length; i++) {
      const pair = pairs[i] ?? 0n;
      if (Number(pair >> ROW_BITS) !== urlId) break;
      const directory = directories[Number(pair & ((1n << ROW_BITS) - 1n))];
      if (directory) accesses.push(accessOf(directory, url, told));
    }
    return accesses;
  };
}

function firstOf(sorted: BigUint64Array, least: bigint): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0n) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function* rowsOf(
  db: Connection,
  siteId: number,
): AsyncGenerator<UnvisitedDirectory & { readonly urls: string }> {
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('inferred_directories as d')
      .innerJoin('crawls as k', 'k.id', 'd.crawl_id')
      .where('d.site_id', '=', siteId)
      .where('d.state', '=', 'inferred')
      .where('d.id', '>', last)
      .orderBy('d.id')
      .limit(ROWS)
      .select(['d.id', 'd.reason', 'd.urls', 'd.assumes', 'k.started_at'])
      .execute();
    for (const { reason, urls, assumes, started_at: at } of rows) {
      const origin = assumes === null ? undefined : (JSON.parse(assumes) as Assumption).origin;
      yield { at, reason, urls, ...(origin !== undefined && { origin }) };
    }
    const end = rows.at(-1);
    if (!end || rows.length < ROWS) break;
    last = end.id;
  }
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('virtual_directories as d')
      .innerJoin('crawls as k', 'k.id', 'd.crawl_id')
      .where('d.site_id', '=', siteId)
      .where('d.id', '>', last)
      .orderBy('d.id')
      .limit(ROWS)
      .select(['d.id', 'd.reason', 'd.urls', 'd.held_by', 'k.started_at'])
      .execute();
    for (const { reason, urls, held_by: heldBy, started_at: at } of rows) yield { at, reason, urls, heldBy };
    const end = rows.at(-1);
    if (!end || rows.length < ROWS) return;
    last = end.id;
  }
}

type Assumption = NonNullable<InferredDirectory['assumes']>;

function accessOf(
  { at, reason, heldBy, origin }: UnvisitedDirectory,
  url: string,
  told: readonly DeltaDocument[],
): PageAccess {
  if (origin !== undefined) {
    const { pathname, search } = new URL(url);
    return { kind: 'mirrored', at, of: `${origin}${pathname}${search}` };
  }
  if (heldBy === undefined) return { kind: 'inferred', at, reason };
  const held = told.findLast((one) => one.archive === heldBy && one.at < at && isShown(one.status));
  return {
    kind: 'virtual',
    at,
    reason,
    heldBy,
    ...(held?.record !== undefined && { record: held.record }),
    ...(held?.file !== undefined && { file: held.file }),
    ...(held?.offset !== undefined && { offset: held.offset }),
  };
}
