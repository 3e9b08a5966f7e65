/**
 * Experiments of M. Ben Saad, S. Gançarski: Archiving the web using page changes patterns: a case study. IJDL 13 (2012).
 */
import type { PaperExperiment } from './paper-experiment.ts';
import { PATTERNS_PERIODS } from './patterns-periods.ts';
import { PATTERNS_POLICIES } from './patterns-policies.ts';
import { PATTERNS_SERIES } from './patterns-series.ts';

export const PATTERNS_EXPERIMENTS: readonly PaperExperiment[] = [
  ...PATTERNS_SERIES,
  ...PATTERNS_PERIODS,
  ...PATTERNS_POLICIES,
];
