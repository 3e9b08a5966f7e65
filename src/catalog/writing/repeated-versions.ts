import type { CaptureFact, PageInfo } from '../../model/capture.ts';
import { pageInfoUri } from '../../model/derived-uris.ts';
import type { VersionFact } from '../../model/version.ts';
import { bulkQuery } from '../engines/bulk-statement.ts';
import { optional, storable, whole } from '../names/stored-text.ts';
import type { CommitScope } from './commit.ts';

/** A visit that found the version that the one before had found: the capture says so, and has no further rows. */
export interface RepeatedVersion {
  /** Key of the version, with the page. */
  readonly versionAt: number;
  /** Bytes of the event that follow the capture, its page info at their end. */
  readonly rest: number;
}

export interface Repeated {
  readonly captures: ReadonlyMap<CaptureFact, RepeatedVersion>;
  /** Page infos of those visits, which need not be read: they say nothing new. */
  readonly infos: ReadonlySet<CaptureFact>;
  readonly pages: ReadonlySet<PageInfo>;
}

interface KnownVersion {
  readonly seen_at: number;
  readonly sha256: string;
  readonly look: string | null;
  readonly basis: string;
  readonly accumulated: number;
}

const LAST_VERSION = bulkQuery<KnownVersion & { url_id: number }>()({
  name: 'last-version',
  columns: { url_id: 'int', before: 'int' },
  sql: `select v.url_id, v.seen_at, v.sha256, v.look, v.basis, v.accumulated from {rows} join versions v
    on v.url_id = rows.url_id and v.seen_at = (select max(w.seen_at) from versions w
      where w.url_id = rows.url_id and w.seen_at < rows.before)`,
});

/** Nothing new: size and threshold of such a visit are not kept, its page info has them. */
export const isPlain = ({ reason, kept, indexed, importance }: VersionFact): boolean =>
  reason === 'unchanged' && kept && !indexed && importance === 0;

/** The visits of a batch that tell nothing new of their pages, and of which nothing went wrong. Those of one page in one batch are judged one by one. */
export async function repeatedVersions(
  scope: CommitScope,
  pages: readonly PageInfo[],
  captures: readonly CaptureFact[],
): Promise<Repeated> {
  const visits = new Map<PageInfo, VersionFact>();
  const seen = new Set<string>();
  for (const page of pages) {
    const isQuiet = page.facts.length === 0 && page.lost === undefined;
    if (isQuiet && page.version && isPlain(page.version) && !seen.has(page.url))
      visits.set(page, page.version);
    seen.add(page.url);
  }
  const found = {
    captures: new Map<CaptureFact, RepeatedVersion>(),
    infos: new Set<CaptureFact>(),
    pages: new Set<PageInfo>(),
  };
  if (visits.size === 0) return found;
  const rows = [...visits.keys()].map(({ url, at }) => ({ url_id: scope.url(url).id, before: whole(at) }));
  const known = await scope.engine.bulk(scope.connection, LAST_VERSION, rows);
  const versions = new Map(known.map((version) => [version.url_id, version]));
  const facts = new Map<number, CaptureFact[]>();
  for (const fact of captures) {
    const together = facts.get(fact.at);
    if (together) together.push(fact);
    else facts.set(fact.at, [fact]);
  }
  for (const [page, fact] of visits) {
    const before = versions.get(scope.url(page.url).id);
    const event = eventOf(page, facts.get(page.at) ?? []);
    if (!before || !event || !isSame(before, fact)) continue;
    const { main, info } = event;
    const rest = info.offset + info.length - (main.offset + main.length);
    found.captures.set(main, { versionAt: before.seen_at, rest });
    found.infos.add(info);
    found.pages.add(page);
  }
  return found;
}

function isSame(before: KnownVersion, fact: VersionFact): boolean {
  return (
    before.sha256 === storable(fact.sha256) &&
    before.look === optional(fact.look) &&
    before.basis === fact.basis &&
    before.accumulated === fact.accumulated
  );
}

/** The document and the page info of one event, which ends with that. */
function eventOf(
  { url }: PageInfo,
  facts: readonly CaptureFact[],
): { readonly main: CaptureFact; readonly info: CaptureFact } | undefined {
  const main = facts.find(
    (fact) => fact.url === url && (fact.type === 'revisit' || fact.type === 'response'),
  );
  const info = facts.find((fact) => fact.url === pageInfoUri(url));
  if (!main || !info || main.eventId !== info.eventId || main.eventId === undefined) return undefined;
  return main.file === info.file && main.offset < info.offset ? { main, info } : undefined;
}
