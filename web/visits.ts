import type { CaptureRow } from './api.ts';
import type { Mark } from './charts/timeline.ts';

/** A capture as a timeline draws it: a mark where a reader would see something else, sized by how much; else a tick. */
export function markOf({ at, comparison }: Pick<CaptureRow, 'at' | 'comparison'>): Mark {
  if (comparison === undefined || comparison.kind === 'first') return { at, kind: 'first', weight: 0 };
  const isChange = comparison.kind === 'changed' || comparison.kind === 'not-comparable';
  const weight = comparison.salience ?? comparison.importance ?? 0;
  return { at, kind: isChange ? 'changed' : 'same', weight };
}
