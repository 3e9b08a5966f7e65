import type { CaptureFact } from '../../model/capture.ts';
import type { Millis } from '../../model/exchange.ts';
import { dataPackage, type PackageFacts } from './datapackage.ts';
import { writeIndex } from './index-entries.ts';
import { lineChunks } from './line-batches.ts';
import { type PagesHeader, pageLine, pagesHeaderLine, type WaczPage } from './pages-file.ts';
import { type ConvertedFile, type WarcEntries, type WarcSource, warcEntries } from './warc-entries.ts';
import { type AddedEntry, createZip, type ZipWriter } from './zip-writer.ts';

export interface WaczExport {
  /** The .wacz file; replaced when it exists, and only once the new one is whole. */
  readonly out: string;
  /** Absolute paths of WARC and ARC files; ARC files are converted. Their names must differ. */
  readonly warcFiles: readonly WarcSource[];
  /** Any order; by SURT and time is quickest. Those in other WARC files are left out, and counted. */
  readonly captures: AsyncIterable<CaptureFact>;
  /** One per capture of a page. */
  readonly pages: AsyncIterable<WaczPage>;
  /** Pages that are not to be listed first, as Browsertrix keeps those that are no seeds. */
  readonly extraPages?: AsyncIterable<WaczPage>;
  readonly title?: string;
  readonly description?: string;
  /** For example `Daguerre 0.1.0`. */
  readonly software: string;
  /** Also the time of every ZIP entry: the same input gives the same bytes. */
  readonly created: Millis;
  /** Where the viewer opens; the first seed, or else the first page, when absent. */
  readonly mainPage?: { readonly url: string; readonly at: Millis };
  /** Further files, listed in the datapackage like the others: certificates, the key to check them with. */
  readonly extraFiles?: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  /** Writes the text of pages, so that the viewer can search it. */
  readonly textIndex?: boolean;
}

export interface WaczExported {
  readonly path: string;
  readonly bytes: number;
  readonly warcs: number;
  /** ARC files that went in as WARC. */
  readonly converted: readonly ConvertedFile[];
  /** Lines of the index. */
  readonly captures: number;
  /** Captures given that lie in none of the exported WARC files. */
  readonly capturesLeftOut: number;
  readonly pages: number;
  readonly extraPages: number;
}

/** Writes a WACZ 1.1.1. Throws StorageFull, or an error that names the file; nothing is left behind then. */
export async function exportWacz(options: WaczExport): Promise<WaczExported> {
  const { software, created: at, out } = options;
  const warcs = await warcEntries(options.warcFiles, { spill: `${out}.part`, software, at });
  try {
    return await writeWacz(options, warcs);
  } finally {
    await warcs.remove();
  }
}

async function writeWacz(options: WaczExport, warcs: WarcEntries): Promise<WaczExported> {
  const zip = await createZip(options.out, options.created);
  try {
    const entries: AddedEntry[] = [];
    // Index and pages first: their cursors in the catalog close before the long copying begins.
    const index = await writeIndex(zip, options.captures, {
      relocate: warcs.relocate,
      spill: `${options.out}.part`,
    });
    entries.push(...index.entries);

    const hasText = options.textIndex === true;
    const pages = await writePages(zip, 'pages/pages.jsonl', options.pages, {
      id: 'pages',
      title: 'All Pages',
      hasText,
    });
    entries.push(pages.entry);
    let extraPages = 0;
    if (options.extraPages) {
      const extra = await writePages(zip, 'pages/extraPages.jsonl', options.extraPages, {
        id: 'extra-pages',
        title: 'Extra Pages',
        hasText,
      });
      entries.push(extra.entry);
      extraPages = extra.count;
    }

    for (const { name, bytes } of options.extraFiles ?? []) {
      entries.push(await zip.add(name, once(bytes), 'deflate'));
    }

    for (const warc of warcs.entries) {
      entries.push(await zip.addFile(`archive/${warc.name}`, warc.path, warc.length));
    }

    const { content, digest } = dataPackage(packageFacts(options, pages.main), entries);
    await zip.add('datapackage.json', once(content), 'deflate');
    await zip.add('datapackage-digest.json', once(digest), 'deflate');
    const { bytes } = await zip.finish();
    return {
      path: options.out,
      bytes,
      warcs: warcs.entries.length,
      converted: warcs.converted,
      captures: index.captures,
      capturesLeftOut: index.leftOut,
      pages: pages.count,
      extraPages,
    };
  } catch (error) {
    await zip.abort();
    throw error;
  }
}

async function writePages(zip: ZipWriter, name: string, pages: AsyncIterable<WaczPage>, header: PagesHeader) {
  let count = 0;
  let first: WaczPage | undefined;
  let seed: WaczPage | undefined;
  async function* lines(): AsyncGenerator<string[]> {
    yield [pagesHeaderLine(header)];
    for await (const page of pages) {
      count++;
      first ??= page;
      if (page.seed === true) seed ??= page;
      yield [pageLine(page, header.hasText)];
    }
  }
  const entry = await zip.add(name, lineChunks(lines()), 'deflate');
  return { entry, count, main: seed ?? first };
}

function packageFacts(options: WaczExport, main: WaczPage | undefined): PackageFacts {
  const mainPage = options.mainPage ?? main;
  return {
    software: options.software,
    created: options.created,
    ...(options.title === undefined ? {} : { title: options.title }),
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(mainPage === undefined ? {} : { mainPage: { url: mainPage.url, at: mainPage.at } }),
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
