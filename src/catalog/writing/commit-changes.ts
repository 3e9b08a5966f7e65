import type { Change, ChangeOperation } from '../../model/change.ts';
import { deltaUri } from '../../model/derived-uris.ts';
import type { BulkStatement } from '../engines/bulk-statement.ts';
import { storable, whole } from '../names/stored-text.ts';
import type { CommitScope } from './commit.ts';
import { foldForSearch } from './commit-pages.ts';

/** A change known already is left as it is, with its operations: reindexing adds nothing twice. */
const ADD_CHANGE: BulkStatement = {
  name: 'add-change',
  columns: {
    url_id: 'int',
    site_id: 'int',
    delta_id: 'int',
    from_at: 'int',
    to_at: 'int',
    importance: 'real',
    partial: 'int',
    operations: 'int',
    course: 'text',
  },
  sql: `insert into changes (url_id, site_id, delta_id, from_at, to_at, importance, partial, operations, course)
    select rows.url_id, rows.site_id, rows.delta_id, rows.from_at, rows.to_at, rows.importance, rows.partial,
      rows.operations, rows.course
    from {rows} where true
    on conflict (url_id, to_at) do nothing returning id, url_id, to_at`,
  returns: true,
};

const OPERATION_COLUMNS = {
  change_id: 'int',
  place: 'int',
  op: 'text',
  element: 'text',
  block: 'text',
  weight: 'real',
  old_text: 'text',
  new_text: 'text',
  old_address: 'text',
  new_address: 'text',
  advertisement: 'int',
  search: 'text',
} as const;

const ADD_OPERATION: BulkStatement = {
  name: 'add-operation',
  columns: OPERATION_COLUMNS,
  sql: `insert into operations (${Object.keys(OPERATION_COLUMNS).join(', ')})
    select ${Object.keys(OPERATION_COLUMNS)
      .map((column) => `rows.${column}`)
      .join(', ')} from {rows} where true`,
  returns: false,
};

export async function writeChanges(scope: CommitScope, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  const keyed = new Map<string, Change>();
  for (const change of changes) {
    const key = `${scope.url(change.url).id} ${whole(change.to)}`;
    if (!keyed.has(key)) keyed.set(key, change);
  }
  const rows = [...keyed.values()].map((change) => [
    scope.url(change.url).id,
    scope.site(change.url)?.id ?? null,
    scope.url(deltaUri(change.url)).id,
    whole(change.from),
    whole(change.to),
    change.importance,
    change.partial ? 1 : 0,
    change.operations.length,
    storable(JSON.stringify(change.course)),
  ]);
  type Row = { id: number; url_id: number; to_at: number };
  const added = await scope.engine.bulk<Row>(scope.connection, ADD_CHANGE, rows);
  const operations = added.flatMap(({ id, url_id, to_at }) =>
    (keyed.get(`${url_id} ${to_at}`)?.operations ?? []).map((operation, place) =>
      rowOf(id, place, operation),
    ),
  );
  await scope.engine.bulk(scope.connection, ADD_OPERATION, operations);
}

function rowOf(changeId: number, place: number, operation: ChangeOperation) {
  const { op, element, block, weight, old, new: now, oldAddress, newAddress, advertisement } = operation;
  const parts = [old, now, oldAddress, newAddress].filter((part) => part !== undefined);
  return [
    changeId,
    place,
    op,
    element,
    storable(block),
    weight,
    optional(old),
    optional(now),
    optional(oldAddress),
    optional(newAddress),
    advertisement ? 1 : 0,
    foldForSearch(parts.join('\n')),
  ];
}

const optional = (text: string | undefined): string | null => (text === undefined ? null : storable(text));
