import type { Migration } from '../migrate.ts';

/** What changed on pages, from their `urn:delta:` records. `delta_id` names the URL of that record. */
export const changes: Migration = {
  version: 2,
  name: 'changes',
  statements: ({ id, int, real, text, strict }) => [
    `create table changes (id ${id}, url_id ${int} not null, site_id ${int}, delta_id ${int} not null,
      from_at ${int} not null, to_at ${int} not null, importance ${real} not null,
      operations ${int} not null, course ${text} not null, unique (url_id, to_at))${strict}`,
    `create index changes_by_importance on changes (importance)`,
    `create index changes_by_time on changes (to_at)`,
    `create index changes_by_site on changes (site_id, importance)`,
    // `place` numbers the operations of a change, the heaviest first: the first few are found without sorting.
    `create table operations (change_id ${int} not null, place ${int} not null, op ${text} not null,
      element ${text} not null, block ${text} not null, weight ${real} not null, old_text ${text},
      new_text ${text}, old_address ${text}, new_address ${text}, advertisement ${int} not null,
      search ${text} not null, primary key (change_id, place))${strict}`,
  ],
};
