import { type Command, InvalidArgumentError } from 'commander';
import { EXIT } from '../exit-codes.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

export interface VerifyFlags extends CommonOptions {
  readonly publicKey?: string;
  readonly threads?: number;
}

export function verifyCommand(program: Command): void {
  archiveOptions(
    program
      .command('verify')
      .summary('check every digest, index line, revisit target and certificate')
      .description(
        'Reads every record and checks it against its digests, the indexes and the catalog. Computes every ' +
          'certificate again from the records it names, and checks its signature. Changes nothing. ' +
          'Errors are losses: what cannot be read or served, or is not what its digest says. Warnings and notes ' +
          `are what replay can serve all the same. Exit code ${EXIT.damaged} for errors only, 0 otherwise.`,
      ),
  )
    .option(
      '--public-key <file>',
      'certificates must be signed with this key (PEM), instead of one the archive knows',
    )
    .option('--threads <n>', 'threads that read records (default: as many as there are processors)', threads)
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre verify\n  daguerre verify --archive /mnt/archive --json\n  daguerre verify --public-key library.pem',
    )
    .action(async (options: VerifyFlags) => {
      const { verify } = await import('../verify.ts');
      await verify(options);
    });
}

function threads(value: string): number {
  const count = Number(value);
  if (Number.isInteger(count) && count >= 1 && count <= 256) return count;
  throw new InvalidArgumentError('a whole number from 1 to 256 is needed');
}
