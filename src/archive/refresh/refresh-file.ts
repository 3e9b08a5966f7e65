import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { SiteBudget } from '../../science/policy/sites/divide-budget.ts';
import { readIfThere, writeWhole } from '../../storage/whole-file.ts';

/**
 * `refresh.json` stands in the archive's folder while a refresh is under way, and after one that was stopped or killed:
 *
 *   { "run": "2026-…", "pages": 500, "discovery": 0.1 }
 *
 * What it has spent is told by its crawls, which name the run.
 */
export interface RefreshRun extends SiteBudget {
  /** When it began, in ISO 8601. */
  readonly run: string;
}

const FILE = z.object({ run: z.string(), pages: z.number().min(0), discovery: z.number().min(0).max(1) });

const refreshPath = (root: string): string => join(root, 'refresh.json');

/** A file that cannot be read is as good as none: it is a note of what to go on with, and crawls go on by themselves. */
export async function unfinishedRefresh(root: string): Promise<RefreshRun | undefined> {
  const text = await readIfThere(refreshPath(root));
  if (text === undefined) return undefined;
  try {
    return FILE.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export const noteRefresh = (root: string, run: RefreshRun): Promise<void> =>
  writeWhole(refreshPath(root), `${JSON.stringify(run)}\n`, 0o644);

export const endRefresh = (root: string): Promise<void> => rm(refreshPath(root), { force: true });
