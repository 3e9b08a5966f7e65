import type { Command } from 'commander';
import type { ArchiveKeys, KnownKey } from '../../archive/keys.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

interface KeyExportFlags extends CommonOptions {
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
  ).action(show);
  archiveOptions(
    key.command('export').summary('the public key, to be handed to whoever shall verify certificates'),
  )
    .requiredOption('--public', 'the public key; the private one is never exported')
    .option('--out <file>', 'where to; stdout otherwise')
    .action(exportKey);
  archiveOptions(
    key
      .command('import')
      .argument('<file>', 'PEM: a public key to trust, or a private key to sign with from now on')
      .summary("trust another archive's public key, or bring a private key"),
  ).action(importKey);
  archiveOptions(
    key.command('rotate').summary('sign with a new key from now on; what the old one signed stays valid'),
  ).action(rotate);
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

const keysRoom = () => import('../../archive/keys.ts');

async function show({ archive, storage, json }: CommonOptions): Promise<void> {
  const own = await (await keysRoom()).archiveKeys(archive, storage);
  const { fingerprint: current, keys } = own;
  const lines = json ? [JSON.stringify({ current, keys })] : keys.map((key) => keyText(key, own));
  await writeOutput(`${lines.join('\n')}\n`, undefined);
}

async function exportKey({ archive, storage, json, out }: KeyExportFlags): Promise<void> {
  const { publicKey, fingerprint, pem } = await (await keysRoom()).archiveKeys(archive, storage);
  await writeOutput(json ? `${JSON.stringify({ publicKey, fingerprint })}\n` : pem, out);
}

async function importKey(file: string, { archive, json }: CommonOptions): Promise<void> {
  const { fingerprint, role } = await (await keysRoom()).importKey(archive, file);
  const what =
    role === 'signs'
      ? 'certificates are signed with this key from now on'
      : 'certificates signed with this key are accepted from now on';
  await tell(json, fingerprint, what);
}

async function rotate({ archive, json }: CommonOptions): Promise<void> {
  const { fingerprint, retired } = await (await keysRoom()).rotateKeys(archive);
  const old = retired === undefined ? '' : `; ${retired} is retired`;
  await tell(json, fingerprint, `certificates are signed with this key from now on${old}`);
}

function tell(json: boolean, fingerprint: string, what: string): Promise<void> {
  return writeOutput(json ? `${JSON.stringify({ fingerprint })}\n` : `${fingerprint}: ${what}\n`, undefined);
}

function keyText(key: KnownKey, { publicKey: current }: ArchiveKeys): string {
  const role = {
    own: key.publicKey === current ? 'signs certificates' : 'once signed certificates here',
    trusted: 'trusted',
    imported: 'came with imported records; confirm it with its owner, then: daguerre key import',
  }[key.origin];
  const since = new Date(key.addedAt).toISOString();
  const until = key.retiredAt === undefined ? '' : `, retired ${new Date(key.retiredAt).toISOString()}`;
  return `${key.fingerprint}\n  ${role}; since ${since}${until}${key.note === undefined ? '' : `; from ${key.note}`}\n  ${key.publicKey}`;
}
