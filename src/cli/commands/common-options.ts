import { type Command, Option } from 'commander';

export interface CommonOptions {
  readonly archive: string;
  readonly database?: string;
  readonly json: boolean;
}

/** Options that every command on an archive takes. */
export function archiveOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--archive <dir>', 'folder of the archive').env('DAGUERRE_ARCHIVE').default('./archive'),
    )
    .addOption(
      new Option('--database <url>', 'postgres:// URL of the catalog; SQLite in the folder otherwise').env(
        'DAGUERRE_DATABASE',
      ),
    )
    .option('--json', 'machine-readable output on stdout', false);
}
