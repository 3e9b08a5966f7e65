import type { Command } from 'commander';
import { readConfig } from '../../archive/given/config-file.ts';
import { openForReading, openForWriting } from '../../archive/open/open-archive.ts';
import { SITE_FILE } from '../../archive/sites/site-settings.ts';
import { systemClock } from '../../archive/system-clock.ts';
import type { SiteRule } from '../../model/site-bounds.ts';
import { parseCount } from '../arguments.ts';
import { plural } from '../quantity-text.ts';
import { rulesLines, siteListText, suggestionText } from '../sites-text.ts';
import { say } from '../status-line.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

interface ListFlags extends CommonOptions {
  readonly importance: boolean;
  readonly limit?: number;
}

interface RulesFlags extends CommonOptions {
  readonly config?: string;
}

export function sitesCommand(program: Command): void {
  const sites = program
    .command('sites')
    .summary('the sites of the archive: list, rules of what is one, suggestions')
    .description(
      'Sites with their importance, how often they change, and how much reading each again is worth. A site is a host unless ' +
        'rules say otherwise. See docs/sites.md.',
    );
  archiveOptions(
    sites
      .command('list', { isDefault: true })
      .summary(
        'pages, importance, change rate, last crawl and ρ of each site; and sites known by links alone',
      ),
  )
    .option('--importance', 'beside it each cheaper measure of importance, with its rank correlation', false)
    .option('--limit <number>', 'sites to show of each kind (default: 50, all with --json)', parseCount)
    .action(list);
  archiveOptions(
    sites
      .command('rules')
      .summary('what is a site where a host is not one; --config gives the archive other rules'),
  )
    .option('--config <file>', "YAML file with 'sites:'; an empty list makes each host a site again")
    .action(rules);
  archiveOptions(
    sites
      .command('suggest')
      .summary('rules that links and templates of the archived pages speak for, each with its evidence'),
  ).action(suggest);
  sites.addHelpText(
    'after',
    `
Examples:
  daguerre sites
  daguerre sites --importance --json
  daguerre sites suggest > sites.yaml
  daguerre sites rules --config sites.yaml`,
  );
}

/** Sites shown to a person. */
const SHOWN = 50;

async function list({ importance, limit, json, ...location }: ListFlags): Promise<void> {
  const [{ listSites }, { keptMirrors }] = await Promise.all([
    import('../../archive/sites/list-sites.ts'),
    import('../../archive/mirrors/mirror-journal.ts'),
  ]);
  const archive = await openForReading(location);
  try {
    const mirrors = await keptMirrors(archive);
    const found = await listSites(archive.catalog, systemClock.now(), { importance, mirrors });
    const most = limit ?? (json ? Number.POSITIVE_INFINITY : SHOWN);
    const shown = { ...found, archived: found.archived.slice(0, most), fresh: found.fresh.slice(0, most) };
    const told = found.archived.length === 0 ? await archive.catalog.historySites() : [];
    await writeOutput(json ? `${JSON.stringify(shown)}\n` : siteListText(shown, found, told), undefined);
  } finally {
    await archive.close();
  }
}

async function rules({ config, json, ...location }: RulesFlags): Promise<void> {
  const print = (current: readonly SiteRule[]): Promise<void> =>
    writeOutput(json ? `${JSON.stringify({ sites: current })}\n` : rulesLines(current), undefined);
  if (config === undefined) {
    const archive = await openForReading(location);
    try {
      await print(archive.catalog.siteBounds().rules);
    } finally {
      await archive.close();
    }
    return;
  }
  const given = SITE_FILE.parse(await readConfig(config, SITE_FILE)).sites;
  const [{ requireArchive }, { changeSites }] = await Promise.all([
    import('../../archive/open/require-archive.ts'),
    import('../../archive/sites/change-sites.ts'),
  ]);
  await requireArchive(location);
  const archive = await openForWriting(location, 'sites', {
    onWait: (sentence) => say(process.stderr, sentence),
  });
  try {
    for (const sentence of archive.mended) process.stderr.write(`${sentence}\n`);
    const moved = await changeSites(given, archive);
    process.stderr.write(
      moved
        ? `${plural(moved.urls, 'archived URL is', 'archived URLs are')} of another site now; ${plural(moved.sites.length, 'site')} changed.\n`
        : 'These are the rules that the archive has already.\n',
    );
    await print(given);
  } finally {
    await archive.close();
  }
}

async function suggest({ json, ...location }: CommonOptions): Promise<void> {
  const { suggestSites } = await import('../../archive/sites/suggest-sites.ts');
  const archive = await openForReading(location);
  try {
    const found = await suggestSites(archive);
    await writeOutput(
      json ? `${JSON.stringify({ suggestions: found })}\n` : suggestionText(found),
      undefined,
    );
  } finally {
    await archive.close();
  }
}
