import { Decisions } from '../../model/decisions.ts';
import type { PerimeterSpec } from '../../model/perimeter.ts';
import type { Millis } from '../../model/time.ts';
import type { SiteBudget } from '../../science/policy/sites/divide-budget.ts';
import type { ArchiveFolder } from '../../storage/archive-folder.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { addressFacts } from '../perimeter/address-facts.ts';
import { knownPerimeter, type WantedPerimeter } from '../perimeter/known-perimeter.ts';
import { declaredDecisions } from '../perimeter/perimeter-definition.ts';
import { UserError } from '../user-error.ts';
import type { WantedChance } from './plan-refresh.ts';
import { type RefreshRun, unfinishedRefresh } from './refresh-file.ts';

export interface FoundRefresh {
  readonly run: RefreshRun;
  readonly resumed: boolean;
}

/** Which sites may be read. */
export interface WantedSites {
  readonly wanted: WantedChance;
  readonly isOut: (url: string) => boolean;
  /** The perimeter by which new sites were chosen: what is read keeps to it. */
  readonly perimeter?: PerimeterSpec;
}

/** The refresh to resume, or a new one. A stopped refresh keeps its budget: what remains of it can still be spent. */
export async function findRefresh(
  { root }: Pick<ArchiveFolder, 'root'>,
  budget: SiteBudget,
  { restart, now }: { readonly restart: boolean; readonly now: Millis },
): Promise<FoundRefresh> {
  const before = restart ? undefined : await unfinishedRefresh(root);
  if (!before) return { run: { run: new Date(now).toISOString(), ...budget }, resumed: false };
  if (before.pages !== budget.pages || before.discovery !== budget.discovery)
    throw new UserError(
      `the refresh begun ${before.run} is not finished, and has another budget: go on with --budget ${before.pages} ` +
        `--discovery ${before.discovery * 100}%, or begin anew with --restart`,
    );
  return { run: before, resumed: true };
}

/** Which URLs of unread sites may be starting points, by patterns. */
export function wantedBy(patterns: readonly string[]): WantedChance {
  const tests = patterns.map((source) => {
    try {
      return new RegExp(source);
    } catch (error) {
      throw new UserError(`--within '${source}' is not a regular expression (${(error as Error).message})`);
    }
  });
  return (url) => Number(tests.some((test) => test.test(url)));
}

/** By a perimeter, as the archive knows it now: URLs that are believed to belong, by their chance. Patterns narrow it further. */
export async function wantedByPerimeter(
  archive: Pick<OpenArchive, 'catalog' | 'decisions'>,
  perimeter: WantedPerimeter,
  patterns: readonly string[],
  now: Millis,
): Promise<WantedSites> {
  const { state, spec, decisions } = await knownPerimeter(archive, perimeter, now);
  const within = patterns.length === 0 ? () => 1 : wantedBy(patterns);
  return {
    wanted: (url) => {
      if (within(url) === 0) return 0;
      const { inside, chance } = state.standing(addressFacts(url) ?? { url, host: '', domain: '' }, now);
      return inside ? chance : 0;
    },
    isOut: outBy(decisions, now),
    perimeter: spec,
  };
}

/** Without a perimeter: by patterns, and by what is decided out, here or by the perimeter of the last crawl. */
export async function wantedByPatterns(
  archive: Pick<OpenArchive, 'catalog' | 'decisions'>,
  wanted: WantedChance,
  now: Millis,
): Promise<WantedSites> {
  const last = (await archive.catalog.crawls()).findLast(({ spec }) => !spec.refresh)?.spec.perimeter;
  const declared = last ? declaredDecisions(last) : [];
  return { wanted, isOut: outBy(new Decisions([...declared, ...(await archive.decisions()).made]), now) };
}

const outBy =
  (decisions: Decisions, now: Millis) =>
  (url: string): boolean =>
    decisions.on(url, now).verdict?.act.kind === 'out';
