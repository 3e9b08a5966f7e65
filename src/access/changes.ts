import type { ChangeOperation } from '../model/change.ts';
import type { ChangeCatalog, ChangeQuery, ChangeSummary } from '../ports/catalog.ts';
import type { ShownElement } from '../science/delta/delta-json.ts';
import { operationWords } from '../science/delta/operation-words.ts';

/** Changes read at a time: what a list of any length holds in memory. */
const PAGE = 200;

/** As the query ranks them. */
export async function* listChanges(catalog: ChangeCatalog, query: ChangeQuery): AsyncIterable<ChangeSummary> {
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  let offset = query.offset ?? 0;
  while (left > 0) {
    const limit = Math.min(PAGE, left);
    const page = await catalog.changes({ ...query, limit, offset });
    yield* page;
    if (page.length < limit) return;
    left -= page.length;
    offset += page.length;
  }
}

/** For people: when, how much, where; then the weightiest operations in words. */
export function changeText({ url, to, importance, partial, operations, count }: ChangeSummary): string {
  const lines = [`${timeText(to)}  ${importance.toFixed(3)}  ${url}`];
  if (partial) lines.push('           only a part of the page was compared: there may be more');
  for (const operation of operations) lines.push(`    ${operation.weight.toFixed(3)}  ${inWords(operation)}`);
  const more = count - operations.length;
  if (more > 0) lines.push(`           and ${more} more operation${more === 1 ? '' : 's'}`);
  return lines.join('\n');
}

/** To the second, UTC. */
const timeText = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

const QUOTED = 80;
const DONE = { insert: 'new', delete: 'gone', move: 'moved' } as const;

export function inWords(operation: ChangeOperation): string {
  const { op, element, block, weight, old, new: now, oldAddress, newAddress, advertisement } = operation;
  if (element === 'block') {
    if (op === 'update')
      return now === undefined ? `block ${block} has another shape` : `block ${old} became ${now}`;
    const held = now || old;
    return `block ${DONE[op]} ${block}${held ? `: “${cut(held)}”` : ''}`;
  }
  const side = (text: string | undefined, address: string | undefined): ShownElement | undefined =>
    text === undefined ? undefined : { name: text, ...(address !== undefined && { address }) };
  const [before, after] = [side(old, oldAddress), side(now, newAddress)];
  const words = operationWords({
    op,
    element,
    block,
    weight,
    ...(before && { old: before }),
    ...(after && { new: after }),
  });
  return advertisement ? `${words} (advertisement)` : words;
}

const cut = (text: string): string => (text.length > QUOTED ? `${text.slice(0, QUOTED - 1)}…` : text);
