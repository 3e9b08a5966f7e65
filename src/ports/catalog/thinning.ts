import type { CaptureFact, PageInfo } from '../../model/capture.ts';
import type { Millis } from '../../model/time.ts';
import type { VersionFact } from '../../model/version.ts';

/** A record of a file, as the catalog knows it. */
export interface FiledRecord extends CaptureFact {
  /** The visit found this version again: its page info has no row, and ends `rest` bytes past this record. */
  readonly repeats?: { readonly versionAt: Millis; readonly rest: number };
}

/** A visit whose records were removed; what it found stays in its page info, which says so. */
export interface DroppedVisit {
  readonly page: PageInfo & { readonly version: VersionFact };
  /** The page info in the new file. */
  readonly info: CaptureFact;
  /** Offset, in the old file, of the record whose row becomes that of the page info. */
  readonly was: number;
}

/** A record file that is replaced by another. */
export interface FileSwap {
  readonly from: string;
  readonly to: string;
  /** Bytes of the new file. */
  readonly length: number;
  /** Set where the old file still exists afterwards: then it is listed as replaced since that time. */
  readonly replacedAt?: Millis;
  /** Parts of the old file that were copied: records that began in [first, past) are now `shift` bytes further on. */
  readonly copied: readonly { readonly first: number; readonly past: number; readonly shift: number }[];
  /** Records that were rewritten, under their own ids. */
  readonly repacked: readonly { readonly was: number; readonly offset: number; readonly length: number }[];
  readonly dropped: readonly DroppedVisit[];
  /** Records that only the new file has. */
  readonly added: readonly CaptureFact[];
}

/** Record files that are rewritten with less in them. */
export interface ThinningCatalog {
  /** Captures in a file, in file order. */
  filedRecords(file: string): AsyncIterable<FiledRecord>;
  /** In one transaction: readers see either all of the old file or all of the new one. */
  swapFile(swap: FileSwap): Promise<void>;
}
