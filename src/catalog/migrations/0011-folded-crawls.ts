import type { Migration } from '../migrate.ts';

/** Entries and visits of finished crawls, many in a row: see reading/folded-entries.ts. Crawls from before keep their rows. */
export const foldedCrawls: Migration = {
  version: 11,
  name: 'folded-crawls',
  statements: ({ int, text, bytes, withoutRowid }) => [
    `alter table crawls add column folded ${text}`,
    `create table folded_entries (crawl_id ${int} not null, part ${int} not null, first_url_id ${int} not null,
      last_url_id ${int} not null, entries ${bytes} not null, primary key (crawl_id, part))${withoutRowid}`,
  ],
};
