import { text } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import type { QueryItem } from '../../access/query.ts';
import { DOCUMENT_KINDS, type DocumentKind, storedDocuments } from '../../access/query-documents.ts';
import { siteNamed } from '../../access/site-name.ts';
import { chosenPage } from '../../archive/given/chosen-page.ts';
import { openForReading } from '../../archive/open/open-archive.ts';
import { UserError } from '../../archive/user-error.ts';
import { parseCount } from '../arguments.ts';
import { EXIT } from '../exit-codes.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';
import { parseSite, periodOptions } from './page-options.ts';

interface QueryFlags extends CommonOptions {
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
    .action(query);
}

async function query(given: string, flags: QueryFlags): Promise<void> {
  // Loaded on demand: an XQuery engine would be a large part of the start-up of every command.
  const { openQuery, QueryError } = await import('../../access/query.ts');
  /** An error in the query is the user's to fix. */
  const asking = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw error instanceof QueryError ? new UserError(error.message) : error;
    }
  };
  const source = given === '-' ? await text(process.stdin) : given;
  const asked = asking(() => openQuery(source));
  const archive = await openForReading(flags);
  let left = flags.limit ?? Number.POSITIVE_INFINITY;
  const print = async (items: readonly QueryItem[], of: Readonly<Record<string, unknown>>): Promise<void> => {
    for (const { text: line, value } of items.slice(0, left))
      await writeOutput(`${flags.json ? JSON.stringify({ ...of, value }) : line}\n`, undefined);
    left -= Math.min(left, items.length);
  };
  try {
    let seen = 0;
    const whole: string[] = [];
    const problem = (said: string): void => {
      process.stderr.write(`! ${said}\n`);
      process.exitCode = EXIT.damaged;
    };
    const page = flags.url === undefined ? {} : await chosenPage(flags.url, Date.now(), archive.catalog);
    const site = flags.site && { site: siteNamed(flags.site, archive.catalog.siteBounds()) };
    const wanted = { ...flags, ...page, ...site };
    for await (const { url, at, xml } of storedDocuments(wanted, archive, problem)) {
      if (left === 0) break;
      seen++;
      if (asked.wantsAll) whole.push(xml);
      else
        await print(
          asking(() => asked.ask(xml, { url, time: new Date(at).toISOString() })),
          { url, at },
        );
    }
    if (asked.wantsAll)
      await print(
        asking(() => asked.askAll(whole)),
        {},
      );
    if (seen === 0) process.stderr.write(`there are no such ${flags.kind} in the archive\n`);
  } finally {
    await archive.close();
  }
}
