import type { Command } from 'commander';
import { parseCount } from '../arguments.ts';
import { show } from './lab-options.ts';
import { type ShownSetFlags, setOptions, withViewer } from './shown-set.ts';

interface AlertsFlags extends ShownSetFlags {
  readonly config: string;
  readonly page?: readonly string[];
  readonly versions?: number;
}

export function alertsLabCommand(lab: Command): void {
  setOptions(
    lab
      .command('alerts')
      .summary('what rules tell of the versions of pages')
      .description(
        'Shows every version of some pages in Chromium, offline, compares each with the one before, and lists what each rule ' +
          'tells of it, for a person to judge; and whether any tells of advertisements alone.',
      ),
    'folder of <page>/<UTC>.html, or a tar file of it',
  )
    .requiredOption('--config <file>', "YAML file with the rules under 'alerts:'")
    .option('--page <name...>', 'only pages whose name holds one of these')
    .option(
      '--versions <number>',
      'of each page at most so many: its oldest and newest, half and half',
      parseCount,
    )
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre lab alerts --set versions/ --config rules.yaml --snapshots kept/',
    )
    .action(runAlerts);
}

async function runAlerts(flags: AlertsFlags): Promise<void> {
  const { readAlerts } = await import('../../archive/alerts/alert-settings.ts');
  const { openAdRecogniser } = await import('../../archive/look/page-parts.ts');
  const { alerts } = await import('../../lab/alerts/alerts.ts');
  const { KeptSnapshots } = await import('./kept-snapshots.ts');
  const { showVersions } = await import('./show-versions.ts');
  const { openVersionSet } = await import('./version-set.ts');
  const { rules } = await readAlerts(flags.config);
  const { pages, close } = await openVersionSet(flags.set, { only: flags.page, most: flags.versions });
  try {
    const { recogniser, fact } = await openAdRecogniser();
    process.stderr.write(`${fact}\n`);
    await withViewer(async (viewer) => {
      const input = {
        rules: rules.map(({ rule }) => rule),
        set: showVersions(pages, { viewer, kept: new KeptSnapshots(flags.snapshots), again: 0 }),
        ads: (pageUrl: string) => ({
          byUrl: (url: string, kind: 'link' | 'image') => recogniser.isAdvertisement(url, pageUrl, kind),
          hidden: (names: Parameters<typeof recogniser.hidden>[1]) => recogniser.hidden(pageUrl, names),
        }),
      };
      await show(alerts, input, flags);
    });
  } finally {
    await close();
  }
}
