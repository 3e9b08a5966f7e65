import { join } from 'node:path';
import { z } from 'zod';
import { readIfThere, writeWhole } from '../../storage/whole-file.ts';
import type { HubSubscription } from './subscriptions.ts';

const FILE = z.array(
  z.object({
    topic: z.string(),
    hub: z.string(),
    id: z.string().min(16),
    secret: z.string().min(16),
    failures: z.number(),
    askedAt: z.number().optional(),
    until: z.number().optional(),
    lease: z.number().optional(),
    problem: z.string().optional(),
  }),
);

/** `websub.json` in the archive's folder. It holds secrets. */
const pathIn = (root: string): string => join(root, 'websub.json');

/** An unreadable file counts as none: hubs are asked again, and old subscriptions run out. */
export async function readSubscriptions(root: string): Promise<readonly HubSubscription[]> {
  const text = await readIfThere(pathIn(root));
  if (text === undefined) return [];
  try {
    return FILE.parse(JSON.parse(text));
  } catch {
    return [];
  }
}

export const writeSubscriptions = (root: string, all: readonly HubSubscription[]): Promise<void> =>
  writeWhole(pathIn(root), `${JSON.stringify(all)}\n`, 0o600);
