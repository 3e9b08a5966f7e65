import type { DeltaDocument } from '../../model/site-delta.ts';
import type { ImportedHistories } from '../../ports/catalog.ts';
import { bulkInsert, bulkQuery } from '../engines/bulk-statement.ts';
import { packDocuments, unpackDocuments } from '../names/packed-documents.ts';
import { storable } from '../names/stored-text.ts';
import { readHistoryRow } from '../reading/imported-history.ts';
import type { CommitScope } from './commit.ts';
import { writeSurts } from './commit-captures.ts';

const FIND_PAGE = bulkQuery<{ url_id: number; documents: Uint8Array }>()({
  name: 'find-imported-page',
  columns: { url_id: 'int' },
  sql: 'select p.url_id, p.documents from {rows} join imported_pages p on p.url_id = rows.url_id',
});
const WRITE_PAGE = bulkInsert(
  'imported_pages',
  'on conflict (url_id) do update set documents = excluded.documents',
);
const FIND_SITE = bulkQuery<{ site_id: number; crawls: string; mirrors: string }>()({
  name: 'find-imported-site',
  columns: { site_id: 'int' },
  sql: 'select s.site_id, s.crawls, s.mirrors from {rows} join imported_sites s on s.site_id = rows.site_id',
});
const WRITE_SITE = bulkInsert(
  'imported_sites',
  'on conflict (site_id) do update set crawls = excluded.crawls, mirrors = excluded.mirrors',
);

/** Adds to what is known; of two that tell of one access of one archive, the first stays. */
export async function writeHistories(scope: CommitScope, histories: ImportedHistories): Promise<void> {
  await writePages(scope, histories.pages);
  await writeSites(scope, histories.sites);
}

async function writePages(scope: CommitScope, pages: ImportedHistories['pages']): Promise<void> {
  // PostgreSQL takes each row of an upsert once.
  const rows = new Map<number, { site_id: number; documents: readonly DeltaDocument[] }>();
  for (const { url, site, documents } of pages) {
    const url_id = scope.url(url).id;
    const before = rows.get(url_id)?.documents ?? [];
    rows.set(url_id, { site_id: scope.siteNamed(site).id, documents: [...before, ...documents] });
  }
  const ids = [...rows.keys()].map((url_id) => ({ url_id }));
  const known = new Map<number, Uint8Array>();
  for (const { url_id, documents } of await scope.engine.bulk(scope.connection, FIND_PAGE, ids))
    known.set(url_id, documents);
  await scope.engine.bulk(
    scope.connection,
    WRITE_PAGE,
    [...rows].map(([url_id, { site_id, documents }]) => {
      const before = known.get(url_id);
      return {
        url_id,
        site_id,
        documents: packDocuments(joined(before ? unpackDocuments(before) : [], documents)),
      };
    }),
  );
  await writeSurts(scope, pages);
}

function joined(before: readonly DeltaDocument[], more: readonly DeltaDocument[]): readonly DeltaDocument[] {
  const byAccess = new Map<string, DeltaDocument>();
  for (const document of [...before, ...more]) {
    const key = `${document.at} ${document.archive}`;
    if (!byAccess.has(key)) byAccess.set(key, document);
  }
  return [...byAccess.values()].sort((a, b) => a.at - b.at || (a.archive < b.archive ? -1 : 1));
}

async function writeSites(scope: CommitScope, sites: ImportedHistories['sites']): Promise<void> {
  const given = new Map<number, ImportedHistories['sites'][number][]>();
  for (const one of sites) {
    const { id } = scope.siteNamed(one.site);
    given.set(id, [...(given.get(id) ?? []), one]);
  }
  const ids = [...given.keys()].map((site_id) => ({ site_id }));
  const rows = await scope.engine.bulk(scope.connection, FIND_SITE, ids);
  const known = new Map(rows.map((row) => [row.site_id, readHistoryRow(row)]));
  const written = [...given].map(([site_id, histories]) => {
    const all = [...(known.has(site_id) ? [known.get(site_id)] : []), ...histories];
    const crawls = new Map(
      all.flatMap((one) => one?.crawls ?? []).map((crawl) => [`${crawl.archive} ${crawl.from}`, crawl]),
    );
    const mirrors = new Map(
      all
        .flatMap((one) => one?.mirrors ?? [])
        .sort((a, b) => a.checkedAt - b.checkedAt)
        .map((mirror) => [`${mirror.archive} ${mirror.url} ${mirror.path}`, mirror]),
    );
    return {
      site_id,
      crawls: storable(JSON.stringify([...crawls.values()])),
      mirrors: storable(JSON.stringify([...mirrors.values()])),
    };
  });
  await scope.engine.bulk(scope.connection, WRITE_SITE, written);
}
