import { z } from 'zod';
import { siteNamed } from '../../access/site-name.ts';
import { archiveFolder } from '../../storage/archive-folder.ts';
import { readIdentity } from '../../storage/identity-file.ts';
import { readConfig } from '../given/config-file.ts';
import { parseSize } from '../given/quantities.ts';
import { quantity } from '../given/quantity-schema.ts';
import {
  type ArchiveLocation,
  type OpenArchive,
  openForReading,
  openForWriting,
} from '../open/open-archive.ts';
import { requireArchive } from '../open/require-archive.ts';
import { systemClock } from '../system-clock.ts';
import { UserError } from '../user-error.ts';
import { type ThinOptions, type ThinReport, thinArchive } from './thin-archive.ts';

/** What the configuration of `watch` says about storage; all its other keys are used elsewhere. */
const STORAGE_CONFIG = z.looseObject({
  budget: z.looseObject({ storage: quantity(parseSize).optional() }).optional(),
  sites: z.array(z.looseObject({ url: z.string(), storage: quantity(parseSize).optional() })).optional(),
});

export interface ThinGiven extends Pick<ThinOptions, 'imported' | 'keep' | 'signal' | 'onProgress'> {
  /** Without it, what would go is only reported. */
  readonly yes: boolean;
  readonly storage?: number;
  /** Bytes per site, under the names people use. */
  readonly sites: ReadonlyMap<string, number>;
  /** File with budgets; values given alongside take precedence. */
  readonly config?: string;
  readonly onMended?: (sentence: string) => void;
}

/** Thins an archive, or reports what would go; reporting works while a crawl writes. */
export async function thin(location: ArchiveLocation, given: ThinGiven): Promise<ThinReport> {
  const { root } = archiveFolder(location.archive);
  const place = location.storage ?? (await readIdentity(root).catch(() => undefined))?.storage;
  const placed = { ...location, ...(place !== undefined && { storage: place }) };
  await requireArchive(placed);
  const declared: Partial<Budgets> = given.config === undefined ? {} : await readBudgets(given.config);
  const storage = given.storage ?? declared.storage;
  const named = new Map([...(declared.sites ?? []), ...given.sites]);
  if (storage === undefined && named.size === 0)
    throw new UserError(
      'how much may it take? Give --storage 200GB, --site example.org=10GB, or --config with budget: { storage: 200GB }',
    );
  const archive = given.yes
    ? await openForWriting(placed, 'thin', { ...(given.onMended && { onWait: given.onMended }) })
    : await openForReading(placed);
  try {
    for (const sentence of archive.mended) given.onMended?.(sentence);
    const { yes, imported, keep, signal, onProgress } = given;
    return await thinArchive(archive, {
      now: systemClock.now(),
      dryRun: !yes,
      sites: knownSites(archive, named),
      ...(storage !== undefined && { storage }),
      ...(imported !== undefined && { imported }),
      ...(keep !== undefined && { keep }),
      ...(signal && { signal }),
      ...(onProgress && { onProgress }),
    });
  } finally {
    await archive.close();
  }
}

interface Budgets {
  readonly storage?: number;
  readonly sites: ReadonlyMap<string, number>;
}

async function readBudgets(path: string): Promise<Budgets> {
  const { budget, sites = [] } = STORAGE_CONFIG.parse(await readConfig(path, STORAGE_CONFIG));
  const own = sites.flatMap(({ url, storage }) => (storage === undefined ? [] : [[url, storage] as const]));
  return { sites: new Map(own), ...(budget?.storage !== undefined && { storage: budget.storage }) };
}

function knownSites(
  { catalog }: OpenArchive,
  named: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  return new Map(
    [...named].map(([name, bytes]) => {
      const site = siteNamed(name, catalog.siteBounds());
      if (site === '') throw new UserError(`'${name}' is no site: write e.g. example.org=10GB`);
      return [site, bytes];
    }),
  );
}
