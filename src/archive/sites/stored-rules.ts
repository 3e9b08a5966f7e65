import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { SiteRule } from '../../model/site-bounds.ts';
import type { MovedPages, SiteCatalog } from '../../ports/catalog.ts';
import type { ArchiveFolder } from '../../storage/archive-folder.ts';
import { readIfThere, writeWhole } from '../../storage/whole-file.ts';
import { UserError } from '../user-error.ts';
import { SITE_RULES } from './site-settings.ts';

/**
 * `sites.json` in the archive's folder holds its site rules:
 *
 *   { "sites": [["inria.fr", "www-rocq.inria.fr"], ["people.example.org/~*"]] }
 *
 * The file is authoritative; the catalog has the rules that its rows follow. Where the two differ, opening for writing
 * relabels the rows: after `reindex` with a lost catalog, after an edit by hand, after a crash between the two.
 */
export const rulesPath = (root: string): string => join(root, 'sites.json');

const FILE = z.strictObject({ sites: SITE_RULES });

/** Undefined where there is no file: then each host is a site. */
async function readRules(root: string): Promise<readonly SiteRule[] | undefined> {
  const path = rulesPath(root);
  const text = await readIfThere(path);
  if (text === undefined) return undefined;
  try {
    return FILE.parse(JSON.parse(text)).sites;
  } catch (error) {
    const why =
      error instanceof z.ZodError ? (error.issues[0]?.message ?? 'not understood') : (error as Error).message;
    throw new UserError(
      `${path} cannot be read (${why}). It says what this archive calls a site: mend it, put it back from a copy, or ` +
        'remove it, and each host is a site again',
    );
  }
}

/**
 * Brings the rows in line with the file, and returns what was done, if anything. Machines that share a catalog and an
 * object store have folders of their own: one without the file says nothing, and what the catalog knows holds.
 */
export async function followRules(
  { root, remote }: Pick<ArchiveFolder, 'root' | 'remote'>,
  catalog: SiteCatalog,
  isShared = false,
): Promise<readonly string[]> {
  const told = await readRules(root);
  if (!told && isShared && remote) return [];
  const rules = told ?? [];
  if (JSON.stringify(rules) === JSON.stringify(catalog.siteBounds().rules)) return [];
  const { urls } = await catalog.setSiteRules(rules);
  return urls === 0 ? [] : [`${rulesPath(root)}: ${urls} URLs are of another site now`];
}

/** First the file, then the rows: the next opening mends a crash in between. */
export async function storeRules(
  root: string,
  rules: readonly SiteRule[],
  catalog: SiteCatalog,
): Promise<MovedPages> {
  await writeWhole(rulesPath(root), `${JSON.stringify({ sites: rules }, null, 2)}\n`, 0o644);
  const moved = await catalog.setSiteRules(rules);
  // A server of the archive checks this time, and may have opened it between the two steps.
  await utimes(rulesPath(root), new Date(), new Date());
  return moved;
}
