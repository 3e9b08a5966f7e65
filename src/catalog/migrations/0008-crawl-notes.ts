import type { Migration } from '../migrate.ts';

/** What a crawl has to tell that belongs to no page: a Crawl-delay that was cut, a family of URLs that is a trap. */
export const crawlNotes: Migration = {
  version: 8,
  name: 'crawl-notes',
  statements: ({ id, int, text, strict }) => [
    `create table crawl_notes (id ${id}, crawl_id ${int} not null, note ${text} not null,
      unique (crawl_id, note))${strict}`,
  ],
};
