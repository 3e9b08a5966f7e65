import type { Migration } from '../migrate.ts';

/**
 * What was found and decided at each visit of a page (from its page info record, named by `info_id`), and what was learnt from
 * it. Lists of numbers are JSON: they are read and written whole.
 */
export const patterns: Migration = {
  version: 4,
  name: 'patterns',
  statements: ({ int, real, text, strict, withoutRowid }) => [
    `create table versions (url_id ${int} not null, seen_at ${int} not null, site_id ${int},
      info_id ${int} not null, sha256 ${text} not null, size ${int} not null, look ${text}, basis ${text} not null,
      importance ${real} not null, indexed ${int} not null, kept ${int} not null, reason ${text} not null,
      threshold ${real} not null, accumulated ${real} not null, primary key (url_id, seen_at))${withoutRowid}`,
    `create index versions_by_info on versions (info_id, seen_at)`,
    `create index versions_by_site on versions (site_id, seen_at)`,
    `create table learnt_sites (site_id ${int} primary key, zone ${text} not null, holidays ${text}, budget ${int},
      factor ${real} not null, mark ${int} not null)${strict}`,
    `create table pattern_groups (site_id ${int} not null, kind ${text} not null, number ${int} not null,
      pages ${int} not null, shape ${text} not null, primary key (site_id, kind, number))${withoutRowid}`,
    `create table page_patterns (url_id ${int} primary key, site_id ${int} not null, kind ${text} not null,
      observations ${int} not null, changes ${int} not null, first_at ${int} not null, last_at ${int} not null,
      last_sha256 ${text} not null, last_look ${text}, gone_at ${int}, sums ${text} not null, group_number ${int} not null, threshold ${real} not null)${strict}`,
    `create index page_patterns_by_site on page_patterns (site_id, url_id)`,
  ],
};
