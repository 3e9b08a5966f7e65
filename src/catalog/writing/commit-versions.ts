import type { PageInfo } from '../../model/capture.ts';
import { pageInfoUri } from '../../model/derived-uris.ts';
import type { BulkStatement } from '../engines/bulk-statement.ts';
import { storable, whole } from '../names/stored-text.ts';
import type { CommitScope } from './commit.ts';

const COLUMNS = {
  url_id: 'int',
  seen_at: 'int',
  site_id: 'int',
  info_id: 'int',
  sha256: 'text',
  size: 'int',
  look: 'text',
  basis: 'text',
  importance: 'real',
  indexed: 'int',
  kept: 'int',
  reason: 'text',
  threshold: 'real',
  accumulated: 'real',
} as const;

/** A version known already is left as it is: reindexing adds nothing twice. */
const ADD_VERSION: BulkStatement = {
  name: 'add-version',
  columns: COLUMNS,
  sql: `insert into versions (${Object.keys(COLUMNS).join(', ')})
    select ${Object.keys(COLUMNS)
      .map((column) => `rows.${column}`)
      .join(', ')} from {rows} where true
    on conflict (url_id, seen_at) do nothing`,
  returns: false,
};

export async function writeVersions(scope: CommitScope, pages: readonly PageInfo[]): Promise<void> {
  const rows = pages.flatMap(({ url, at, version }) =>
    version
      ? [
          [
            scope.url(url).id,
            whole(at),
            scope.site(url)?.id ?? null,
            scope.url(pageInfoUri(url)).id,
            storable(version.sha256),
            whole(version.size),
            version.look === undefined ? null : storable(version.look),
            version.basis,
            version.importance,
            version.indexed ? 1 : 0,
            version.kept ? 1 : 0,
            version.reason,
            version.threshold,
            version.accumulated,
          ],
        ]
      : [],
  );
  if (rows.length > 0) await scope.engine.bulk(scope.connection, ADD_VERSION, rows);
}
