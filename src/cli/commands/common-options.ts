import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ArchiveLocation } from '../../archive/open/open-archive.ts';
import { isStorage, STORAGE_CACHE } from '../../archive/open/storage-place.ts';
import { parseDuration, parseSize } from '../arguments.ts';

export interface CommonOptions {
  readonly archive: string;
  readonly database?: string;
  /** Milliseconds. */
  readonly databaseWait: number;
  readonly storage?: string;
  /** Milliseconds. */
  readonly storageWait: number;
  /** Bytes. */
  readonly storageCache: number;
  readonly json: boolean;
}

/** Which archive the flags mean. */
export function locationOf(flags: CommonOptions): ArchiveLocation {
  const { archive, database, databaseWait, storage, storageWait, storageCache } = flags;
  return {
    ...{ archive, databaseWait, storageWait, storageCache },
    ...(database !== undefined && { database }),
    ...(storage !== undefined && { storage }),
  };
}

/** All other flags. */
export function withoutLocation<Flags extends CommonOptions>(flags: Flags): Omit<Flags, keyof CommonOptions> {
  const {
    archive: _a,
    database: _b,
    databaseWait: _c,
    storage: _d,
    storageWait: _e,
    storageCache: _f,
    json: _g,
    ...given
  } = flags;
  return given;
}

const USUAL_FOLDER = './archive';

/** The flag for a command on the same archive; '' if none is needed. */
export const sameArchive = (archive: string): string =>
  archive === USUAL_FOLDER
    ? ''
    : ` --archive ${/^[\w./-]+$/.test(archive) ? archive : JSON.stringify(archive)}`;

/** Options that every command on an archive takes. `thin`, whose --storage may also be a size, has one of its own. */
export function archiveOptions(command: Command, { storage = storageOption() } = {}): Command {
  return storageOptions(command, storage)
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
      new Option('--database-wait <duration>', 'how long whoever writes waits for a database that is away')
        .env('DAGUERRE_DATABASE_WAIT')
        .argParser(parseDuration)
        .default(300_000, '5m'),
    )
    .option('--json', 'machine-readable output on stdout', false);
}

const storageOption = (): Option =>
  new Option('--storage <url>', 's3://bucket/prefix that keeps the record files; the folder otherwise')
    .env('DAGUERRE_STORAGE')
    .argParser(parseStorage);

function storageOptions(command: Command, storage: Option): Command {
  return command
    .addOption(storage)
    .addOption(
      new Option('--storage-wait <duration>', 'how long to wait for an object store that went away')
        .env('DAGUERRE_STORAGE_WAIT')
        .argParser(parseDuration)
        .default(300_000, '5m'),
    )
    .addOption(
      new Option(
        '--storage-cache <size>',
        'what copies of record files may take in the folder beside --storage',
      )
        .env('DAGUERRE_STORAGE_CACHE')
        .argParser(parseSize)
        .default(STORAGE_CACHE, '4GB'),
    );
}

export function parseStorage(text: string): string {
  if (!isStorage(text)) throw new InvalidArgumentError('Write it as s3://bucket/prefix, or leave it out.');
  return text;
}

/** An empty name comes from an unset variable, and would mean the current folder. */
export function parseFolder(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Name a folder.');
  return text;
}

function parseDatabase(text: string): string {
  if (!/^postgres(?:ql)?:\/\//.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('Write it as postgres://user@host/database, or leave it out.');
  return text;
}
