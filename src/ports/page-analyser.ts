import type { Change, PageCourse } from '../model/change.ts';

/** The version of the page that was archived last. Its snapshot is given where its layout was of another segmenter. */
export type PreviousVersion =
  | { readonly kind: 'layout'; readonly viXml: string }
  | { readonly kind: 'snapshot'; readonly packed: string; readonly version: string };

export interface AnalysisRequest {
  /** The page's, whatever its scripts made of the address. */
  readonly url: string;
  /** Time of the capture, ISO 8601. */
  readonly version: string;
  /** As `unpackSnapshot` reads it; see stages/stored-snapshot.ts for the pictures. */
  readonly packed: string;
  readonly previous?: PreviousVersion;
  /** What is known of the page's past: blocks that change at almost every visit lose weight. */
  readonly course?: PageCourse;
}

export type PageAnalysis =
  /** The previous layout cannot be compared: to be asked again with the snapshot of that version. */
  | { readonly kind: 'other-segmenter'; readonly segmenter: string }
  | { readonly kind: 'first'; readonly viXml: string }
  /** A reader sees what the previous version showed. */
  | { readonly kind: 'same' }
  | {
      readonly kind: 'changed';
      readonly viXml: string;
      readonly viDelta: string;
      readonly change: Change;
    };

/** From a snapshot to layout and delta. It may run elsewhere: all it takes and gives is plain data. */
export interface PageAnalyser {
  /** Rejects when the page is too much for it; the next page is none the worse. */
  analyse(request: AnalysisRequest): Promise<PageAnalysis>;
  close(): Promise<void>;
}
