import type { CaptureFact } from '../../model/capture.ts';
import type { Millis } from '../../model/time.ts';
import { dataPackage } from './datapackage.ts';
import { writeIndex } from './index-entries.ts';
import { lineChunks } from './line-batches.ts';
import { PAGES_HEADER, pageLine, type WaczPage } from './pages-file.ts';
import { type ConvertedFile, type WarcEntries, type WarcSource, warcEntries } from './warc-entries.ts';
import { type AddedEntry, createZip, type ZipWriter } from './zip-writer.ts';

export interface WaczExport {
  /** The .wacz file; replaced if it exists, but only once the new one is whole. */
  readonly out: string;
  /** Absolute paths of WARC and ARC files; ARC files are converted. Their names must differ. */
  readonly warcFiles: readonly WarcSource[];
  /**
   * Makes sure that a file is present, shortly before it is read: copies of remote files may be removed
   * again.
   */
  readonly here?: (path: string) => Promise<unknown>;
  /** In any order; by SURT and time is quickest. Those in other WARC files are left out, and counted. */
  readonly captures: AsyncIterable<CaptureFact>;
  /** One per capture of a page. */
  readonly pages: AsyncIterable<WaczPage>;
  readonly title?: string;
  /** For example `Daguerre 0.1.0`. */
  readonly software: string;
  /** Also the time of every ZIP entry: the same input gives the same bytes. */
  readonly created: Millis;
  /**
   * Further files, listed in the datapackage like the others: certificates, and the key to check them with.
   */
  readonly extraFiles?: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

export interface WaczExported {
  readonly path: string;
  readonly bytes: number;
  readonly warcs: number;
  /** ARC files that went in as WARC. */
  readonly converted: readonly ConvertedFile[];
  /** Lines of the index. */
  readonly captures: number;
  /** Given captures that are in none of the exported WARC files. */
  readonly capturesLeftOut: number;
  readonly pages: number;
}

/**
 * Writes a WACZ 1.1.1. Throws StorageFull, or an error that names the file; in that case nothing is left
 * behind.
 */
export async function exportWacz(options: WaczExport): Promise<WaczExported> {
  const { software, created: at, out } = options;
  const warcs = await warcEntries(options.warcFiles, {
    ...{ spill: `${out}.part`, software, at },
    ...(options.here && { here: options.here }),
  });
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

    const pages = await writePages(zip, options.pages);
    entries.push(pages.entry);
    for (const { name, bytes } of options.extraFiles ?? []) {
      entries.push(await zip.add(name, once(bytes), 'deflate'));
    }

    for (const warc of warcs.entries) {
      if (warc.isGiven) await options.here?.(warc.path);
      entries.push(await zip.addFile(`archive/${warc.name}`, warc.path, warc.length));
    }

    const { content, digest } = dataPackage(options, entries, pages.first);
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
    };
  } catch (error) {
    await zip.abort();
    throw error;
  }
}

async function writePages(zip: ZipWriter, pages: AsyncIterable<WaczPage>) {
  let count = 0;
  let first: WaczPage | undefined;
  async function* lines(): AsyncGenerator<string[]> {
    yield [PAGES_HEADER];
    for await (const page of pages) {
      count++;
      first ??= page;
      yield [pageLine(page)];
    }
  }
  const entry = await zip.add('pages/pages.jsonl', lineChunks(lines()), 'deflate');
  return { entry, count, first };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
