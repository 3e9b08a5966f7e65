/**
 * Experiments of L. Chen, S. S. Bhowmick, W. Nejdl: NEAR-Miner: Mining Evolution Associations of Web Site Directories for
 * Efficient Maintenance of Web Archives. PVLDB 2(1), 2009.
 */
import { NEAR_CHANGES } from './near-changes.ts';
import { NEAR_MAINTENANCE } from './near-maintenance.ts';
import { NEAR_PARAMETERS } from './near-parameters.ts';
import { NEAR_RULES } from './near-rules.ts';
import { NEAR_SPEED } from './near-speed.ts';
import { NEAR_TABLES } from './near-table-2.ts';
import type { PaperExperiment } from './paper-experiment.ts';

export const NEAR_EXPERIMENTS: readonly PaperExperiment[] = [
  ...NEAR_CHANGES,
  ...NEAR_TABLES,
  ...NEAR_MAINTENANCE,
  ...NEAR_RULES,
  ...NEAR_SPEED,
  ...NEAR_PARAMETERS,
];
