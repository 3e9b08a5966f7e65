import type { Change, ChangeOperation } from '../../model/change.ts';
import { deltaUri } from '../../model/derived-uris.ts';
import { bulkInsert, bulkQuery, insertInto, type RowOf } from '../engines/bulk-statement.ts';
import { optional, storable, whole } from '../names/stored-text.ts';
import { ownColumns } from '../tables.ts';
import type { CommitScope } from './commit.ts';
import { foldForSearch } from './commit-pages.ts';

const CHANGE = ownColumns('changes');
/** A change known already is left as it is, with its operations: reindexing adds nothing twice. */
const ADD_CHANGE = bulkQuery<{ id: number; url_id: number; to_at: number }>()({
  name: 'add-change',
  columns: CHANGE,
  sql: `${insertInto('changes', CHANGE)} on conflict (url_id, to_at) do nothing returning id, url_id, to_at`,
});

const ADD_OPERATION = bulkInsert('operations');
const ADD_SALIENCE = bulkInsert('saliences');
const ADD_WORDS = bulkInsert('change_words');

export async function writeChanges(scope: CommitScope, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  const keyed = new Map<string, Change>();
  for (const change of changes) {
    const key = `${scope.url(change.url).id} ${whole(change.to)}`;
    if (!keyed.has(key)) keyed.set(key, change);
  }
  const rows = [...keyed.values()].map((change) => ({
    url_id: scope.url(change.url).id,
    site_id: scope.site(change.url)?.id ?? null,
    delta_id: scope.url(deltaUri(change.url)).id,
    from_at: whole(change.from),
    to_at: whole(change.to),
    importance: change.importance,
    partial: change.partial ? 1 : 0,
    operations: change.operations.length,
    course: storable(JSON.stringify(change.course)),
  }));
  const added = await scope.engine.bulk(scope.connection, ADD_CHANGE, rows);
  const operations = added.map(({ id, url_id, to_at }) =>
    (keyed.get(`${url_id} ${to_at}`)?.operations ?? []).map((operation, place) =>
      rowOf(id, place, operation),
    ),
  );
  await scope.engine.bulk(scope.connection, ADD_OPERATION, operations.flat());
  await scope.engine.bulk(scope.connection, ADD_WORDS, operations.flatMap(wordsRow));
  const saliences = added.flatMap(({ id, url_id, to_at }) =>
    salienceRow(id, keyed.get(`${url_id} ${to_at}`) as Change),
  );
  if (saliences.length > 0) await scope.engine.bulk(scope.connection, ADD_SALIENCE, saliences);
}

function salienceRow(changeId: number, { salience, why, operations }: Change) {
  if (salience === undefined) return [];
  const own = JSON.stringify(operations.map((operation) => operation.salience ?? 0));
  return [{ change_id: changeId, salience, why: storable(why ?? ''), operations: own }];
}

type OperationRow = RowOf<(typeof ADD_OPERATION)['columns']>;

function wordsRow(operations: readonly OperationRow[]) {
  const [first] = operations;
  if (!first) return [];
  const kinds = new Set(operations.map(({ op, element }) => `${op}/${element}`));
  const words = new Set(operations.flatMap(({ search }) => (search ?? '').split(/\s+/u)));
  return [{ change_id: first.change_id, kinds: ` ${[...kinds].join(' ')} `, words: [...words].join(' ') }];
}

function rowOf(changeId: number, place: number, operation: ChangeOperation): OperationRow {
  const { op, element, block, weight, old, new: now, oldAddress, newAddress, advertisement } = operation;
  const parts = [old, now, oldAddress, newAddress].filter((part) => part !== undefined);
  return {
    change_id: changeId,
    place,
    op,
    element,
    block: storable(block),
    weight,
    old_text: optional(old),
    new_text: optional(now),
    old_address: optional(oldAddress),
    new_address: optional(newAddress),
    advertisement: advertisement ? 1 : 0,
    search: foldForSearch(parts.join('\n')),
  };
}
