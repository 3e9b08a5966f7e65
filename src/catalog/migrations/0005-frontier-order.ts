import type { Migration } from '../migrate.ts';

/**
 * The frontier of a crawl in the order it grew. Without it both engines gathered and sorted what was left of the crawl for
 * each page of its log: 0.13 s per 500 rows at 211,000. SQLite ends every index with the id.
 */
export const frontierOrder: Migration = {
  version: 5,
  name: 'frontier-order',
  statements: ({ dialect }) => [
    dialect === 'postgres'
      ? `create index frontier_by_crawl on frontier (crawl_id, id)`
      : `create index frontier_by_crawl on frontier (crawl_id)`,
  ],
};
