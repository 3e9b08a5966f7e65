import { FRENCH_WEB_FARM } from './french-web-farm.ts';
import { FRENCH_WEB_OPIC } from './french-web-opic.ts';
import { FRENCH_WEB_PERIMETER } from './french-web-perimeter.ts';
import { FRENCH_WEB_REFRESH } from './french-web-refresh.ts';
import { FRENCH_WEB_RELEVANCE } from './french-web-relevance.ts';
import { FRENCH_WEB_SITES } from './french-web-sites.ts';
import { NEAR_EXPERIMENTS } from './near.ts';
import type { PaperExperiment } from './paper-experiment.ts';
import { PATTERNS_PERIODS } from './patterns-periods.ts';
import { PATTERNS_POLICIES } from './patterns-policies.ts';
import { PATTERNS_SERIES } from './patterns-series.ts';
import { SHARC_RATES } from './sharc-rates.ts';
import { SHARC_REAL_EXPERIMENTS } from './sharc-real.ts';
import { SHARC_SYNTHETIC } from './sharc-synthetic.ts';
import { SHARC_WORST_CASES } from './sharc-worst-case.ts';
import { VI_DIFF_DELTAS } from './vi-diff-deltas.ts';
import { VI_DIFF_PAGES } from './vi-diff-pages.ts';
import { VI_DIFF_STEPS } from './vi-diff-steps.ts';
import { VI_DIFF_STORAGE } from './vi-diff-storage.ts';

/** D. Denev, A. Mazeika, M. Spaniol, G. Weikum: SHARC: Framework for Quality-Conscious Web Archiving. PVLDB 2(1), 2009. */
export const SHARC_EXPERIMENTS: readonly PaperExperiment[] = [
  ...SHARC_SYNTHETIC,
  ...SHARC_WORST_CASES,
  ...SHARC_RATES,
  ...SHARC_REAL_EXPERIMENTS,
];

/** M. Ben Saad, S. Gançarski: Archiving the web using page changes patterns: a case study. IJDL 13 (2012). */
export const PATTERNS_EXPERIMENTS: readonly PaperExperiment[] = [
  ...PATTERNS_SERIES,
  ...PATTERNS_PERIODS,
  ...PATTERNS_POLICIES,
];

/** Z. Pehlivan, M. Ben Saad, S. Gançarski: A Novel Web Archiving Approach based on Visual Pages Analysis. IWAW 2009. */
export const VI_DIFF_EXPERIMENTS: readonly PaperExperiment[] = [
  ...VI_DIFF_PAGES,
  ...VI_DIFF_STEPS,
  ...VI_DIFF_DELTAS,
  ...VI_DIFF_STORAGE,
];

/** All experiments from papers, one list per paper. */
export const EXPERIMENTS: readonly PaperExperiment[] = [
  ...SHARC_EXPERIMENTS,
  ...PATTERNS_EXPERIMENTS,
  ...VI_DIFF_EXPERIMENTS,
  ...NEAR_EXPERIMENTS,
  ...FRENCH_WEB_PERIMETER,
  ...FRENCH_WEB_RELEVANCE,
  ...FRENCH_WEB_OPIC,
  ...FRENCH_WEB_SITES,
  ...FRENCH_WEB_REFRESH,
  ...FRENCH_WEB_FARM,
];
