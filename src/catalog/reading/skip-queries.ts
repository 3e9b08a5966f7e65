import { setImmediate as turn } from 'node:timers/promises';
import type { Skip } from '../../model/crawl.ts';
import type { SkipReason } from '../../model/fault.ts';
import type { SkipRule } from '../../ports/catalog.ts';
import type { Connection } from '../engines/engine.ts';

interface SkipQuery {
  readonly crawlId: number;
  readonly reason?: SkipReason;
  readonly limit?: number;
}

/** Rules in the order in which they first applied. */
export async function skipRules(db: Connection, query: SkipQuery): Promise<readonly SkipRule[]> {
  let rules = db
    .selectFrom('skips as s')
    .where('s.crawl_id', '=', query.crawlId)
    .where('s.entries', '>', 0)
    .orderBy('s.id')
    .select(['s.id', 's.reason', 's.rule', 's.entries']);
  if (query.reason !== undefined) rules = rules.where('s.reason', '=', query.reason);
  const found: SkipRule[] = [];
  for (const { id, ...rule } of await rules.execute()) {
    const rows = await db
      .selectFrom('skip_samples as x')
      .innerJoin('urls as u', 'u.id', 'x.url_id')
      .leftJoin('urls as v', 'v.id', 'x.via_id')
      .where('x.skip_id', '=', id)
      .orderBy('x.url_id')
      .select(['u.url', 'v.url as via', 'x.depth', 'x.detail'])
      .execute();
    const sample = rows.map(({ via, detail, ...row }) => ({
      ...row,
      detail: detail ?? rule.rule,
      ...(via !== null && { via }),
    }));
    found.push({ ...rule, sample });
  }
  return found;
}

/** A bounded sample: the first URLs of each rule, and seeds and second visits that were skipped. */
export async function skips(db: Connection, query: SkipQuery): Promise<readonly Skip[]> {
  const sampled = (await skipRules(db, query)).flatMap(({ reason, sample }) =>
    sample.map((one): Skip => ({ ...one, reason })),
  );
  let rows = db
    .selectFrom('frontier as f')
    .innerJoin('urls as u', 'u.id', 'f.url_id')
    .leftJoin('urls as v', 'v.id', 'f.via_id')
    .where('f.crawl_id', '=', query.crawlId)
    .where('f.state', '=', 'skipped')
    .where('f.kind', 'in', ['page', 'resource', 'lost', 'sitemap', 'revisit'])
    .orderBy('f.id')
    .select(['u.url', 'f.why', 'f.detail', 'f.depth', 'v.url as via']);
  if (query.reason !== undefined) rows = rows.where('f.why', '=', query.reason);
  if (query.limit !== undefined) rows = rows.limit(query.limit);
  const held = (await rows.execute()).map(({ url, why, detail, depth, via }) => ({
    url,
    reason: why as SkipReason,
    detail: detail ?? '',
    depth,
    ...(via !== null && { via }),
  }));
  return [...held, ...sampled].slice(0, query.limit);
}

/** URLs per statement. */
const PAGE = 1_000;

/** The pending entries, as they are to be folded into a rule. Seeds and second visits are not among them. */
export async function* foldable(db: Connection, crawlId: number) {
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('frontier as f')
      .where('f.crawl_id', '=', crawlId)
      .where('f.id', '>', last)
      .where('f.state', '=', 'pending')
      .where('f.pass', '=', 0)
      .where('f.is_seed', '=', 0)
      .orderBy('f.id')
      .limit(PAGE)
      .select(['f.id', 'f.url_id', 'f.via_id', 'f.depth'])
      .execute();
    const end = rows.at(-1);
    if (!end) return;
    last = end.id;
    yield rows;
    await turn();
  }
}
