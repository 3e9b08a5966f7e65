import { listChanges } from '../../access/changes.ts';
import { listPatterns } from '../../access/patterns.ts';
import { type CaptureFact, isWebCapture } from '../../model/capture.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { ExportFilter } from './export-selection.ts';

export const TABLE_NAMES = ['captures', 'changes', 'patterns', 'links'] as const;
/** What can be written as a table. */
export type TableOf = (typeof TABLE_NAMES)[number];

/** Times are milliseconds since 1970. */
export type CellType = 'text' | 'time' | 'count' | 'number';
export type Cell = string | number | null;

export interface ExportedTable {
  readonly columns: Readonly<Record<string, CellType>>;
  /** In the order of the columns. */
  rows(): AsyncIterable<readonly Cell[]>;
}

/** Which rows: by site, addresses, and time span. */
export interface TableFilter extends Pick<ExportFilter, 'site' | 'urlPrefix' | 'from' | 'to'> {
  /** Which captures may be disclosed at all. */
  readonly isWanted: (fact: CaptureFact) => boolean;
}

export function exportedTable(of: TableOf, catalog: Catalog, filter: TableFilter): ExportedTable {
  const { siteOf } = catalog.siteBounds();
  const isWanted = (url: string, at?: number): boolean =>
    (filter.site === undefined || siteOf(url) === filter.site) &&
    (filter.urlPrefix === undefined || url.startsWith(filter.urlPrefix)) &&
    (at === undefined ||
      ((filter.from === undefined || at >= filter.from) && (filter.to === undefined || at <= filter.to)));
  return TABLES[of](catalog, isWanted, filter);
}

type Wanted = (url: string, at?: number) => boolean;

const TABLES: Readonly<
  Record<TableOf, (catalog: Catalog, isWanted: Wanted, filter: TableFilter) => ExportedTable>
> = {
  captures: (catalog, isWanted, { isWanted: mayBeTold }) => ({
    columns: {
      ...{
        url: 'text',
        at: 'time',
        type: 'text',
        method: 'text',
        status: 'count',
        mime: 'text',
        size: 'count',
      },
      ...{ sha256: 'text', file: 'text', offset: 'count', record: 'text' },
    },
    async *rows() {
      for await (const fact of catalog.captures({})) {
        const { url, at, type, method, status, mime, digest, file, offset, recordId } = fact;
        if (isWebCapture(fact) && mayBeTold(fact) && isWanted(url, at))
          yield [url, at, type, method, status, mime, digest.size, digest.sha256, file, offset, recordId];
      }
    },
  }),
  changes: (catalog, isWanted) => ({
    columns: {
      ...{ url: 'text', from: 'time', to: 'time', importance: 'number', salience: 'number', why: 'text' },
      operations: 'count',
    },
    async *rows() {
      for await (const change of listChanges(catalog, { sort: 'time', operationLimit: 0 })) {
        const { url, from, to, importance, salience, why, count } = change;
        if (isWanted(url, to)) yield [url, from, to, importance, salience ?? null, why ?? null, count];
      }
    },
  }),
  patterns: (catalog, isWanted, { site }) => ({
    columns: {
      ...{ url: 'text', site: 'text', kind: 'text', zone: 'text', observations: 'count', changes: 'count' },
      ...{
        changesPerDay: 'number',
        confidence: 'number',
        threshold: 'number',
        firstAt: 'time',
        lastAt: 'time',
      },
      ...{ pattern: 'text', rate: 'text' },
    },
    async *rows() {
      const { pages } = await listPatterns(catalog, site === undefined ? {} : { site });
      for (const page of pages) {
        if (!isWanted(page.url)) continue;
        const { url, kind, zone, observations, changes, changesPerDay, confidence, threshold } = page;
        yield [
          ...[url, page.site, kind, zone, observations, changes, changesPerDay, confidence, threshold],
          ...[page.firstAt, page.lastAt, JSON.stringify(page.pattern), JSON.stringify(page.rate)],
        ];
      }
    },
  }),
  links: (catalog, isWanted) => ({
    columns: { from: 'text', to: 'text' },
    async *rows() {
      for await (const { page, links } of catalog.linkRows()) {
        const urls = await catalog.urlsOfPages([page, ...links]);
        const from = urls.get(page);
        if (from === undefined || !isWanted(from)) continue;
        for (const target of links) {
          const to = urls.get(target);
          if (to !== undefined) yield [from, to];
        }
      }
    },
  }),
};
