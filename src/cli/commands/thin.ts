import { type Command, Option } from 'commander';
import type { ThinReport } from '../../archive/thin/thin-archive.ts';
import { UserError } from '../../archive/user-error.ts';
import type { StayReason } from '../../science/retention/choose-versions.ts';
import { argument, parseDuration, parseSize } from '../arguments.ts';
import { formatSize, plural } from '../quantity-text.ts';
import { say, statusLine } from '../status-line.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions, parseStorage } from './common-options.ts';

/** `--storage 200GB` and `--storage s3://bucket/prefix` may both be given. */
interface Storage {
  readonly size?: number;
  readonly place?: string;
}

interface ThinFlags extends Omit<CommonOptions, 'storage'> {
  readonly storage: Storage;
  readonly site?: ReadonlyMap<string, number>;
  readonly config?: string;
  readonly keep?: number;
  readonly imported: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
}

export function thinCommand(program: Command): void {
  archiveOptions(
    program
      .command('thin')
      .summary('let versions that matter little go, so that the archive fits into its storage')
      .description(
        'Thins out the versions of pages: those whose change mattered least for the room they take go first, old ones more widely ' +
          'than young ones. The first and the last version of a page, pinned pages (daguerre decide --pin), whatever a certificate ' +
          'names, what kept captures refer to, and files of other tools always stay. What goes stays as a fact: when, what, how ' +
          'important. Without --yes it only tells what would go.',
      ),
    {
      storage: new Option(
        '--storage <size or url>',
        'what all record files may take, e.g. 200GB; again with s3://bucket/prefix where that keeps them (env: DAGUERRE_STORAGE)',
      )
        .argParser(sizeOrPlace)
        .default({}, 'none'),
    },
  )
    .option(
      '--site <site=size>',
      'what the records of a site may take, e.g. example.org=10GB; may be given again',
      argumentPair,
    )
    .option(
      '--config <file>',
      'take budgets from a YAML file: budget: { storage: 200GB }, sites: [{ url, storage }]',
    )
    .option('--keep <duration>', 'every version that is younger stays, e.g. 30d', parseDuration)
    .option('--imported', 'also versions in record files that another archive of Daguerre wrote', false)
    .option('--dry-run', 'only tell what would go; so it is without --yes', false)
    .option('--yes', 'do it', false)
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre thin --storage 200GB\n  daguerre thin --storage 200GB --keep 30d --yes\n  daguerre thin --site example.org=10GB --json',
    )
    .action(thinOut);
}

const sizeOrPlace = (text: string, before: Storage): Storage =>
  /^s3:/i.test(text) ? { ...before, place: parseStorage(text) } : { ...before, size: parseSize(text) };

function argumentPair(
  text: string,
  before: ReadonlyMap<string, number> = new Map(),
): ReadonlyMap<string, number> {
  return argument((given: string) => {
    const [, site, size] = /^(.+)=([^=]+)$/.exec(given) ?? [];
    if (site === undefined || size === undefined)
      throw new UserError('write site=size, e.g. example.org=10GB');
    return new Map([...before, [site, parseSize(size)]]);
  })(text);
}

async function thinOut({
  json,
  storage,
  site,
  config,
  keep,
  imported,
  dryRun,
  yes,
  ...location
}: ThinFlags): Promise<void> {
  const { thin } = await import('../../archive/thin/thin.ts');
  if (dryRun && yes) throw new UserError('--dry-run changes nothing and --yes does: give one of them');
  const line = statusLine(process.stderr);
  const { DAGUERRE_STORAGE: usual } = process.env;
  const { size, place = usual && parseStorage(usual) } = storage;
  try {
    const report = await thin(
      { ...location, ...(place && { storage: place }) },
      {
        ...{ yes, imported, sites: site ?? new Map() },
        ...(size !== undefined && { storage: size }),
        ...(config !== undefined && { config }),
        ...(keep !== undefined && { keep }),
        onMended: (sentence) => say(process.stderr, sentence),
        onProgress: (what) => line.show(() => what),
      },
    );
    line.end();
    await writeOutput(json ? `${JSON.stringify(report)}\n` : thinText(report), undefined);
  } finally {
    line.end();
  }
}

/** Versions listed for a person; the JSON has all of them. */
const LISTED = 20;

const STAYS: Readonly<Record<StayReason, string>> = {
  first: 'the first of their pages',
  last: 'the last of their pages',
  pinned: 'of pinned pages',
  recent: 'younger than --keep',
  certified: 'named by certificates',
  'referred-to': 'other captures refer to them',
  imported: 'in files that this archive did not write',
  'being-written': 'in files that are being written',
  'nothing-told': 'nothing is known of their change',
};

function thinText(report: ThinReport): string {
  const { dryRun, before, after, over, versions, visits, staying, files, rewritten } = report;
  const listed = versions
    .slice(0, LISTED)
    .map(
      ({ url, at, why }) => `  ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}  ${url}  ${why}`,
    );
  const more = versions.length - listed.length;
  const stays = (Object.entries(staying) as [StayReason, number][])
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `  ${String(count).padStart(8)}  ${STAYS[reason]}`);
  const would = dryRun ? 'would go' : 'went';
  return [
    versions.length === 0
      ? `Nothing ${dryRun ? 'would go' : 'went'}: ${formatSize(before)} of record files${over === 0 ? ' are within the budget' : ''}.`
      : `${plural(versions.length, 'version')} of ${plural(visits, 'visit')} ${would}: ${formatSize(before)} of record files ${dryRun ? 'would become about' : 'became'} ${formatSize(after)}` +
        ` (${plural(files, 'file')} of ${formatSize(rewritten)} ${dryRun ? 'to be rewritten' : 'rewritten'}).`,
    ...listed,
    ...(more > 0 ? [`  and ${more} more, listed with --json`] : []),
    ...(stays.length > 0
      ? ['These stay whatever the budget, of pages with three visits or more:', ...stays]
      : []),
    ...(over > 0 ? [`It is ${formatSize(over)} over its budget still: nothing more may go.`] : []),
    ...(dryRun && versions.length > 0 ? ['Nothing was changed: add --yes to do it.'] : []),
    '',
  ].join('\n');
}
