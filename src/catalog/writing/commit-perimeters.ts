import type { PageInfo } from '../../model/capture.ts';
import type { PerimeterStanding, Suspect } from '../../model/perimeter.ts';
import type { Millis } from '../../model/time.ts';
import { bulkInsert, type RowOf } from '../engines/bulk-statement.ts';
import { storable, whole } from '../names/stored-text.ts';
import type { ownColumns } from '../tables.ts';
import type { CommitScope } from './commit.ts';

const COLUMNS = ['inside', 'chance', 'own', 'hops', 'facts', 'judged_at'];
const taken = COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ');

const ADD = bulkInsert(
  'perimeter_urls',
  `on conflict (perimeter, url_id) do update set is_read = excluded.is_read, ${taken}
    where excluded.is_read > perimeter_urls.is_read
      or (excluded.is_read = perimeter_urls.is_read and excluded.judged_at >= perimeter_urls.judged_at)`,
);

type Row = RowOf<ReturnType<typeof ownColumns<'perimeter_urls'>>>;

/** What is known of a page that was read stands above what was thought of it before, in whatever order they come. */
export async function writeStandings(
  scope: CommitScope,
  pages: readonly PageInfo[],
  suspects: readonly Suspect[] = [],
): Promise<void> {
  const rows = new Map<string, Row>();
  const add = (row: Row): void => {
    const key = `${row.perimeter} ${row.url_id}`;
    const before = rows.get(key);
    if (!before || (row.is_read ?? 0) > (before.is_read ?? 0) || isLater(row, before)) rows.set(key, row);
  };
  for (const suspect of suspects) add(rowOf(scope.url(suspect.url).id, suspect, suspect.at, 0));
  for (const { url, at, perimeter } of pages) if (perimeter) add(rowOf(scope.url(url).id, perimeter, at, 1));
  if (rows.size > 0) await scope.engine.bulk(scope.connection, ADD, [...rows.values()]);
}

const isLater = (a: Row, b: Row): boolean =>
  a.is_read === b.is_read && (a.judged_at ?? 0) >= (b.judged_at ?? 0);

function rowOf(urlId: number, standing: PerimeterStanding, at: Millis, isRead: 0 | 1): Row {
  const { perimeter, inside, chance, own, hops, evidence, links, decided } = standing;
  const facts = {
    evidence: evidence.map(({ criterion, outcome, found, strength, weight, isOwn }) => [
      ...[criterion, outcome, found, strength, weight, ...(isOwn ? [1] : [])],
    ]),
    links: links.map(({ mean, weight }) => [mean, weight]),
    ...(decided !== undefined && { decided }),
  };
  return {
    perimeter: storable(perimeter),
    url_id: urlId,
    is_read: isRead,
    inside: inside ? 1 : 0,
    chance,
    own,
    hops: whole(hops),
    facts: storable(JSON.stringify(facts)),
    judged_at: whole(at),
  };
}
