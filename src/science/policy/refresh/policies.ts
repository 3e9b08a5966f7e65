/** Every refresh policy by name: the papers', those of crawlers, and ours. */
import { expectedGain } from './expected-gain.ts';
import { exploring } from './explore.ts';
import type { RefreshPolicy } from './policy.ts';
import { pricedGain } from './priced-gain.ts';
import { adaptiveInterval, frequency, importance, importancePattern, pattern, roundRobin } from './rivals.ts';
import { coherence, relevance, sharcSweep } from './sweeps.ts';

/** New instances each time, since priced-gain keeps its plans for a day; the others keep nothing between two rounds. */
const MAKERS: readonly (() => RefreshPolicy)[] = [
  () => roundRobin,
  () => relevance,
  () => exploring(frequency),
  () => coherence,
  () => sharcSweep,
  () => adaptiveInterval,
  () => exploring(importance),
  () => exploring(pattern),
  () => exploring(importancePattern),
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
