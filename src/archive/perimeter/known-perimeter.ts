import { Decisions } from '../../model/decisions.ts';
import type { PerimeterSpec } from '../../model/perimeter.ts';
import type { PerimeterCatalog } from '../../ports/catalog.ts';
import type { OnlinePerimeter } from '../../science/perimeter/online-perimeter.ts';
import { restorePerimeter } from '../../stages/restore-perimeter.ts';
import { CRAWL_SETTINGS } from '../crawl/crawl-settings.ts';
import { readConfig } from '../given/config-file.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { UserError } from '../user-error.ts';
import { perimeterDefinition } from './perimeter-definition.ts';
import { chosenPerimeter, type PerimeterTable } from './perimeter-settings.ts';
import { unstoredCriteria } from './unstored-criteria.ts';

export interface WantedPerimeter {
  /** The only one of the file or the archive unless given. */
  readonly name?: string;
  /** Configuration file; otherwise as in the last crawl that kept to it. */
  readonly config?: string;
}

/** A perimeter over all that an archive knows: every page read by any crawl has handed on all it has. */
export interface KnownPerimeter {
  readonly spec: PerimeterSpec;
  readonly state: OnlinePerimeter;
  readonly decisions: Decisions;
}

export async function knownPerimeter(
  archive: Pick<OpenArchive, 'catalog' | 'decisions'>,
  wanted: WantedPerimeter,
  now: number,
): Promise<KnownPerimeter> {
  const { catalog } = archive;
  const spec = await specOf(archive, wanted);
  const definition = perimeterDefinition(spec);
  const decisions = new Decisions([...definition.decisions, ...(await archive.decisions()).made]);
  const state = await restorePerimeter(definition, decisions, catalog);
  await settle(state, catalog, now);
  return { spec, state, decisions };
}

/**
 * The same for a perimeter that pages were judged for, with what cannot be told about them; for any other there is
 * nothing to report.
 */
export async function judgedPerimeter(
  archive: Pick<OpenArchive, 'catalog' | 'decisions'>,
  wanted: WantedPerimeter,
  now: number,
): Promise<KnownPerimeter & { readonly notes: readonly string[] }> {
  const known = await knownPerimeter(archive, wanted, now);
  const { name } = known.spec;
  const judged = await archive.catalog.perimeters();
  if (!judged.includes(name))
    throw new UserError(
      `no crawl of this archive has kept to the perimeter '${name}', so that no page was judged for it; ` +
        `crawls kept to: ${judged.join(', ') || 'none'}. Begin with 'daguerre archive URL --perimeter ${name}'`,
    );
  return { ...known, notes: await unstoredCriteria(known.spec, archive.catalog) };
}

async function specOf(
  { catalog }: Pick<OpenArchive, 'catalog'>,
  { name, config }: WantedPerimeter,
): Promise<PerimeterSpec> {
  if (config !== undefined) {
    const { perimeters, perimeter } = await readConfig(config, CRAWL_SETTINGS.partial());
    // Already checked; parsed here for its defaults.
    const table = CRAWL_SETTINGS.shape.perimeters.parse(perimeters) ?? ({} as PerimeterTable);
    return chosenPerimeter(table, name ?? (perimeter as string | undefined), config);
  }
  const used = (await catalog.crawls()).flatMap(({ spec }) => (spec.perimeter ? [spec.perimeter] : []));
  const names = [...new Set(used.map((one) => one.name))];
  const asked = name ?? (names.length === 1 ? names[0] : undefined);
  if (asked === undefined && names.length > 1)
    throw new UserError(`which perimeter is meant? Crawls of this archive kept to: ${names.join(', ')}`);
  return used.findLast((one) => one.name === asked) ?? chosenPerimeter({}, asked, undefined, names);
}

/** Pages whose links are in memory at once. */
const AT_ONCE = 500;

/**
 * Each round hands on what the previous one brought to pages that were read: after depth − 1 of them nothing is
 * left.
 */
export async function settle(
  state: OnlinePerimeter,
  catalog: Pick<PerimeterCatalog, 'linksFrom'>,
  now: number,
): Promise<void> {
  for (let round = 1; round < state.depth; round++) {
    const pages = state.waiting(Number.POSITIVE_INFINITY);
    for (let from = 0; from < pages.length; from += AT_ONCE) {
      const some = pages.slice(from, from + AT_ONCE);
      const links = await catalog.linksFrom(some);
      for (const page of some) state.release(page, links.get(page) ?? [], now);
    }
  }
}
