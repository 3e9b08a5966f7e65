/**
 * What every lab command runs: something is measured; numbers, text, figures and verdicts are made from the measurement
 * alone, so that nothing unmeasured can be claimed. Nothing is drawn or written here: the command does that
 * (cli/lab/show-experiment.ts; several at once: cli/lab/reproduce.ts).
 *
 * To add one: call `experiment({ … })`. For a paper's figure, put it into the list of its paper (reproduce/index.ts). For
 * flags of its own, add a command that reads them and calls `showExperiment`.
 */
import type { PlotDescription } from './plot.ts';
import type { Table } from './text-table.ts';

/** One line of the CSV; all rows of an experiment have the same columns. */
export type Row = Readonly<Record<string, string | number | undefined>>;

export type Holds = 'holds' | 'holds in part' | 'does not hold' | 'not measured';

export interface ExperimentVerdict {
  readonly holds: Holds;
  /** In figures. */
  readonly ours: string;
}

/** Something that a paper claims, or that we expect. */
export interface Claim<R> {
  readonly statement: string;
  readonly verdict: (measured: R) => ExperimentVerdict;
}

/** What an experiment is about. */
export interface Heading {
  /** For files and the command line: `sharc-fig-10`. */
  readonly name: string;
  readonly title: string;
  /** How it is measured: sizes, repetitions, what differs from the paper. */
  readonly method: string;
}

export interface ExperimentSpec<I, R> extends Heading {
  readonly measure: (input: I) => R | Skipped | Promise<R | Skipped>;
  /** Only numbers: what `reproduce` writes as CSV. */
  readonly rows?: (measured: R) => readonly Row[];
  /** For people: lines and tables, separated by blank lines. Unless given, the rows as a table. */
  readonly text?: (measured: R) => readonly (string | Table)[];
  /** What `--json` prints. Unless given, the rows. */
  readonly data?: (measured: R) => object;
  readonly plots?: (measured: R) => readonly PlotDescription[];
  readonly claims?: readonly Claim<R>[];
}

/** In place of a result: why nothing could be measured. */
export class Skipped {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

export interface ExperimentFinding extends ExperimentVerdict {
  readonly statement: string;
}

export interface Measured {
  readonly kind: 'measured';
  readonly rows: readonly Row[];
  readonly text: readonly (string | Table)[];
  readonly data: object;
  readonly plots: readonly PlotDescription[];
  readonly findings: readonly ExperimentFinding[];
}

export type Outcome = Measured | { readonly kind: 'skipped'; readonly reason: string };

export interface Experiment<I> extends Heading {
  readonly statements: readonly string[];
  run(input: I): Promise<Outcome>;
}

export function experiment<I, R>(spec: ExperimentSpec<I, R>): Experiment<I> {
  const { name, title, method, measure, rows, text, data, plots, claims = [] } = spec;
  return {
    name,
    title,
    method,
    statements: claims.map(({ statement }) => statement),
    async run(input) {
      const measured = await measure(input);
      if (measured instanceof Skipped) return { kind: 'skipped', reason: measured.reason };
      const numbers = rows?.(measured) ?? [];
      return {
        kind: 'measured',
        rows: numbers,
        text: text?.(measured) ?? [tableOf(numbers)],
        data: data?.(measured) ?? { rows: numbers },
        plots: plots?.(measured) ?? [],
        findings: claims.map(({ statement, verdict }) => ({ statement, ...verdict(measured) })),
      };
    },
  };
}

/** The rows as they are, under their names. */
export function tableOf(rows: readonly Row[]): Table {
  const header = Object.keys(rows[0] ?? {});
  return { header, rows: rows.map((row) => header.map((name) => row[name])) };
}
