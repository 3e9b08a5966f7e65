import type { CaptureFact } from '../../model/capture.ts';
import type { Millis } from '../../model/time.ts';
import type { KnownFile } from './recovery.ts';

/** Record files that are replaced by a single one. */
export interface FileMerge {
  readonly to: string;
  /** Bytes of the new file. */
  readonly length: number;
  /** The old files, whole: each of their records is `shift` bytes further on in the new one. */
  readonly parts: readonly { readonly file: string; readonly length: number; readonly shift: number }[];
  /** Records that only the new file has. */
  readonly added: readonly CaptureFact[];
  readonly at: Millis;
}

export interface OutlivedFile {
  readonly file: string;
  readonly at: Millis;
}

/** Merging small record files into large ones. */
export interface MergingCatalog {
  /** Files in the order in which the catalog first learnt of them. */
  filesAsTold(): Promise<readonly KnownFile[]>;
  /** In one transaction: readers see either the old files or the new one. False where an old one is no longer known, or has grown. */
  mergeFiles(merge: FileMerge): Promise<boolean>;
  /** Files whose records are in another one, and which have not been deleted yet. */
  replacedFiles(): Promise<readonly OutlivedFile[]>;
  /** Lists files as replaced that the catalog does not know, and has not listed yet. */
  addReplaced(files: readonly string[], at: Millis): Promise<void>;
  /** They are deleted. */
  forgetReplaced(files: readonly string[]): Promise<void>;
}
