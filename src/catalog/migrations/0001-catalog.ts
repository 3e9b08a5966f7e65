import type { Migration } from '../migrate.ts';

/**
 * The first schema. No foreign keys: one module writes all of it, in one order, and the checks would double
 * the cost of a commit. The lengths of indexed values are bounded (keys, heads of digests and SURTs).
 */
export const catalog: Migration = {
  version: 1,
  name: 'catalog',
  statements: ({ id, int, real, text, strict }) => [
    `create table urls (id ${id}, key ${text} not null unique, url ${text} not null, surt ${text})${strict}`,
    // Only captured URLs are in the order of CDXJ; those only heard of stay out of the index.
    `create index urls_by_surt on urls (substr(surt, 1, 200)) where surt is not null`,
    `create table sites (id ${id}, key ${text} not null unique, site ${text} not null)${strict}`,
    `create table hosts (id ${id}, key ${text} not null unique, host ${text} not null)${strict}`,
    `create table crawls (id ${id}, key ${text} not null, state ${text} not null, spec ${text} not null,
      started_at ${int} not null, finished_at ${int}, bytes ${int} not null)${strict}`,
    `create table warc_files (id ${id}, name ${text} not null unique, length ${int} not null,
      crawl_id ${int})${strict}`,
    `create table captures (id ${id}, url_id ${int} not null, site_id ${int}, taken_at ${int} not null,
      type ${text} not null, record_key ${text} not null unique, record_id ${text} not null,
      file_id ${int} not null, file_offset ${int} not null, file_length ${int} not null,
      method ${text} not null, status ${int} not null, mime ${text} not null,
      sha256 ${text} not null, sha1 ${text} not null, size ${int} not null,
      event_id ${text}, truncated ${text}, refers_to_id ${int}, refers_to_at ${int}, profile ${text},
      etag ${text}, last_modified ${text}, request_body ${text}, unique (file_id, file_offset))${strict}`,
    `create index captures_by_url on captures (url_id, taken_at)`,
    `create index captures_by_site on captures (site_id, taken_at)`,
    // Revisits are never originals, so they need no way to be found by digest. 40 bits of it tell payloads
    // apart well enough, the whole digest decides, and short keys keep more of the index in the cache.
    `create index captures_by_sha256 on captures (substr(sha256, 1, 10), taken_at) where type <> 'revisit'`,
    `create index captures_by_sha1 on captures (substr(sha1, 1, 8), taken_at) where type <> 'revisit'`,
    `create table pages (url_id ${int} primary key, site_id ${int}, title ${text} not null,
      search ${text} not null, status ${int} not null, first_at ${int} not null,
      last_at ${int} not null)${strict}`,
    `create index pages_by_site on pages (site_id)`,
    // The ids of all targets in one text: see link-targets.ts. A question by target reads the whole table.
    `create table links (from_id ${int} primary key, targets ${text} not null)${strict}`,
    `create table frontier (id ${id}, crawl_id ${int} not null, url_id ${int} not null, host_id ${int},
      kind ${text} not null, state ${text} not null, why ${text}, detail ${text}, depth ${int} not null,
      extra_hops ${int} not null, redirects ${int} not null, rank ${real} not null, reason ${text} not null,
      attempts ${int} not null, is_seed ${int} not null, via_id ${int}, not_before ${int} not null,
      unique (crawl_id, url_id))${strict}`,
    // Serves the lowest rank of a host, and stays as small as what is left to do.
    `create index frontier_pending on frontier (crawl_id, host_id, rank, id) where state = 'pending'`,
    `create index frontier_by_state on frontier (crawl_id, kind, state, why)`,
    `create table visits (id ${id}, crawl_id ${int} not null, url_id ${int} not null, made_at ${int} not null,
      duration ${int} not null, reason ${text} not null, outcome ${text} not null, status ${int},
      bytes ${int} not null, fault_kind ${text}, fault_detail ${text}, event_id ${text},
      unique (url_id, made_at, outcome, crawl_id))${strict}`,
    `create index visits_by_crawl on visits (crawl_id, outcome, id)`,
  ],
};
