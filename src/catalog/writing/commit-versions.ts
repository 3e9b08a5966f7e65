import type { PageInfo } from '../../model/capture.ts';
import { pageInfoUri } from '../../model/derived-uris.ts';
import { bulkInsert } from '../engines/bulk-statement.ts';
import { optional, storable, whole } from '../names/stored-text.ts';
import type { CommitScope } from './commit.ts';
import { isPlain } from './repeated-versions.ts';

/** A version known already is left as it is: reindexing adds nothing twice. */
const ADD_VERSION = bulkInsert('versions', 'on conflict (url_id, seen_at) do nothing');

export async function writeVersions(scope: CommitScope, pages: readonly PageInfo[]): Promise<void> {
  const rows = pages.flatMap(({ url, at, version }) =>
    version
      ? [
          {
            url_id: scope.url(url).id,
            seen_at: whole(at),
            site_id: scope.site(url)?.id ?? null,
            info_id: scope.url(pageInfoUri(url)).id,
            sha256: storable(version.sha256),
            // As of those that have no row: see repeated-versions.ts.
            size: isPlain(version) ? 0 : whole(version.size),
            look: optional(version.look),
            basis: version.basis,
            importance: version.importance,
            indexed: version.indexed ? 1 : 0,
            kept: version.kept ? 1 : 0,
            reason: version.reason,
            threshold: isPlain(version) ? 0 : version.threshold,
            accumulated: version.accumulated,
          },
        ]
      : [],
  );
  await scope.engine.bulk(scope.connection, ADD_VERSION, rows);
}
