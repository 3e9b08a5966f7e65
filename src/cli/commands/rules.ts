import { type Command, Option } from 'commander';
import { rulesFigure } from '../../access/directory-rules/rules-figure.ts';
import { rulesText } from '../../access/directory-rules/rules-text.ts';
import { siteNamed } from '../../access/site-name.ts';
import { CRAWL_SETTINGS } from '../../archive/crawl/crawl-settings.ts';
import { skipRulesSpec } from '../../archive/crawl/skip-rules.ts';
import { rulesReports } from '../../archive/directory-rules.ts';
import { openForReading } from '../../archive/open/open-archive.ts';
import { UserError } from '../../archive/user-error.ts';
import { SKIP_DEFAULTS } from '../../science/evolution/skip-plan.ts';
import { checkedSettings } from '../given-settings.ts';
import { toldSites } from '../sites-text.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';
import { parseSite } from './page-options.ts';

const RULES_FORMATS = ['text', 'json', 'svg'] as const;

interface RulesFlags extends CommonOptions {
  readonly site?: string;
  readonly missAtMost?: string;
  readonly refreshEvery?: string;
  readonly pin?: readonly string[];
  readonly format: (typeof RULES_FORMATS)[number];
  readonly out?: string;
}

export function rulesCommand(program: Command): void {
  archiveOptions(
    program
      .command('rules')
      .summary(
        'what the history of a site says of its directories: which stay as they are while others change',
      )
      .description(
        'Rules in plain words, which directories the next crawl with --skip-by-rules would leave as they are archived ' +
          'and what that is expected to cost, and how earlier skips turned out. --format svg draws the directory tree ' +
          'with how much changed in each version. See docs/directories.md.',
      ),
  )
    .option('--site <site>', 'only of this site, such as example.org', parseSite)
    .option('--miss-at-most <share>', 'share of the changed pages that may be missed (default: 5%)')
    .option(
      '--refresh-every <crawls>',
      `crawls after which a directory is visited again (default: ${SKIP_DEFAULTS.refreshEvery})`,
    )
    .option('--pin <pattern...>', 'regular expression of URLs that are always visited (repeatable)')
    .addOption(new Option('--format <format>', 'what to write').choices(RULES_FORMATS).default('text'))
    .option('--out <file>', 'where to; stdout otherwise')
    .addHelpText(
      'after',
      `
Examples:
  daguerre rules
  daguerre rules --site example.org --miss-at-most 2% --refresh-every 4 --pin '/prices/'
  daguerre rules --site example.org --format svg --out rules.svg
  daguerre rules --site example.org --json > rules.json`,
    )
    .action(rules);
}

/** As `archive` takes them: what is shown is what it would do. */
const SKIP_SETTINGS = CRAWL_SETTINGS.pick({ missAtMost: true, refreshEvery: true, pin: true });

async function rules(given: RulesFlags): Promise<void> {
  const { site, missAtMost, refreshEvery, pin, out, json, ...flags } = given;
  const settings = checkedSettings(SKIP_SETTINGS, { missAtMost, refreshEvery, pin }, () => true);
  const format = json ? 'json' : flags.format;
  const archive = await openForReading(flags);
  try {
    const named = site && siteNamed(site, archive.catalog.siteBounds());
    const now = Date.now();
    const { held } = await archive.decisions();
    const reports = await rulesReports(archive.catalog, named, {
      now,
      rules: skipRulesSpec(settings),
      isPinned: (url) => held.on(url, now).kept !== undefined,
    });
    if (reports.length === 0)
      throw new UserError(
        `the archive holds no page yet${toldSites(await archive.catalog.historySites())}: 'daguerre archive <url>' captures a site`,
      );
    const [first, ...others] = reports;
    if (format === 'svg' && first && others.length > 0)
      throw new UserError(
        `a drawing is of one site: choose it with --site (${reports.map((report) => report.site).join(', ')})`,
      );
    const written = {
      text: () => reports.map(rulesText).join('\n'),
      json: () => reports.map((report) => `${JSON.stringify(report)}\n`).join(''),
      svg: () => (first ? rulesFigure(first) : ''),
    }[format]();
    await writeOutput(written, out);
  } finally {
    await archive.close();
  }
}
