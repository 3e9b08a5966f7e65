import type { Command } from 'commander';
import { archiveOptions, type CommonOptions } from './common-options.ts';

export interface KeyExportFlags extends CommonOptions {
  readonly public: boolean;
  readonly out?: string;
}

export function keyCommand(program: Command): void {
  const key = program
    .command('key')
    .summary('the key that signs certificates: show, export, import, rotate')
    .description(
      'The key pair of the archive. It is made by the first crawl, or by this command; the private half stays in ' +
        "the archive's folder and is in no export. See docs/certificate.md.",
    );
  archiveOptions(
    key.command('show', { isDefault: true }).summary('public keys and their fingerprints'),
  ).action(async (options: CommonOptions) => (await import('../key.ts')).showKeys(options));
  archiveOptions(
    key.command('export').summary('the public key, to be handed to whoever shall verify certificates'),
  )
    .requiredOption('--public', 'the public key; the private one is never exported')
    .option('--out <file>', 'where to; stdout otherwise')
    .action(async (options: KeyExportFlags) => (await import('../key.ts')).exportKey(options));
  archiveOptions(
    key
      .command('import')
      .argument('<file>', 'PEM: a public key to trust, or a private key to sign with from now on')
      .summary("trust another archive's public key, or bring a private key"),
  ).action(async (file: string, options: CommonOptions) =>
    (await import('../key.ts')).importKey(file, options),
  );
  archiveOptions(
    key.command('rotate').summary('sign with a new key from now on; what the old one signed stays valid'),
  ).action(async (options: CommonOptions) => (await import('../key.ts')).rotate(options));
  key.addHelpText(
    'after',
    `
Examples:
  daguerre key
  daguerre key export --public --out library.pem
  daguerre key import other-library.pem
  daguerre key rotate`,
  );
}
