import { changeText, listChanges } from '../access/changes.ts';
import { chosenPage } from '../archive/given/chosen-page.ts';
import { openForReading } from '../archive/open/open-archive.ts';
import { systemClock } from '../archive/system-clock.ts';
import type { ChangesFlags } from './commands/changes.ts';
import { writeOutput } from './write-output.ts';

/** Lines a person reads. */
const SHOWN = 50;
/** Operations of each change that are told in words. */
const TOLD = 3;

export async function changes(flags: ChangesFlags): Promise<void> {
  const { json, archive: _archive, database: _database, databaseWait: _wait, ...query } = flags;
  const archive = await openForReading(flags);
  try {
    let listed = 0;
    const limit = flags.limit ?? (json ? undefined : SHOWN);
    const page =
      flags.url === undefined ? {} : await chosenPage(flags.url, systemClock.now(), archive.catalog);
    const asked = {
      ...query,
      ...page,
      ...(limit !== undefined && { limit }),
      ...(!json && { operationLimit: TOLD }),
    };
    for await (const change of listChanges(archive.catalog, asked)) {
      await writeOutput(`${json ? JSON.stringify(change) : changeText(change)}\n`, undefined);
      listed++;
    }
    if (listed === 0 && !json) process.stderr.write('no such change is in the archive\n');
    if (limit !== undefined && listed === limit && flags.limit === undefined)
      process.stderr.write(`the first ${limit}: --limit shows more, --since and --min-importance choose\n`);
  } finally {
    await archive.close();
  }
}
