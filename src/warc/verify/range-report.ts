import type { Millis } from '../../model/time.ts';
import type { CertificateRecord } from '../certificate-records.ts';
import type { Severity } from '../read-options.ts';

/** A part of a record file: the records that start in it. */
export interface Range {
  /** File name, without folder. */
  readonly file: string;
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** Dates from this time on are impossible; any date is possible if absent. */
  readonly future?: Millis;
}

export interface RangeFinding {
  readonly severity: Severity;
  readonly offset: number;
  readonly reason: string;
}

/** What one record refers to and another must hold. The first of `wanted` that is present decides. */
export interface RecordReference {
  readonly offset: number;
  readonly wanted: readonly { readonly key: number; readonly tally?: TallyKind }[];
  readonly missing: { readonly tally: TallyKind } | Pick<RangeFinding, 'severity' | 'reason'>;
}

/** Findings that thousands of records may share are counted per file instead. */
export type TallyKind =
  | 'concurrent'
  | 'elsewhere'
  | 'bare-redirect'
  | 'covers-chunks'
  | 'breaks-off'
  | 'digest-of-nothing'
  | 'same-id'
  | 'from-the-future'
  | 'unknown-version';

export interface Tally {
  readonly count: number;
  /** Offset of the first. */
  readonly offset: number;
}

/**
 * The result of checking a range. Plain data, so that a thread can transfer it; texts that are only compared with
 * others are keys (see `compactKey`), 8 bytes each.
 */
export interface RangeReport {
  readonly range: Range;
  /** Where the record after the last one starts: the next range must begin there. */
  readonly end: number;
  readonly records: number;
  /** Records that the file's index must name. */
  readonly indexable: number;
  readonly findings: readonly RangeFinding[];
  readonly tallies: Readonly<Partial<Record<TallyKind, Tally>>>;
  /** Everything that a reference or an index line may name. */
  readonly keys: Float64Array;
  /** Keys of the record ids, with their offsets. */
  readonly ids: Float64Array;
  readonly idOffsets: Float64Array;
  /** References not resolved within the range. */
  readonly links: readonly RecordReference[];
  readonly certificates: readonly CertificateRecord[];
}
