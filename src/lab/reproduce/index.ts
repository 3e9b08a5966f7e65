import type { Experiment } from './experiment.ts';
import { PATTERNS_EXPERIMENTS } from './patterns.ts';
import { SHARC_EXPERIMENTS } from './sharc.ts';

/** All experiments, one list for each paper. */
export const EXPERIMENTS: readonly Experiment[] = [...SHARC_EXPERIMENTS, ...PATTERNS_EXPERIMENTS];

export type {
  Experiment,
  ExperimentOptions,
  Finding,
  Outcome,
  PlotDescription,
  Row,
} from './experiment.ts';
