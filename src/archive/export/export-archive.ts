import { basename, join, resolve } from 'node:path';
import { archivedUrl, type NamingCatalog } from '../../access/capture-name.ts';
import { siteNamed } from '../../access/site-name.ts';
import { type CaptureFact, isWebCapture } from '../../model/capture.ts';
import { isPrivate } from '../../model/private-capture.ts';
import { localFile } from '../../storage/record-copies.ts';
import { writeCdxj } from '../../warc/cdxj.ts';
import { damagedParts } from '../../warc/damaged-parts.ts';
import type { ProblemPlace } from '../../warc/read-options.ts';
import { exportWacz, type WaczExported } from '../../warc/wacz/export.ts';
import { certificateFiles } from '../certificate-files.ts';
import { webAddress } from '../given/web-address.ts';
import { orTellGone } from '../open/gone-while-reading.ts';
import { type ArchiveLocation, type OpenArchive, openForReading } from '../open/open-archive.ts';
import { exportSiteDelta, type SiteDeltaExported } from '../site-delta/export-site-delta.ts';
import { systemClock } from '../system-clock.ts';
import { UserError } from '../user-error.ts';
import { VERSION } from '../version.ts';
import { copySelection, type ExportFilter, isFiltered, selectCaptures } from './export-selection.ts';
import { pageCaptures } from './page-captures.ts';
import { isTableFormat, type TableFormat } from './table-formats.ts';
import { exportedTable, type TableOf } from './table-rows.ts';

export interface ExportOptions extends ExportFilter {
  readonly format: 'wacz' | 'cdxj' | 'site-delta' | TableFormat;
  /** What a table is of; captures unless given. */
  readonly of?: TableOf;
  readonly out?: string;
  readonly title?: string;
  /** Also captures that were made with supplied secrets. */
  readonly includePrivate?: boolean;
}

export type ExportReport =
  | ({ readonly format: 'site-delta'; readonly out: string } & SiteDeltaExported)
  | ({
      readonly format: TableFormat;
      readonly out: string;
      readonly of: TableOf;
      readonly rows: number;
    } & LeftPrivate)
  | ({ readonly format: 'cdxj'; readonly out: string; readonly captures: number } & LeftPrivate)
  | ({
      readonly format: 'wacz';
      readonly out: string;
      readonly originals?: number;
      /** Parts of the files that were copied whole and are no readable record. */
      readonly damaged: readonly ProblemPlace[];
    } & WaczExported &
      LeftPrivate);

interface LeftPrivate {
  /** Record files that were left out because their captures are private; absent where there are none. */
  readonly privateFiles?: number;
}

const ENDINGS = { wacz: 'wacz', cdxj: 'cdxj', 'site-delta': 'site-delta.xml' } as const;

/** Writes the archive, or the part that the filter chooses, as WACZ, its index as CDXJ, or the history of its sites. */
export async function exportArchive(
  location: ArchiveLocation,
  options: ExportOptions,
): Promise<ExportReport> {
  const archive = await openForReading(location);
  try {
    return await orTellGone(archive.folder, () => exportOpened(archive, options));
  } finally {
    await archive.close();
  }
}

