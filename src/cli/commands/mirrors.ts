import type { Command } from 'commander';
import { mirrorStatus } from '../../access/mirror-words.ts';
import { AUTOMATIC, type MirrorFact, type MirrorStanding } from '../../model/mirror.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';
import { parseSite } from './page-options.ts';

interface MirrorsFlags extends CommonOptions {
  readonly keep: boolean;
  readonly confirm: readonly string[];
  readonly reject: readonly string[];
}

const each = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  parseSite(text),
];

export function mirrorsCommand(program: Command): void {
  archiveOptions(
    program
      .command('mirrors')
      .summary(
        'sites of the archive that show what another shows, whole or in part, and how far they are behind',
      )
      .description(
        'Compares the pages of all sites, path by path. With --keep, what is clear ' +
          `(${AUTOMATIC.pages} pages or more, ${AUTOMATIC.share * 100}% of them the same) becomes a fact of the archive: ` +
          'archive then visits a sample of such a site in place of all its pages. --confirm and --reject decide for a ' +
          'person, and win. See docs/mirrors.md.',
      ),
  )
    .option('--keep', 'write down what is clear', false)
    .option('--confirm <site>', 'this site is a mirror, whatever the figures say (repeatable)', each, [])
    .option('--reject <site>', 'this site is none (repeatable)', each, [])
    .addHelpText(
      'after',
      `
Examples:
  daguerre mirrors
  daguerre mirrors --keep
  daguerre mirrors --confirm mirror.example.org --json`,
    )
    .action(listMirrors);
}

async function listMirrors({ json, keep, confirm, reject, ...location }: MirrorsFlags): Promise<void> {
  const { mirrors } = await import('../../archive/mirrors/mirrors.ts');
  const report = await mirrors(location, { keep, confirm, reject });
  const text = [
    ...(report.mirrors.length === 0 ? ['No site of the archive is found to mirror another.'] : []),
    ...report.mirrors.map(mirrorText),
    ...(report.kept > 0 ? [`${report.kept} written down.`] : []),
  ].join('\n');
  await writeOutput(json ? `${JSON.stringify(report)}\n` : `${text}\n`, undefined);
}

const STANDINGS: Readonly<Record<MirrorStanding, string>> = {
  suspected:
    'suspected: too few pages, or too many that differ, to be sure without a person (--confirm, --reject)',
  automatic: 'clear by its figures',
  confirmed: 'confirmed by a person',
  rejected: 'a person says that it is none',
  ended: 'it was one, until its pages differed',
};

/** What the figures show is reported, but not as fact where a person or a sample has said otherwise. */
const CLAIMS: Readonly<Record<MirrorStanding, string>> = {
  suspected: 'may mirror',
  automatic: 'mirrors',
  confirmed: 'mirrors',
  rejected: 'is held for no mirror, though by its pages it looks like one, of',
  ended: 'no longer mirrors',
};

function mirrorText(fact: MirrorFact): string {
  const { mirror, origin, path, exclusions, pages, agreeing, standing, checkedAt } = fact;
  const part = path === '/' ? 'all of it' : `${path} of it`;
  const but = exclusions.length === 0 ? '' : `, but for ${exclusions.join(', ')}`;
  return [
    `${mirror} ${CLAIMS[standing]} ${origin}: ${part}${but}`,
    `  ${agreeing} of ${pages} pages that both have are the same; ${mirrorStatus(fact)} (as of ${new Date(checkedAt).toISOString()})`,
    `  ${STANDINGS[standing]}`,
  ].join('\n');
}
