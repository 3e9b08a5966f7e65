/**
 * What `lab reproduce` runs: a figure or table of a paper, measured again, with what the paper says of it beside
 * what came out here.
 *
 * To add one: call `experiment({ … })` in the file of its paper (`sharc.ts`, …), put it into that file's list, and
 * the list into `index.ts`. `measure` returns any data; `rows`, `plots` and the verdicts are made from it alone,
 * so that nothing can be said that was not measured. Nothing is drawn or written here: the command does that.
 */

export interface ExperimentOptions {
  readonly seed: number;
  /** Sizes and repetitions cut so that all experiments together take seconds; verdicts may then differ. */
  readonly quick: boolean;
  /** Folder of real data; absent: experiments that need it are skipped. */
  readonly data?: string | undefined;
  /** Told now and then, where an experiment takes long. */
  readonly progress: (done: string) => void;
}

/** One line of the CSV; all rows of an experiment have the same columns. */
export type Row = Readonly<Record<string, string | number | undefined>>;

export interface PlotSeries {
  readonly name: string;
  /** `spread`: half the height of an error bar. */
  readonly points: readonly { readonly x: number | string; readonly y: number; readonly spread?: number }[];
}

export interface PlotDescription {
  readonly title: string;
  /** What stands along the axes, with units. */
  readonly x: string;
  readonly y: string;
  /** Bars are for names along x, one series. */
  readonly kind: 'lines' | 'bars';
  readonly logX?: boolean;
  readonly logY?: boolean;
  readonly series: readonly PlotSeries[];
}

export type Holds = 'holds' | 'holds in part' | 'does not hold' | 'not measured';

export interface Verdict {
  readonly holds: Holds;
  /** In numbers. */
  readonly ours: string;
}

/** Something the paper says. */
export interface Claim<R> {
  readonly statement: string;
  readonly verdict: (measured: R) => Verdict;
}

export interface ExperimentSpec<R> {
  /** Of files and on the command line: `sharc-fig-10`. */
  readonly name: string;
  readonly title: string;
  /** Short: `SHARC 2009`. */
  readonly paper: string;
  /** `Fig. 10`, `Table 4`, `§6`. */
  readonly figure: string;
  /** How it was measured: sizes, repetitions, what differs from the paper. */
  readonly method: string;
  readonly claims: readonly Claim<R>[];
  readonly measure: (options: ExperimentOptions) => R | Skipped;
  readonly rows: (measured: R) => readonly Row[];
  readonly plots: (measured: R) => readonly PlotDescription[];
}

export class Skipped {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

export interface Finding extends Verdict {
  readonly statement: string;
}

export type Outcome =
  | {
      readonly kind: 'measured';
      readonly rows: readonly Row[];
      readonly plots: readonly PlotDescription[];
      readonly findings: readonly Finding[];
    }
  | { readonly kind: 'skipped'; readonly reason: string };

export interface Experiment
  extends Pick<ExperimentSpec<never>, 'name' | 'title' | 'paper' | 'figure' | 'method'> {
  readonly statements: readonly string[];
  run(options: ExperimentOptions): Outcome;
}

export function experiment<R>(spec: ExperimentSpec<R>): Experiment {
  const { name, title, paper, figure, method, claims } = spec;
  return {
    name,
    title,
    paper,
    figure,
    method,
    statements: claims.map(({ statement }) => statement),
    run(options) {
      const measured = spec.measure(options);
      if (measured instanceof Skipped) return { kind: 'skipped', reason: measured.reason };
      return {
        kind: 'measured',
        rows: spec.rows(measured),
        plots: spec.plots(measured),
        findings: claims.map(({ statement, verdict }) => ({ statement, ...verdict(measured) })),
      };
    },
  };
}
