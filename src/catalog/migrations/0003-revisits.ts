import type { Migration } from '../migrate.ts';

/**
 * A page may stand in the frontier twice: for its visit (pass 0) and for its revisit (pass 1); both with the change
 * rate that the schedule believes in, null for what is no page.
 */
export const revisits: Migration = {
  version: 3,
  name: 'revisits',
  statements: ({ dialect, id, int, real, text, strict }) =>
    dialect === 'postgres'
      ? [
          `alter table frontier add column pass ${int} not null default 0, add column rate ${real}`,
          `alter table frontier drop constraint frontier_crawl_id_url_id_key`,
          `alter table frontier add constraint frontier_crawl_id_url_id_pass_key unique (crawl_id, url_id, pass)`,
          `alter table visits add column pass ${int} not null default 0`,
        ]
      : [
          // SQLite cannot change a constraint: the table is made anew.
          `create table frontier_next (id ${id}, crawl_id ${int} not null, url_id ${int} not null, host_id ${int},
            kind ${text} not null, state ${text} not null, why ${text}, detail ${text}, depth ${int} not null,
            extra_hops ${int} not null, redirects ${int} not null, rank ${real} not null, reason ${text} not null,
            attempts ${int} not null, is_seed ${int} not null, via_id ${int}, not_before ${int} not null,
            pass ${int} not null default 0, rate ${real}, unique (crawl_id, url_id, pass))${strict}`,
          `insert into frontier_next select id, crawl_id, url_id, host_id, kind, state, why, detail, depth,
            extra_hops, redirects, rank, reason, attempts, is_seed, via_id, not_before, 0, null from frontier`,
          `drop table frontier`,
          `alter table frontier_next rename to frontier`,
          `create index frontier_pending on frontier (crawl_id, host_id, rank, id) where state = 'pending'`,
          `create index frontier_by_state on frontier (crawl_id, kind, state, why)`,
          `alter table visits add column pass ${int} not null default 0`,
        ],
};
