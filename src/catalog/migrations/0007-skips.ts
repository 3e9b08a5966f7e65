import type { Migration } from '../migrate.ts';

const COLUMNS = `id, crawl_id, url_id, host_id, kind, state, why, detail, depth, extra_hops, redirects, rank, reason,
  attempts, is_seed, via_id, not_before, pass, rate`;

/** Reasons whose details name a rule; those of the others named the URL. */
const RULED = `('out-of-scope', 'excluded', 'robots', 'depth', 'page-limit', 'time-limit', 'size-limit')`;
const RULE = `substr(case when f.why in ${RULED} then coalesce(f.detail, '') else '' end, 1, 200)`;
/** Seeds and second visits keep their rows: they are few, and each is a question someone asked. */
const FOLDED = `f.state = 'skipped' and f.pass = 0 and f.is_seed = 0`;
const JOINED = `frontier f join skips s on s.crawl_id = f.crawl_id and s.reason = f.why and s.rule = ${RULE}`;

/**
 * Skips by rule: how many URLs, and the first of them. A row per link and crawl was most of what a crawl of an unchanged
 * site added to its catalog. `urls.skip_id` is the rule that a URL was last skipped by, so that it counts once per crawl.
 */
export const skips: Migration = {
  version: 7,
  name: 'skips',
  statements: ({ dialect, id, int, real, text, strict, withoutRowid }) => [
    `create table skips (id ${id}, crawl_id ${int} not null, reason ${text} not null, rule ${text} not null,
      entries ${int} not null, unique (crawl_id, reason, rule))${strict}`,
    `create table skip_samples (skip_id ${int} not null, url_id ${int} not null, via_id ${int}, depth ${int} not null,
      detail ${text}, primary key (skip_id, url_id))${withoutRowid}`,
    `alter table urls add column skip_id ${int}`,
    `insert into skips (crawl_id, reason, rule, entries)
      select f.crawl_id, f.why, ${RULE}, count(*) from frontier f where ${FOLDED} group by 1, 2, 3`,
    `insert into skip_samples (skip_id, url_id, via_id, depth, detail)
      select skip_id, url_id, via_id, depth, detail from (select s.id as skip_id, f.url_id, f.via_id, f.depth,
        case when s.rule = '' then f.detail end as detail,
        row_number() over (partition by s.id order by f.id) as place from ${JOINED} where ${FOLDED}) found
      where place <= 20`,
    `update urls set skip_id = found.skip_id from
      (select f.url_id, max(s.id) as skip_id from ${JOINED} where ${FOLDED} group by f.url_id) found
      where urls.id = found.url_id`,
    ...(dialect === 'postgres'
      ? [`delete from frontier as f where ${FOLDED}`]
      : [
          // Rows leave the frontier now, and SQLite would give the id of the last one to the next, while a crawl still holds it.
          `create table frontier_next (id integer primary key autoincrement, crawl_id ${int} not null,
            url_id ${int} not null, host_id ${int}, kind ${text} not null, state ${text} not null, why ${text},
            detail ${text}, depth ${int} not null, extra_hops ${int} not null, redirects ${int} not null,
            rank ${real} not null, reason ${text} not null, attempts ${int} not null, is_seed ${int} not null,
            via_id ${int}, not_before ${int} not null, pass ${int} not null default 0, rate ${real},
            unique (crawl_id, url_id, pass))${strict}`,
          `insert into frontier_next select ${COLUMNS} from frontier f where not (${FOLDED})`,
          `drop table frontier`,
          `alter table frontier_next rename to frontier`,
          `create index frontier_pending on frontier (crawl_id, host_id, rank, id) where state = 'pending'`,
          `create index frontier_by_state on frontier (crawl_id, kind, state, why)`,
          `create index frontier_by_crawl on frontier (crawl_id)`,
        ]),
  ],
};
