import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Catalog } from '../../ports/catalog.ts';
import { writeCdxj } from '../../warc/cdxj.ts';
import { exportWacz } from '../../warc/wacz/export.ts';
import type { WaczPage } from '../../warc/wacz/pages-file.ts';
import { certificateFiles } from '../certificate-files.ts';
import { UserError } from '../exit-codes.ts';
import { openForReading } from '../open-archive.ts';
import { formatSize } from '../quantities.ts';
import { systemClock } from '../system-clock.ts';
import { VERSION } from '../version.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

interface ExportOptions extends CommonOptions {
  readonly format: 'wacz' | 'cdxj';
  readonly out?: string;
  readonly title?: string;
}

export function exportCommand(program: Command): void {
  archiveOptions(
    program
      .command('export')
      .summary('write the archive as WACZ, or its index as CDXJ')
      .description(
        'Writes the whole archive into one WACZ file that ReplayWeb.page opens, or its index as sorted CDXJ.',
      ),
  )
    .addOption(new Option('--format <format>', 'what to write').choices(['wacz', 'cdxj']).default('wacz'))
    .option('--out <file>', 'where to (default: archive.wacz or archive.cdxj)')
    .option('--title <text>', 'title of the WACZ')
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre export --out site.wacz --title "Site, November"\n  daguerre export --format cdxj --out index.cdxj',
    )
    .action(async (options: ExportOptions) => {
      const archive = await openForReading(options);
      try {
        const out = resolve(options.out ?? `archive.${options.format}`);
        const { catalog, folder } = archive;
        const files = await catalog.warcFiles();
        if (files.length === 0) throw new UserError(`the archive ${folder.root} holds no record files yet`);
        if (options.format === 'cdxj') {
          const lines = await writeCdxj(out, catalog.captures({}));
          process.stdout.write(
            options.json
              ? `${JSON.stringify({ out, captures: lines })}\n`
              : `${lines} captures written to ${out}\n`,
          );
          return;
        }
        const exported = await exportWacz({
          out,
          // Up to what the catalog knows: a crawl may be writing on.
          warcFiles: files.map(({ file, length }) => ({ path: join(folder.warc, file), length })),
          captures: catalog.captures({}),
          pages: pageCaptures(catalog),
          software: `Daguerre/${VERSION}`,
          created: systemClock.now(),
          extraFiles: await certificateFiles(archive),
          ...(options.title !== undefined && { title: options.title }),
        });
        process.stdout.write(
          options.json
            ? `${JSON.stringify({ ...exported, out })}\n`
            : `${exported.captures} captures of ${exported.pages} page versions, ${formatSize(exported.bytes)}, written to ${out}\n`,
        );
      } finally {
        await archive.close();
      }
    });
}

/** Pages listed at once. */
const PAGE = 500;

/** One line per capture of a page. */
async function* pageCaptures(catalog: Catalog): AsyncGenerator<WaczPage> {
  for (let offset = 0; ; offset += PAGE) {
    const pages = await catalog.pages({ limit: PAGE, offset });
    for (const { url, title } of pages) {
      for await (const { recordId, at, status, mime, digest, type } of catalog.captures({ url })) {
        if (type === 'resource') continue;
        yield {
          id: recordId.replace(/[<>]|urn:uuid:/g, ''),
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
