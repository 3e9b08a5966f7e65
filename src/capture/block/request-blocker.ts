import type { BlockRule } from '../../model/block-rule.ts';
import type { PageRequest, RequestBlocker } from '../../ports/request-blocker.ts';
import { compileBlockRules } from './block-rules.ts';

/** The filter of a list that takes a request for an advertisement, as written in the list. */
export type AdFilters = (request: PageRequest) => string | undefined;

/** Rules of the configuration come first; undefined if nothing is blocked. */
export function requestBlocker(
  rules: readonly BlockRule[] = [],
  filterOf?: AdFilters,
): RequestBlocker | undefined {
  if (rules.length === 0 && !filterOf) return undefined;
  const own = compileBlockRules(rules);
  return {
    judge(request) {
      const ruled = own.judge(request);
      if (ruled) return ruled;
      const rule = filterOf?.(request);
      return rule === undefined ? undefined : { reason: 'advertisement', rule };
    },
  };
}
