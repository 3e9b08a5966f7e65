/**
 * Experiments of D. Denev, A. Mazeika, M. Spaniol, G. Weikum: SHARC: Framework for Quality-Conscious Web Archiving.
 * PVLDB 2(1), 2009.
 */
import type { PaperExperiment } from './paper-experiment.ts';
import { SHARC_RATES } from './sharc-rates.ts';
import { SHARC_REAL_EXPERIMENTS } from './sharc-real.ts';
import { SHARC_SYNTHETIC } from './sharc-synthetic.ts';
import { SHARC_WORST_CASES } from './sharc-worst-case.ts';

export const SHARC_EXPERIMENTS: readonly PaperExperiment[] = [
  ...SHARC_SYNTHETIC,
  ...SHARC_WORST_CASES,
  ...SHARC_RATES,
  ...SHARC_REAL_EXPERIMENTS,
];
