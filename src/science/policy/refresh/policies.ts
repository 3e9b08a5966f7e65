/** Every refresh policy by name: the papers', those of crawlers, and ours. */
import { expectedGain } from './expected-gain.ts';
import { exploring } from './explore.ts';
import type { RefreshPolicy } from './policy.ts';
import { pricedGain } from './priced-gain.ts';
import { adaptiveInterval, frequency, importance, importancePattern, pattern, roundRobin } from './rivals.ts';
import { coherence, relevance, sharcSweep } from './sweeps.ts';

/** A new one each time: some remember what they worked out for a state. */
const MAKERS: readonly (() => RefreshPolicy)[] = [
  () => roundRobin,
  () => relevance,
  () => frequency(),
  () => coherence,
  () => sharcSweep,
  () => adaptiveInterval,
  () => importance,
  () => pattern,
  () => importancePattern,
  () => exploring(expectedGain()),
  () => exploring(expectedGain('symmetric')),
  () => exploring(pricedGain()),
];

export const REFRESH_POLICY_NAMES: readonly string[] = MAKERS.map((make) => make().name);

export function refreshPolicy(name: string): RefreshPolicy {
  for (const make of MAKERS) {
    const policy = make();
    if (policy.name === name) return policy;
  }
  throw new RangeError(`no refresh policy is named '${name}'; there are: ${REFRESH_POLICY_NAMES.join(', ')}`);
}
