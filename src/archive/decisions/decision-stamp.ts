import { createHash } from 'node:crypto';
import type { Decision } from '../../model/decision.ts';
import { mayTouch } from '../../model/decision-target.ts';

/**
 * All that was ever decided about these targets, as a stamp: it differs once somebody has decided since. Decisions are
 * never changed, so their ids are enough. Without targets: about all.
 */
export function decisionStamp(made: readonly Decision[], targets: readonly string[] = []): string {
  const hash = createHash('sha256');
  for (const { id, target } of made)
    if (targets.length === 0 || targets.some((one) => mayTouch(one, target))) hash.update(`${id}\n`);
  return hash.digest('base64url').slice(0, 22);
}
