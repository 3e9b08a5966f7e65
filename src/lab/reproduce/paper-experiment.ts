/** A figure or table of a paper, measured again, with what the paper says of it beside what came out here. */
import { type Experiment, type ExperimentSpec, experiment } from '../experiment/experiment.ts';
import type { ShownPages } from './shown-pages.ts';

export interface PaperOptions {
  readonly seed: number;
  /** Sizes and repetitions cut so that all experiments together take seconds; verdicts may then differ. */
  readonly quick: boolean;
  /** Folder of real data; absent: experiments that need it are skipped. */
  readonly data?: string | undefined;
  /** Real pages in a browser; absent: as without data. */
  readonly pages?: ShownPages | undefined;
  /** Told now and then, where an experiment takes long. */
  readonly progress: (done: string) => void;
}

/** Where it stands. */
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
