import type { SiteRule } from '../../model/site-bounds.ts';
import type { MovedPages } from '../../ports/catalog.ts';
import { learnPatterns } from '../../stages/learn-patterns.ts';
import { holidays } from '../holidays.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { storeRules } from './stored-rules.ts';

/**
 * What the archive counts as one site from now on; undefined where nothing changed. Patterns of sites that changed are
 * learnt again.
 */
export async function changeSites(
  rules: readonly SiteRule[],
  { catalog, folder }: OpenArchive,
): Promise<MovedPages | undefined> {
  if (JSON.stringify(rules) === JSON.stringify(catalog.siteBounds().rules)) return undefined;
  const moved = await storeRules(folder.root, rules, catalog);
  await learnPatterns(moved.sites, { catalog, holidays });
  return moved;
}
