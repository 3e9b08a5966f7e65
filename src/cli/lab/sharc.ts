import { parseChanges } from '../../lab/data/page-tables.ts';
import { sharc, sharcOnline } from '../../lab/sharpness/show-plan.ts';
import type { LabSharcFlags, LabSharcOnlineFlags } from '../commands/lab-sharc.ts';
import { withGivenSite } from './given-site.ts';
import { showExperiment } from './show-experiment.ts';

export async function labSharc(flags: LabSharcFlags): Promise<void> {
  await withGivenSite(flags, async ({ names, site, valuesOf, skipped }) => {
    const changes =
      flags.changes === undefined
        ? undefined
        : valuesOf(flags.changes, parseChanges).map((list) => list.map(({ time }) => time - flags.start));
    const input = { names, site, options: { ...flags, changes } };
    await showExperiment(sharc, input, flags, { skipped: skipped() });
  });
}

export async function labSharcOnline(flags: LabSharcOnlineFlags): Promise<void> {
  await withGivenSite(flags, async ({ names, site, skipped }) => {
    const input = { names, site, strategy: flags.strategy };
    await showExperiment(sharcOnline, input, flags, { skipped: skipped() });
  });
}
