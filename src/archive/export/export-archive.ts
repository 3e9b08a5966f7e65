import { join, resolve } from 'node:path';
import { archivedUrl, type NamingCatalog } from '../../access/capture-name.ts';
import { siteNamed } from '../../access/site-name.ts';
import { type CaptureFact, isWebCapture } from '../../model/capture.ts';
import type { CaptureCatalog, PageCatalog } from '../../ports/catalog.ts';
import { writeCdxj } from '../../warc/cdxj.ts';
import { exportWacz, type WaczExported } from '../../warc/wacz/export.ts';
import type { WaczPage } from '../../warc/wacz/pages-file.ts';
import { certificateFiles } from '../certificate-files.ts';
import { webAddress } from '../given/web-address.ts';
import { orTellGone } from '../open/gone-while-reading.ts';
import { type ArchiveLocation, type OpenArchive, openForReading } from '../open/open-archive.ts';
import { exportSiteDelta, type SiteDeltaExported } from '../site-delta/export-site-delta.ts';
import { systemClock } from '../system-clock.ts';
import { UserError } from '../user-error.ts';
import { VERSION } from '../version.ts';
import { copySelection, type ExportFilter, isFiltered, selectCaptures } from './export-selection.ts';

export interface ExportOptions extends ExportFilter {
  readonly format: 'wacz' | 'cdxj' | 'site-delta';
  readonly out?: string;
  readonly title?: string;
}

export type ExportReport =
  | ({ readonly format: 'site-delta'; readonly out: string } & SiteDeltaExported)
  | { readonly format: 'cdxj'; readonly out: string; readonly captures: number }
  | ({ readonly format: 'wacz'; readonly out: string; readonly originals?: number } & WaczExported);

const ENDINGS = { wacz: 'wacz', cdxj: 'cdxj', 'site-delta': 'site-delta.xml' } as const;

/** Writes the archive, or the part of it that the filter chooses, as WACZ, its index as CDXJ, or the history of its sites. */
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
  const out = resolve(options.out ?? `archive.${ENDINGS[format]}`);
  const { catalog, folder } = archive;
  if (format === 'site-delta')
    return { format, ...(await exportSiteDelta(archive, out, siteAlone(options))) };
  const files = await catalog.warcFiles();
  if (files.length === 0) throw new UserError(`the archive ${folder.root} holds no record files yet`);
  const filter = await filterOf(options, catalog);
  const selection = isFiltered(filter) ? await selectCaptures(archive, filter) : undefined;
  if (format === 'cdxj') {
    let captures = 0;
    async function* counted(facts: AsyncIterable<CaptureFact>): AsyncGenerator<CaptureFact> {
      for await (const fact of facts) {
        if (isWebCapture(fact)) captures++;
        yield fact;
      }
    }
    await writeCdxj(out, counted(selection?.captures() ?? catalog.captures({})));
    return { format, out, captures };
  }
  const copied = selection && (await copySelection(archive, selection, out));
  try {
    const exported = await exportWacz({
      out,
      // Up to what the catalog knows: a crawl may be writing on.
      warcFiles:
        copied?.paths ?? files.map(({ file, length }) => ({ path: join(folder.warc, file), length })),
      captures: copied?.captures() ?? catalog.captures({}),
      pages: pageCaptures(catalog, selection?.isAsked ?? (() => true)),
      software: `Daguerre/${VERSION}`,
      created: systemClock.now(),
      extraFiles: selection ? [] : await certificateFiles(archive),
      ...(options.title !== undefined && { title: options.title }),
    });
    return {
      format,
      ...exported,
      capturesLeftOut: exported.capturesLeftOut + (copied?.leftOut ?? 0),
      ...(selection && { originals: selection.originals }),
      out,
    };
  } finally {
    await copied?.remove();
  }
}

/** A history is of whole sites. */
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

/** Pages listed at once. */
const PAGE = 500;

/** One line per capture of a page. */
async function* pageCaptures(
  catalog: CaptureCatalog & PageCatalog,
  isWanted: (fact: CaptureFact) => boolean,
): AsyncGenerator<WaczPage> {
  for (let offset = 0; ; offset += PAGE) {
    const pages = await catalog.pages({ limit: PAGE, offset });
    for (const { url, title } of pages) {
      for await (const fact of catalog.captures({ url })) {
        const { recordId, at, status, mime, digest, type, file: inFile, offset: from } = fact;
        if (type === 'resource' || !isWanted(fact)) continue;
        yield {
          // ARC knows no ids.
          id: recordId.replace(/[<>]|urn:uuid:/g, '') || `${inFile}-${from}`,
          url,
          title,
          at,
          status,
          mime,
          size: digest.size,
        };
      }
    }
    if (pages.length < PAGE) return;
  }
}
