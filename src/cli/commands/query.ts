import { type Command, Option } from 'commander';
import { DOCUMENT_KINDS, type DocumentKind } from '../../access/query-documents.ts';
import { parseCount } from '../../archive/given/quantities.ts';
import { parseSite, periodOptions } from './changes.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

export interface QueryFlags extends CommonOptions {
  readonly kind: DocumentKind;
  readonly url?: string;
  readonly site?: string;
  readonly since?: number;
  readonly until?: number;
  readonly limit?: number;
}

export function queryCommand(program: Command): void {
  periodOptions(
    archiveOptions(
      program
        .command('query')
        .argument('<xquery>', 'the query, in XQuery 3.1; - reads it from standard input')
        .summary('ask the archived deltas and layouts in XQuery')
        .description(
          'Asks each Vi-Delta (or Vi-XML) document of the archive in turn: it is the context item, $url and $time ' +
            'say of which page and capture it is. A query that calls collection() is asked once, about all of them.',
        ),
    )
      .addOption(new Option('--kind <kind>', 'which documents').choices(DOCUMENT_KINDS).default('deltas'))
      .addOption(
        new Option('--url <url>', 'only of this page; <url>@<time> for one capture or a period').conflicts(
          'site',
        ),
      )
      .option('--site <site>', 'only of this site, such as example.org', parseSite),
  )
    .option('--limit <number>', 'at most so many results', parseCount)
    .addHelpText(
      'after',
      `
Examples:
  daguerre query '//Insert/link/@name' --since 7d
  daguerre query '//Update/txt[contains(@new, "price")]' --site example.org --json
  daguerre query 'count(//Block[@leaf = "true"])' --kind layouts --url https://example.org/
  daguerre query 'for $d in collection()/Delta where count($d//Insert/*) > 20 return $d/@to/string()'

What the documents look like: docs/changes.md`,
    )
    .action(async (source: string, flags: QueryFlags) => {
      const { query } = await import('../query.ts');
      await query(source, flags);
    });
}
