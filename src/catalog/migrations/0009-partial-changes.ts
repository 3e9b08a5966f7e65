import type { Migration } from '../migrate.ts';

/** Whether a change was seen in part only: a page that is longer than a snapshot may be. */
export const partialChanges: Migration = {
  version: 9,
  name: 'partial-changes',
  statements: ({ int }) => [`alter table changes add column partial ${int} not null default 0`],
};
