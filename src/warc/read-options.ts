import type { FileWindow } from './file-window.ts';

/**
 * `error`: records are lost, or not what they say they are. `warning`: everything is there and can be served, but
 * not as the standard wants it. `note`: worth knowing, nothing is wrong.
 */
export type Severity = 'error' | 'warning' | 'note';

export interface ReadProblem {
  readonly file: string;
  readonly offset: number;
  readonly reason: string;
  /** `error` when absent. */
  readonly severity?: Severity;
}

/** Of a problem whose severity is told by the list it stands in. */
export type ProblemPlace = Omit<ReadProblem, 'severity'>;

export interface ReadOptions {
  /** Offset of the record to begin with. */
  readonly from?: number;
  /** Records that start at this offset or later are not read. */
  readonly to?: number;
  /** Told of damage; reading goes on at the next record that can be found. */
  readonly onProblem?: (problem: ReadProblem) => void;
  /** Told where the next record would start, once there are no more before `to`. */
  readonly onEnd?: (offset: number) => void;
}

export type Report = (offset: number, reason: string, severity?: Severity) => void;

export function reporter(file: FileWindow, { onProblem }: ReadOptions): Report {
  return (offset, reason, severity) =>
    onProblem?.({ file: file.path, offset, reason, ...(severity && { severity }) });
}
