import { text } from 'node:stream/consumers';
import { openQuery, type Query, QueryError, type QueryItem } from '../access/query.ts';
import { storedDocuments } from '../access/query-documents.ts';
import { chosenPage } from '../archive/given/chosen-page.ts';
import { openForReading } from '../archive/open/open-archive.ts';
import { systemClock } from '../archive/system-clock.ts';
import { openRecordReader } from '../warc/record-reader.ts';
import type { QueryFlags } from './commands/query.ts';
import { EXIT, UserError } from './exit-codes.ts';
import { writeOutput } from './write-output.ts';

export async function query(given: string, flags: QueryFlags): Promise<void> {
  const asked = opened(given === '-' ? await text(process.stdin) : given);
  const archive = await openForReading(flags);
  const reader = openRecordReader(archive.folder.warc);
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
    const page =
      flags.url === undefined ? {} : await chosenPage(flags.url, systemClock.now(), archive.catalog);
    for await (const { url, at, xml } of storedDocuments(
      { ...flags, ...page },
      { ...archive, reader },
      problem,
    )) {
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
    await reader.close();
    await archive.close();
  }
}

function opened(source: string): Query {
  return asking(() => openQuery(source));
}

/** A fault of the query is the user's to mend. */
function asking<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof QueryError ? new UserError(error.message) : error;
  }
}