async function exportOpened(archive: OpenArchive, options: ExportOptions): Promise<ExportReport> {
  const { format } = options;
  const out = resolve(options.out ?? defaultName(options));
  const { catalog, folder } = archive;
  if (format === 'site-delta')
    return { format, ...(await exportSiteDelta(archive, out, siteAlone(options), options.includePrivate)) };
  const all = await catalog.warcFiles();
  if (all.length === 0) throw new UserError(`the archive ${folder.root} holds no record files yet`);
  const isWanted = (fact: { readonly file: string }): boolean => options.includePrivate || !isPrivate(fact);
  const files = all.filter(isWanted);
  if (files.length === 0)
    throw new UserError('all captures of the archive are private: add --include-private to write them');
  const filter = await filterOf(options, catalog);
  const privateFiles = all.length - files.length;
  if (isTableFormat(format))
    return {
      ...(await exportTable(archive, { ...options, format, out }, filter, isWanted)),
      ...(privateFiles > 0 && { privateFiles }),
    };
  const selection = isFiltered(filter) ? await selectCaptures(archive, filter, isWanted) : undefined;
  if (format === 'cdxj') {
    let captures = 0;
    async function* counted(facts: AsyncIterable<CaptureFact>): AsyncGenerator<CaptureFact> {
      for await (const fact of facts) {
        if (isWebCapture(fact)) captures++;
        yield fact;
      }
    }
    await writeCdxj(out, counted(selection?.captures() ?? wanted(catalog.captures({}), isWanted)));
    return { format, out, captures, ...(privateFiles > 0 && { privateFiles }) };
  }
  const copied = selection && (await copySelection(archive, selection, out));
  // Up to the length that the catalog knows, since a crawl may still be writing.
  const whole = files.map(({ file, length }) => ({ path: join(folder.warc, file), length }));
  const here = (path: string): Promise<unknown> => localFile(folder, basename(path));
  try {
    const exported = await exportWacz({
      out,
      warcFiles: copied?.paths ?? whole,
      ...(!copied && { here }),
      captures: copied?.captures() ?? wanted(catalog.captures({}), isWanted),
      pages: pageCaptures(archive, (fact) => isWanted(fact) && (selection?.isAsked(fact) ?? true)),
      software: `Daguerre/${VERSION}`,
      created: systemClock.now(),
      extraFiles: selection ? [] : await certificateFiles(archive, isWanted),
      ...(options.title !== undefined && { title: options.title }),
    });
    return {
      format,
      ...exported,
      capturesLeftOut: exported.capturesLeftOut + (copied?.leftOut ?? 0),
      // Chosen records were read in order to be copied; files that go in whole, damage included, were not.
      damaged: copied ? [] : await damagedParts(whole, here),
      ...(selection && { originals: selection.originals }),
      ...(privateFiles > 0 && { privateFiles }),
      out,
    };
  } finally {
    await copied?.remove();
  }
}

function defaultName({ format, of = 'captures' }: ExportOptions): string {
  return isTableFormat(format) ? `${of}.${format}` : `archive.${ENDINGS[format]}`;
}

async function exportTable(
  { catalog }: OpenArchive,
  {
    format,
    out,
    of = 'captures',
  }: { readonly format: TableFormat; readonly out: string; readonly of?: TableOf },
  filter: ExportFilter,
  isWanted: (fact: CaptureFact) => boolean,
): Promise<ExportReport> {
  if (filter.collection !== undefined)
    throw new UserError(
      '--collection does not choose rows of a table: use --site, --url-prefix, --from and --to',
    );
  // Parquet writers are loaded for tables only.
  const { writeTable } = await import('./write-table.ts');
  return {
    format,
    out,
    of,
    rows: await writeTable(out, format, exportedTable(of, catalog, { ...filter, isWanted })),
  };
}

async function* wanted(
  facts: AsyncIterable<CaptureFact>,
  isWanted: (fact: CaptureFact) => boolean,
): AsyncGenerator<CaptureFact> {
  for await (const fact of facts) if (isWanted(fact)) yield fact;
}

/** A history always covers whole sites. */
function siteAlone({ site, urlPrefix, from, to, collection }: ExportFilter): string | undefined {
  if ([urlPrefix, from, to, collection].some((given) => given !== undefined))
    throw new UserError('--format site-delta writes the whole history of sites: choose with --site alone');
  return site;
}

async function filterOf(
  { site, urlPrefix, from, to, collection }: ExportFilter,
  catalog: OpenArchive['catalog'],
): Promise<ExportFilter> {
  return {
    ...(site !== undefined && { site: siteNamed(site, catalog.siteBounds()) }),
    ...(urlPrefix !== undefined && { urlPrefix: await prefixOf(urlPrefix, catalog) }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(collection !== undefined && { collection }),
  };
}

/** With the scheme and the `www.` under which the host is archived. */
async function prefixOf(text: string, catalog: NamingCatalog): Promise<string> {
  const address = webAddress(text);
  if (!address) throw new UserError(`'${text}' is no address; write e.g. https://example.org/blog/`);
  if (!address.assumed) return address.url;
  const { origin, pathname } = new URL(address.url);
  const stored = await archivedUrl(`${origin}/`, catalog);
  return stored === undefined ? address.url : new URL(pathname, stored).href;
}
