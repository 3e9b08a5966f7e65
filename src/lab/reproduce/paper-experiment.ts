/** A figure or table of a paper, measured again: what the paper says, and the result here. */
import { type Experiment, type ExperimentSpec, experiment } from '../experiment/experiment.ts';
import type { ShownPages } from './shown-pages.ts';

export interface PaperOptions {
  readonly seed: number;
  /** Whether sizes and repetitions are cut so that all experiments together take seconds; verdicts may then differ. */
  readonly quick: boolean;
  /** Folder with real data; if absent, experiments that need it are skipped. */
  readonly data?: string | undefined;
  /** Real pages in a browser; if absent, as without data. */
  readonly pages?: ShownPages | undefined;
  /** Called now and then by long experiments. */
  readonly progress: (done: string) => void;
}

/** Where it is in the paper. */
interface Place {
  /** Short: `SHARC 2009`. */
  readonly paper: string;
  /** `Fig. 10`, `Table 4`, `§6`. */
  readonly figure: string;
}

export type PaperExperiment = Experiment<PaperOptions> & Place;

export function paperExperiment<R>(spec: ExperimentSpec<PaperOptions, R> & Place): PaperExperiment {
  const { paper, figure } = spec;
  return { ...experiment(spec), paper, figure };
}
