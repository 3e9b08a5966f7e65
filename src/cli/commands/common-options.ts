import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseDuration } from '../arguments.ts';

export interface CommonOptions {
  readonly archive: string;
  readonly database?: string;
  /** Milliseconds. */
  readonly databaseWait: number;
  readonly json: boolean;
}

const USUAL_FOLDER = './archive';

/** As it must stand in a command on the same archive; '' where that needs no word. */
export const sameArchive = (archive: string): string =>
  archive === USUAL_FOLDER
    ? ''
    : ` --archive ${/^[\w./-]+$/.test(archive) ? archive : JSON.stringify(archive)}`;

/** Options that every command on an archive takes. */
export function archiveOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--archive <dir>', 'folder of the archive')
        .env('DAGUERRE_ARCHIVE')
        .default(USUAL_FOLDER)
        .argParser(parseFolder),
    )
    .addOption(
      new Option('--database <url>', 'postgres:// URL of the catalog; SQLite in the folder otherwise')
        .env('DAGUERRE_DATABASE')
        .argParser(parseDatabase),
    )
    .addOption(
      new Option('--database-wait <duration>', 'how long whoever writes waits for a database that went away')
        .env('DAGUERRE_DATABASE_WAIT')
        .argParser(parseDuration)
        .default(300_000, '5m'),
    )
    .option('--json', 'machine-readable output on stdout', false);
}

/** An empty name comes from a variable that is not set, and would mean the folder one happens to be in. */
export function parseFolder(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Name a folder.');
  return text;
}

function parseDatabase(text: string): string {
  if (!/^postgres(?:ql)?:\/\//.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('Write it as postgres://user@host/database, or leave it out.');
  return text;
}
