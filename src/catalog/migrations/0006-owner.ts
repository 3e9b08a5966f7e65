import type { Migration } from '../migrate.ts';

/** Whom the catalog belongs to: one row, or none in a catalog that no archive has opened since. */
export const owner: Migration = {
  version: 6,
  name: 'owner',
  statements: ({ int, text, strict }) => [
    `create table owner (one ${int} primary key check (one = 1), id ${text} not null, name ${text} not null,
      opening ${text} not null, folder ${text} not null, host ${text} not null, opened_at ${int} not null)${strict}`,
  ],
};
