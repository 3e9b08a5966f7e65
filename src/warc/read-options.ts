import type { FileWindow } from './file-window.ts';

/**
 * `error`: records are lost, or not what they claim to be. `warning`: everything is there and can be served, but
 * departs from the standard. `note`: worth knowing, nothing is wrong.
 */
export type Severity = 'error' | 'warning' | 'note';

export interface ReadProblem {
  readonly file: string;
  readonly offset: number;
  readonly reason: string;
  /** `error` when absent. */
  readonly severity?: Severity;
}

/** A problem whose severity is given by the list it is in. */
export type ProblemPlace = Omit<ReadProblem, 'severity'>;

export interface ReadOptions {
  /** Offset of the record to begin with. */
  readonly from?: number;
  /** Records that start at this offset or later are not read. */
  readonly to?: number;
  /** Called for damage; reading continues at the next record that can be found. */
  readonly onProblem?: (problem: ReadProblem) => void;
  /** Called with where the next record would start, once there are no more before `to`. */
  readonly onEnd?: (offset: number) => void;
}

export type Report = (offset: number, reason: string, severity?: Severity) => void;

export function reporter(file: FileWindow, { onProblem }: ReadOptions): Report {
  return (offset, reason, severity) =>
    onProblem?.({ file: file.path, offset, reason, ...(severity && { severity }) });
}
