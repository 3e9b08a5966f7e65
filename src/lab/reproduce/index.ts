import type { PaperExperiment } from './paper-experiment.ts';
import { PATTERNS_EXPERIMENTS } from './patterns.ts';
import { SHARC_EXPERIMENTS } from './sharc.ts';

/** All experiments of papers, one list for each paper. */
export const EXPERIMENTS: readonly PaperExperiment[] = [...SHARC_EXPERIMENTS, ...PATTERNS_EXPERIMENTS];
