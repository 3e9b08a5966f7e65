import type { InferredDirectory, VirtualDirectory } from '../../model/inference.ts';
import type { KeptEntry } from '../../ports/catalog.ts';
import { bulkInsert, bulkWrite } from '../engines/bulk-statement.ts';
import { encodeTargets } from '../names/link-targets.ts';
import { keyOf, storable, whole } from '../names/stored-text.ts';
import type { CommitScope } from './commit.ts';

const WRITE = bulkInsert(
  'inferred_directories',
  `on conflict (crawl_id, site_id, key) do update set state = excluded.state, urls = excluded.urls, rule = excluded.rule,
    expected_missed = excluded.expected_missed, confidence = excluded.confidence`,
);

export async function writeInferences(
  scope: CommitScope,
  inferred: readonly InferredDirectory[],
): Promise<void> {
  const rows = inferred.map(({ site, directory, assumes, urls, ...fact }) => ({
    crawl_id: scope.crawlId,
    site_id: scope.siteNamed(site).id,
    key: keyOf(storable(directory)),
    directory: storable(directory),
    reason: fact.reason,
    rule: storable(fact.rule),
    assumes: assumes ? storable(JSON.stringify(assumes)) : null,
    expected_missed: fact.expectedMissed,
    confidence: fact.confidence,
    last_seen: whole(fact.lastSeen),
    state: fact.state,
    urls: encodeTargets(urls.map((url) => scope.url(url).id)),
  }));
  await scope.engine.bulk(scope.connection, WRITE, rows);
}

const hostOf = (url = ''): string => (URL.canParse(url) ? new URL(url).host : '');

const WRITE_VIRTUAL = bulkInsert('virtual_directories', 'on conflict (crawl_id, site_id, key) do nothing');

export async function writeVirtual(scope: CommitScope, virtual: readonly VirtualDirectory[]): Promise<void> {
  const rows = virtual.map(({ site, directory, reason, rule, expectedMissed, heldBy, urls }) => ({
    crawl_id: scope.crawlId,
    site_id: scope.siteNamed(site).id,
    // Directories of hosts that become one site stay apart.
    key: keyOf(storable(`${heldBy} ${hostOf(urls[0])} ${directory}`)),
    directory: storable(directory),
    reason,
    rule: storable(rule),
    expected_missed: expectedMissed,
    held_by: storable(heldBy),
    urls: encodeTargets(urls.map((url) => scope.url(url).id)),
  }));
  await scope.engine.bulk(scope.connection, WRITE_VIRTUAL, rows);
}

const LEAVE = bulkWrite({
  name: 'leave-uncounted',
  columns: { id: 'int', crawl_id: 'int' },
  sql: `delete from frontier where exists (select 1 from {rows} where rows.id = frontier.id
    and rows.crawl_id = frontier.crawl_id) and frontier.state = 'pending'`,
  sqliteSql: `delete from frontier where id = ? and crawl_id = ? and state = 'pending'`,
});

/** They may join again: a directory that was held back may be visited after all. */
export async function leave(scope: CommitScope, kept: readonly KeptEntry[]): Promise<void> {
  if (kept.length === 0) return;
  await scope.engine.bulk(
    scope.connection,
    LEAVE,
    kept.map(({ entryId }) => ({ id: entryId, crawl_id: scope.crawlId })),
  );
  for (const { url } of kept) {
    const known = scope.url(url);
    known.place = 'unknown';
    scope.note(known);
  }
}
