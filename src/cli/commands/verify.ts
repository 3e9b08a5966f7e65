import type { Command } from 'commander';
import { EXIT } from '../exit-codes.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

export interface VerifyFlags extends CommonOptions {
  readonly publicKey?: string;
}

export function verifyCommand(program: Command): void {
  archiveOptions(
    program
      .command('verify')
      .summary('check every digest, index line, revisit target and certificate')
      .description(
        'Reads every record and checks it against its digests, the indexes and the catalog. Computes every ' +
          'certificate again from the records it names, and checks its signature. Changes nothing. ' +
          `Exit code 0 only when all is well, ${EXIT.damaged} otherwise.`,
      ),
  )
    .option(
      '--public-key <file>',
      'certificates must be signed with this key (PEM), instead of one the archive knows',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre verify\n  daguerre verify --archive /mnt/archive --json\n  daguerre verify --public-key library.pem',
    )
    .action(async (options: VerifyFlags) => {
      const { verify } = await import('../verify.ts');
      await verify(options);
    });
}
