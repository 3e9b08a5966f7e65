import type { CrawlSpec } from '../../model/crawl.ts';
import type { SkipRulesSpec } from '../../model/inference.ts';
import { SKIP_DEFAULTS } from '../../science/evolution/skip-plan.ts';
import { UserError } from '../user-error.ts';

/** How far a plan may go; defaults unless given. */
export interface RuleSettings {
  readonly missAtMost?: number | undefined;
  readonly refreshEvery?: number | undefined;
  readonly pin: readonly string[];
}

export interface SkipSettings extends RuleSettings {
  readonly skipByRules: boolean;
}

/** Share of the changed pages that may be missed unless the user says otherwise. */
export const MISS_AT_MOST = 0.05;

export const skipRulesSpec = ({ missAtMost, refreshEvery, pin }: RuleSettings): SkipRulesSpec => ({
  missAtMost: missAtMost ?? MISS_AT_MOST,
  refreshEvery: refreshEvery ?? SKIP_DEFAULTS.refreshEvery,
  pin,
});

/** The rules of a crawl that may skip; limits on skipping are refused where it may not. */
export function skipRules({
  skipByRules,
  missAtMost,
  refreshEvery,
  pin,
}: SkipSettings): Pick<CrawlSpec, 'skipByRules'> {
  if (skipByRules) return { skipByRules: skipRulesSpec({ missAtMost, refreshEvery, pin }) };
  if (missAtMost !== undefined || refreshEvery !== undefined || pin.length > 0)
    throw new UserError(
      '--miss-at-most, --refresh-every and --pin say how far --skip-by-rules may go: add it, or leave them out',
    );
  return {};
}
