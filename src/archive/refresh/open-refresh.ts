import { existsSync } from 'node:fs';
import type { Millis } from '../../model/time.ts';
import type { SiteBudget } from '../../science/policy/sites/divide-budget.ts';
import { type ArchiveFolder, archiveFolder } from '../../storage/archive-folder.ts';
import { noArchive } from '../open/open-archive.ts';
import { UserError } from '../user-error.ts';
import { type RefreshRun, unfinishedRefresh } from './refresh-file.ts';

export interface FoundRefresh {
  readonly run: RefreshRun;
  readonly resumed: boolean;
}

/** An archive is not made by looking for what to read again. */
export function requireArchive(folder: string): void {
  const { root, warc } = archiveFolder(folder);
  if (!existsSync(warc)) throw new UserError(noArchive(root));
}

/** The refresh to go on with, or a new one. What was stopped keeps its budget: the rest of it is what is left to spend. */
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

/** Which URLs of sites that were never read may be begun with: what a perimeter is for, here by patterns. */
export function wantedBy(patterns: readonly string[]): (url: string) => boolean {
  const tests = patterns.map((source) => {
    try {
      return new RegExp(source);
    } catch (error) {
      throw new UserError(`--within '${source}' is not a regular expression (${(error as Error).message})`);
    }
  });
  return (url) => tests.some((test) => test.test(url));
}
