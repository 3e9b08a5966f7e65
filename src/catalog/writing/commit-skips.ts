import type { Skip } from '../../model/crawl.ts';
import { SETTLED_SKIPS, type SkipReason } from '../../model/fault.ts';
import type { SkipRule } from '../../ports/catalog.ts';
import { bulkInsert, bulkQuery, bulkWrite, type RowOf } from '../engines/bulk-statement.ts';
import { storable } from '../names/stored-text.ts';
import type { CommitScope } from './commit.ts';

/** URLs kept of each rule, the first that it skipped. */
export const SKIP_SAMPLE = 20;
/** Characters of a rule that tell it apart. */
const RULE_LENGTH = 200;
/** Rules of one reason and crawl. A hostile site could make up more; the rest counts together. */
const RULES = 200;
const FURTHER = 'further rules';

interface Rule {
  readonly id: number;
  readonly reason: string;
  readonly rule: string;
  /** Counted before this commit. */
  readonly entries: number;
}

/** Skips need no names once their ids are known. */
export type SkipScope = Pick<CommitScope, 'engine' | 'connection' | 'crawlId'>;

export interface RuledSkip {
  readonly urlId: number;
  readonly reason: SkipReason;
  readonly rule: string;
  readonly detail: string;
  readonly depth: number;
  readonly viaId: number | null;
}

const ADD_RULE = bulkQuery<Rule>()({
  name: 'add-skip-rule',
  columns: { crawl_id: 'int', reason: 'text', rule: 'text' },
  sql: `insert into skips (crawl_id, reason, rule, entries)
    select rows.crawl_id, rows.reason, rows.rule, 0 from {rows} where true
    on conflict (crawl_id, reason, rule) do update set entries = skips.entries
    returning id, reason, rule, entries`,
});

/** A URL that this crawl knows already, whatever became of it, is not skipped again. */
const MARK = bulkQuery<{ url_id: number }>()({
  name: 'mark-skipped',
  columns: { crawl_id: 'int', url_id: 'int', skip_id: 'int' },
  sql: `update urls set skip_id = rows.skip_id from {rows} where urls.id = rows.url_id
    and not exists (select 1 from frontier f where f.crawl_id = rows.crawl_id and f.url_id = rows.url_id)
    and not exists (select 1 from skips s where s.id = urls.skip_id and s.crawl_id = rows.crawl_id)
    returning urls.id as url_id`,
});

const COUNT = bulkWrite({
  name: 'count-skips',
  columns: { id: 'int', more: 'int' },
  sql: `update skips set entries = skips.entries + rows.more from {rows} where skips.id = rows.id`,
});

const ADD_SAMPLE = bulkInsert('skip_samples', 'on conflict do nothing');

export async function skip(scope: CommitScope, skips: readonly Skip[]): Promise<void> {
  const fresh = new Map<number, RuledSkip>();
  for (const item of skips) {
    const known = scope.url(item.url);
    if (known.crawlId === scope.crawlId && known.place !== 'unknown') continue;
    known.crawlId = scope.crawlId;
    known.place = 'skipped';
    scope.note(known);
    const { reason, detail, depth, via } = item;
    const viaId = via === undefined ? null : scope.url(via).id;
    if (!fresh.has(known.id))
      fresh.set(known.id, { urlId: known.id, reason, rule: item.rule ?? detail, detail, depth, viaId });
  }
  await countSkips(scope, [...fresh.values()]);
}

/** Counts each URL once, with the rule that skipped it first. */
export async function countSkips(scope: SkipScope, skips: readonly RuledSkip[]): Promise<void> {
  if (skips.length === 0) return;
  const { engine, connection, crawlId } = scope;
  const rules = await rulesOf(scope, skips);
  const ruleOf = ({ reason, rule }: RuledSkip): Rule => rules(reason, rule);
  const marked = await engine.bulk(
    connection,
    MARK,
    skips.map((item) => ({ crawl_id: crawlId, url_id: item.urlId, skip_id: ruleOf(item).id })),
  );
  const counted = new Set(marked.map(({ url_id }) => url_id));
  const more = new Map<number, number>();
  const samples: RowOf<(typeof ADD_SAMPLE)['columns']>[] = [];
  for (const item of skips) {
    if (!counted.has(item.urlId)) continue;
    const { id, entries, rule } = ruleOf(item);
    const before = entries + (more.get(id) ?? 0);
    more.set(id, (more.get(id) ?? 0) + 1);
    if (before >= SKIP_SAMPLE) continue;
    const detail = storable(item.detail);
    samples.push({
      skip_id: id,
      url_id: item.urlId,
      via_id: item.viaId,
      depth: item.depth,
      detail: detail === rule ? null : detail,
    });
  }
  await engine.bulk(connection, COUNT, counts(more));
  await engine.bulk(connection, ADD_SAMPLE, samples);
}

const counts = (byRule: ReadonlyMap<number, number>) => [...byRule].map(([id, more]) => ({ id, more }));

