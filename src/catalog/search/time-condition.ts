import type { PassageQuery } from '../../ports/search-index.ts';

/** SQL over `came_at` and `gone_at`, with the values it names by `:from` and `:to`. */
export function timeCondition({ event, from, to }: PassageQuery): string {
  const column = event === 'appeared' ? 'came_at' : 'gone_at';
  const conditions =
    event === 'present'
      ? [
          ...(to === undefined ? [] : ['came_at <= :to']),
          ...(from === undefined ? [] : ['(gone_at is null or gone_at > :from)']),
        ]
      : [
          ...(event === 'vanished' ? ['gone_at is not null'] : []),
          ...(from === undefined ? [] : [`${column} >= :from`]),
          ...(to === undefined ? [] : [`${column} <= :to`]),
        ];
  return conditions.length === 0 ? '' : ` and ${conditions.join(' and ')}`;
}
