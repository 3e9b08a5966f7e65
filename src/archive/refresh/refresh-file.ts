import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { SiteBudget } from '../../science/policy/sites/divide-budget.ts';
import { readIfThere, writeWhole } from '../../storage/whole-file.ts';

/**
 * `refresh.json` is in the archive's folder while a refresh is under way, and after one that was stopped or killed:
 *
 *   { "run": "2026-…", "pages": 500, "discovery": 0.1 }
 *
 * What it has spent follows from its crawls, which name the run.
 */
export interface RefreshRun extends SiteBudget {
  /** When it began, in ISO 8601. */
  readonly run: string;
}

const FILE = z.object({ run: z.string(), pages: z.number().min(0), discovery: z.number().min(0).max(1) });

const refreshPath = (root: string): string => join(root, 'refresh.json');

/** An unreadable file counts as none: it only notes what to resume, and crawls can be resumed without it. */
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
