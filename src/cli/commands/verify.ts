import { type Command, InvalidArgumentError } from 'commander';
import type { VerifyReport } from '../../archive/verify/verify.ts';
import { EXIT } from '../exit-codes.ts';
import { placeText } from '../place-text.ts';
import { signatureText } from '../signature-text.ts';
import { stepLine } from '../step-line.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

interface VerifyFlags extends CommonOptions {
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
    .option(
      '--threads <n>',
      'threads that read records (default: as many as there are processors)',
      parseThreads,
    )
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre verify\n  daguerre verify --archive /mnt/archive --json\n  daguerre verify --public-key library.pem',
    )
    .action(verifyArchive);
}

async function verifyArchive({ json, publicKey, threads, ...location }: VerifyFlags): Promise<void> {
  const { verify } = await import('../../archive/verify/verify.ts');
  const line = stepLine(process.stderr);
  try {
    const report = await verify(location, {
      ...(publicKey !== undefined && { publicKey }),
      ...(threads !== undefined && { threads }),
      onProgress: line.show,
    });
    line.end();
    const { files: _files, ...rest } = report;
    process.stdout.write(json ? `${JSON.stringify(rest)}\n` : reportText(report));
    process.exitCode = report.errors.length === 0 ? EXIT.ok : EXIT.damaged;
  } finally {
    line.end();
  }
}

function parseThreads(value: string): number {
  const count = Number(value);
  if (Number.isInteger(count) && count >= 1 && count <= 256) return count;
  throw new InvalidArgumentError('a whole number from 1 to 256 is needed');
}

/** Lines of each kind for people to read; all of them are in the JSON. */
const LISTED = 20;

function listed(kind: string, places: VerifyReport['errors']): string[] {
  const lines = places.slice(0, LISTED).map((place) => placeText(`${kind}:`, place));
  const more = places.length - LISTED;
  return more > 0 ? [...lines, `${kind}: ${more} more, listed with --json`] : lines;
}

function reportText({
  files,
  records,
  errors,
  warnings,
  notes,
  certificates,
  imports,
}: VerifyReport): string {
  const counts = [
    errors.length === 0 ? 'all well' : counted(errors.length, 'error'),
    ...(warnings.length > 0 ? [counted(warnings.length, 'warning')] : []),
    ...(notes.length > 0 ? [counted(notes.length, 'note')] : []),
  ];
  const lines = [
    ...errors.map((error) => placeText('!', error)),
    ...listed('warning', warnings),
    ...listed('note', notes),
    ...certificates.map(certificateText),
    ...imports.flatMap(({ source, at, signature }) =>
      signature ? [signatureText(`import of ${source} at ${at}`, signature)] : [],
    ),
    `${records} records in ${files} files: ${counts.join(', ')}`,
  ];
  return `${lines.join('\n')}\n`;
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

const SIGNERS = {
  given: 'the key given',
  own: 'the key of this archive',
  trusted: 'a key that was imported as trusted',
  imported: 'a key that came with imported records; nobody has confirmed whose it is',
  unknown: 'an unknown key',
} as const;

function certificateText({
  crawl,
  startedAt,
  pages,
  inferred,
  strict,
  visible,
  date,
  key,
  signer,
}: VerifyReport['certificates'][number]): string {
  return (
    `certificate of crawl ${crawl}, begun ${startedAt}: ${pages} pages${inferred > 0 ? ` proven and ${inferred} inferred` : ''}, ${strict} strictly and ${visible} visibly sharp, ` +
    `t* ${date ?? 'none'}; signed by ${SIGNERS[signer]} (${key})`
  );
}
