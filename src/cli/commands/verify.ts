import { type Command, InvalidArgumentError } from 'commander';
import type { VerifyReport } from '../../archive/verify/verify.ts';
import type { CheckedProof } from '../../archive/verify/verify-proof.ts';
import { EXIT } from '../exit-codes.ts';
import { placeText } from '../place-text.ts';
import { plural } from '../quantity-text.ts';
import { signatureText } from '../signature-text.ts';
import { stepLine } from '../step-line.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

interface VerifyFlags extends CommonOptions {
  readonly publicKey?: string;
  readonly threads?: number;
  readonly proof?: readonly string[];
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
    .option('--proof <file...>', "no more than these statements of 'daguerre prove', from the records alone")
    .option(
      '--threads <n>',
      'threads that read records (default: as many as there are processors)',
      parseThreads,
    )
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre verify\n  daguerre verify --archive /mnt/archive --json\n  daguerre verify --storage s3://library-web/news\n  daguerre verify --public-key library.pem\n  daguerre verify --proof proof.json',
    )
    .action(verifyArchive);
}

async function verifyArchive({ json, publicKey, threads, proof, ...location }: VerifyFlags): Promise<void> {
  if (proof) return await verifyProofs(proof, { json, publicKey, location });
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

async function verifyProofs(
  files: readonly string[],
  {
    json,
    publicKey,
    location,
  }: {
    readonly json: boolean;
    readonly publicKey: string | undefined;
    readonly location: Omit<CommonOptions, 'json'>;
  },
): Promise<void> {
  const { verifyProof } = await import('../../archive/verify/verify-proof.ts');
  const { givenKey } = await import('../../archive/verify/verify.ts');
  const given = publicKey === undefined ? undefined : await givenKey(publicKey);
  const checked: CheckedProof[] = [];
  for (const file of files) checked.push(await verifyProof(location, file, given));
  process.stdout.write(json ? `${JSON.stringify({ proofs: checked })}\n` : checked.map(proofText).join(''));
  process.exitCode = checked.every(({ faults }) => faults.length === 0) ? EXIT.ok : EXIT.damaged;
}

function proofText({ file, answers, key, signer, faults }: CheckedProof): string {
  const { proven, contradicted, unknown } = answers;
  const counts = `${proven} proven, ${contradicted} contradicted, ${unknown} unknown`;
  const verdict =
    faults.length === 0 ? 'as the records say' : `not as the records say:\n  ! ${faults.join('\n  ! ')}`;
  return `proof ${file}: ${counts}; signed by ${SIGNERS[signer]} (${key}); ${verdict}\n`;
}

function parseThreads(value: string): number {
  const count = Number(value);
  if (Number.isInteger(count) && count >= 1 && count <= 256) return count;
  throw new InvalidArgumentError('a whole number from 1 to 256 is needed');
}

/** Lines of each kind shown to a person; the JSON has all of them. */
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
    errors.length === 0 ? 'all well' : plural(errors.length, 'error'),
    ...(warnings.length > 0 ? [plural(warnings.length, 'warning')] : []),
    ...(notes.length > 0 ? [plural(notes.length, 'note')] : []),
  ];
  const lines = [
    ...errors.map((error) => placeText('!', error)),
    ...listed('warning', warnings),
    ...listed('note', notes),
    ...certificates.map(certificateText),
    ...imports.flatMap(({ source, at, signature }) =>
      signature ? [signatureText(`import of ${source} at ${at}`, signature)] : [],
    ),
    `${plural(records, 'record')} in ${plural(files, 'file')}: ${counts.join(', ')}`,
  ];
  return `${lines.join('\n')}\n`;
}

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
    `certificate of crawl ${crawl}, begun ${startedAt}: ${plural(pages, 'page')}${inferred > 0 ? ` proven and ${inferred} inferred` : ''}, ${strict} strictly and ${visible} visibly sharp, ` +
    `t* ${date ?? 'none'}; signed by ${SIGNERS[signer]} (${key})`
  );
}