async function rulesOf(
  { engine, connection, crawlId }: SkipScope,
  wanted: readonly { readonly reason: SkipReason; readonly rule: string }[],
): Promise<(reason: SkipReason, rule: string) => Rule> {
  const known = await connection
    .selectFrom('skips')
    .select(['id', 'reason', 'rule', 'entries'])
    .where('crawl_id', '=', crawlId)
    .execute();
  const found = new Map<string, Rule>(known.map((row) => [`${row.reason} ${row.rule}`, row]));
  const perReason = new Map<string, number>();
  for (const { reason } of known) perReason.set(reason, (perReason.get(reason) ?? 0) + 1);
  const textOf = (reason: SkipReason, rule: string): string => {
    const text = storable(rule).slice(0, RULE_LENGTH);
    return found.has(`${reason} ${text}`) || (perReason.get(reason) ?? 0) < RULES ? text : FURTHER;
  };
  const missing = new Map<string, { crawl_id: number; reason: string; rule: string }>();
  for (const { reason, rule } of wanted) {
    const text = textOf(reason, rule);
    const key = `${reason} ${text}`;
    if (found.has(key) || missing.has(key)) continue;
    missing.set(key, { crawl_id: crawlId, reason, rule: text });
    perReason.set(reason, (perReason.get(reason) ?? 0) + 1);
  }
  for (const row of await engine.bulk(connection, ADD_RULE, [...missing.values()]))
    found.set(`${row.reason} ${row.rule}`, row);
  return (reason, rule) => {
    const text = storable(rule).slice(0, RULE_LENGTH);
    const row = found.get(`${reason} ${text}`) ?? found.get(`${reason} ${FURTHER}`);
    if (!row) throw new Error(`no rule for a skip of ${reason}: a fault of Daguerre itself`);
    return row;
  };
}

const FIND_SKIPPED = bulkQuery<SkippedBefore>()({
  name: 'find-skipped',
  columns: { crawl_id: 'int', url_id: 'int' },
  sql: `select rows.url_id, s.id as skip_id, s.reason from {rows} join urls on urls.id = rows.url_id
    join skips s on s.id = urls.skip_id and s.crawl_id = rows.crawl_id`,
});

export interface SkippedBefore {
  readonly url_id: number;
  readonly skip_id: number;
  readonly reason: SkipReason;
}

export function skippedBefore(
  { engine, connection, crawlId }: SkipScope,
  urlIds: readonly number[],
): Promise<SkippedBefore[]> {
  return engine.bulk(
    connection,
    FIND_SKIPPED,
    urlIds.map((id) => ({ crawl_id: crawlId, url_id: id })),
  );
}

/**
 * A URL skipped where it was found (too deep from there, out of scope from there) joins the queue when it is
 * discovered by another road. One that was in the queue and left it, by a denial or a limit, does not: that
 * held for the URL itself.
 */
export const isSettledSkip = ({ reason }: SkippedBefore): boolean => SETTLED_SKIPS.has(reason);

const UNMARK = bulkWrite({
  name: 'unmark-skipped',
  columns: { url_id: 'int' },
  sql: `update urls set skip_id = null from {rows} where urls.id = rows.url_id`,
});

const DROP_SAMPLE = bulkWrite({
  name: 'drop-skip-sample',
  columns: { skip_id: 'int', url_id: 'int' },
  sql: `delete from skip_samples where exists (select 1 from {rows}
    where rows.skip_id = skip_samples.skip_id and rows.url_id = skip_samples.url_id)`,
  sqliteSql: 'delete from skip_samples where skip_id = ? and url_id = ?',
});

/** They are in the queue now: no skips any more. */
export async function unskip(scope: SkipScope, found: readonly SkippedBefore[]): Promise<void> {
  if (found.length === 0) return;
  const { engine, connection } = scope;
  const fewer = new Map<number, number>();
  for (const { skip_id } of found) fewer.set(skip_id, (fewer.get(skip_id) ?? 0) - 1);
  await engine.bulk(
    connection,
    UNMARK,
    found.map(({ url_id }) => ({ url_id })),
  );
  await engine.bulk(connection, COUNT, counts(fewer));
  await engine.bulk(
    connection,
    DROP_SAMPLE,
    found.map(({ skip_id, url_id }) => ({ skip_id, url_id })),
  );
}

/** Skips as a log tells them: the sample by its URLs, the rest as a number. */
export async function restoreSkips(scope: CommitScope, rules: readonly SkipRule[]): Promise<void> {
  for (const { sample, ...rule } of rules) {
    await skip(
      scope,
      sample.map((one) => ({ ...one, reason: rule.reason, rule: rule.rule })),
    );
    const { id, entries } = (await rulesOf(scope, [rule]))(rule.reason, rule.rule);
    await scope.engine.bulk(scope.connection, COUNT, [{ id, more: rule.entries - entries }]);
  }
}
