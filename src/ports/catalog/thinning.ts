import type { CaptureFact, PageInfo } from '../../model/capture.ts';
import type { Millis } from '../../model/time.ts';
import type { VersionFact } from '../../model/version.ts';

/** A record of a file, as the catalog knows it. */
export interface FiledRecord extends CaptureFact {
  /** The visit found this version again: its page info has no row, and ends so many bytes past this record. */
  readonly repeats?: { readonly versionAt: Millis; readonly rest: number };
}

/** A visit whose records went; what it found stays in its page info, which says so. */
export interface DroppedVisit {
  readonly page: PageInfo & { readonly version: VersionFact };
  /** The page info in the new file. */
  readonly info: CaptureFact;
  /** Where in the old file the record lay whose row becomes that of the page info. */
  readonly was: number;
}

/** A record file that another takes the place of. */
export interface FileSwap {
  readonly from: string;
  readonly to: string;
  /** Bytes of the new file. */
  readonly length: number;
  /** Parts of the old file that were copied: records that began in [first, past) stand `shift` bytes further now. */
  readonly copied: readonly { readonly first: number; readonly past: number; readonly shift: number }[];
  /** Records that were written anew, under their own ids. */
  readonly repacked: readonly { readonly was: number; readonly offset: number; readonly length: number }[];
  readonly dropped: readonly DroppedVisit[];
  /** Records that only the new file has. */
  readonly added: readonly CaptureFact[];
}

/** Record files that are rewritten with less in them. */
export interface ThinningCatalog {
  /** Captures of a file in the order they stand. */
  filedRecords(file: string): AsyncIterable<FiledRecord>;
  /** In one transaction: whoever reads sees all of the old file, or all of the new one. */
  swapFile(swap: FileSwap): Promise<void>;
}
