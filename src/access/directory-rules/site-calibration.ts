import { isByRule } from '../../model/inference.ts';
import type { SeenPage } from '../../model/pattern.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { type Calibration, calibrate } from '../../science/evolution/skip-calibration.ts';

export type CalibrationCatalog = Pick<Catalog, 'seenPages' | 'crawls' | 'inferences'>;

/** How the skips of a site turned out so far. */
export async function siteCalibration(site: string, catalog: CalibrationCatalog): Promise<Calibration> {
  const startedAt = new Map((await catalog.crawls()).map((crawl) => [crawl.id, crawl.startedAt]));
  const skips = (await catalog.inferences({ site }))
    .filter(({ state, reason }) => state === 'inferred' && isByRule(reason))
    .map((skip) => ({ ...skip, at: startedAt.get(skip.crawlId) ?? 0 }));
  const seen: SeenPage[] = [];
  if (skips.length > 0) for await (const pages of catalog.seenPages(site, 0)) seen.push(...pages);
  return calibrate(skips, seen);
}

/** Pages that crawls of the site left out as those of a mirror, summed over crawls. */
export async function mirroredSoFar(site: string, catalog: CalibrationCatalog): Promise<number> {
  return (await catalog.inferences({ site }))
    .filter(({ state, reason }) => state === 'inferred' && !isByRule(reason))
    .reduce((sum, { urls }) => sum + urls.length, 0);
}

/** Null where nothing was ever skipped by rules. */
export async function calibrationIfAny(
  site: string,
  catalog: CalibrationCatalog,
): Promise<Calibration | null> {
  const calibration = await siteCalibration(site, catalog);
  return calibration.skips + calibration.unchecked > 0 ? calibration : null;
}
