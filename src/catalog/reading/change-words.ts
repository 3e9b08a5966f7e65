import { type ExpressionBuilder, sql } from 'kysely';
import type { ChangedElement } from '../../model/change.ts';
import type { ChangeQuery } from '../../ports/catalog.ts';
import type { Connection } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import { foldForSearch } from '../writing/commit-pages.ts';

/** What a query asks of an operation. */
type Wanted = Pick<ChangeQuery, 'op' | 'element' | 'text'>;

const wordsOf = (text: string | undefined): readonly string[] =>
  foldForSearch(text ?? '')
    .split(/\s+/u)
    .filter((word) => word !== '');

export const asksForOperations = ({ op, element, text }: Wanted): boolean =>
  op !== undefined || element !== undefined || wordsOf(text).length > 0;

/** Whether one operation must be all that is asked for: one word, or kinds alone, `mayHave` tells by itself. */
export const needsOperations = (query: Wanted): boolean => {
  const words = wordsOf(query.text).length;
  return words > 1 || (words === 1 && (query.op !== undefined || query.element !== undefined));
};

export type Operations = ExpressionBuilder<Tables & { o: Tables['operations'] }, 'o'>;

/** A story that came or went with its block brought its links and texts along. */
const elementsWith = (element: ChangedElement): ChangedElement[] =>
  element === 'link' || element === 'text' ? [element, 'block'] : [element];

/** One operation that is all that was asked for; each word may stand anywhere in it. */
export function wanted(operation: Operations, { op, element, text }: Wanted) {
  return operation.and([
    ...(op === undefined ? [] : [operation('o.op', '=', op)]),
    ...(element === undefined ? [] : [operation('o.element', 'in', elementsWith(element))]),
    ...wordsOf(text).map((word) => holds(sql.ref('o.search'), word)),
  ]);
}

/**
 * The changes of which an operation may be all that is asked for: one walk over narrow rows, where operations were read row by
 * row (150 ms of processor for a word that 48,000 changes have not, 3 by this).
 */
export function mayHave(db: Connection, { op, element, text }: Wanted) {
  const kinds = element === undefined ? [undefined] : elementsWith(element);
  const column = sql.ref('w.kinds');
  let rows = db
    .selectFrom('change_words as w')
    .select('w.change_id')
    .where((change) => change.and(wordsOf(text).map((word) => holds(sql.ref('w.words'), word))));
  if (op !== undefined || element !== undefined) {
    rows = rows.where((change) =>
      change.or(
        kinds.map((kind) =>
          holds(column, `${op === undefined ? '' : ` ${op}`}/${kind === undefined ? '' : `${kind} `}`),
        ),
      ),
    );
  }
  return rows;
}

/** Both sides are folded already. LIKE takes half the time that other ways of both databases take. */
const holds = (column: ReturnType<typeof sql.ref>, text: string) =>
  sql<boolean>`${column} like ${`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`} escape '\\'`;
