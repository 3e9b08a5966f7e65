import { type Command, Option } from 'commander';
import { ONLINE_STRATEGIES } from '../../science/sharpness/strategies.ts';
import { withGivenSite } from './given-site.ts';
import { show } from './lab-options.ts';
import { type SiteFlags, siteOptions } from './site-options.ts';

interface SharcOnlineFlags extends SiteFlags {
  readonly graph: string;
  readonly strategy: string;
}

export function sharcOnlineCommand(lab: Command): void {
  siteOptions(
    lab
      .command('sharc-online')
      .summary('the order in which a site is downloaded that is found on the way')
      .description('Follows the links of a site and downloads its pages in the order of an online strategy.')
      .requiredOption('--graph <file>', 'table of from, to: links by which pages are found'),
  )
    .addOption(
      new Option('--strategy <name>', 'order of the downloads')
        .choices(Object.keys(ONLINE_STRATEGIES))
        .default('sharc-online'),
    )
    .addHelpText(
      'after',
      `
Example:
  daguerre lab sharc-online --graph links.tsv --rates rates.tsv --size 6`,
    )
    .action(runSharcOnline);
}

async function runSharcOnline(flags: SharcOnlineFlags): Promise<void> {
  const { sharcOnline } = await import('../../lab/sharpness/show-plan.ts');
  await withGivenSite(flags, async ({ names, site, skipped }) => {
    const input = { names, site, strategy: flags.strategy };
    await show(sharcOnline, input, flags, { skipped: skipped() });
  });
}
