import type { Change, PageCourse } from '../model/change.ts';

/**
 * The version of the page that was archived last. Given as a snapshot where its layout was made by a different
 * segmenter.
 */
export type PreviousVersion =
  | { readonly kind: 'layout'; readonly viXml: string }
  | { readonly kind: 'snapshot'; readonly packed: string; readonly version: string };

export type AnalysisRequest = {
  /** The page's URL, even if its scripts changed the address. */
  readonly url: string;
  /** Time of the capture, ISO 8601. */
  readonly version: string;
  readonly previous?: PreviousVersion;
  /** What is known of the page's past: blocks that change at almost every visit lose weight. */
  readonly course?: PageCourse;
  /** Texts that the page showed in the last few days: what comes back is not news. */
  readonly told?: readonly string[];
} & (
  | {
      /** As `unpackSnapshot` reads it; see stages/stored/snapshot.ts for the pictures. */
      readonly packed: string;
      readonly filled?: never;
    }
  /** Vi-XML from a `TemplateFiller`, in which case there is no snapshot. */
  | { readonly filled: string; readonly packed?: never }
);

export type PageAnalysis =
  /** The previous layout cannot be compared: retry with the snapshot of that version. */
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

/** From a snapshot to layout and delta. It may run elsewhere: all input and output is plain data. */
export interface PageAnalyser {
  /** Rejects when the page is too large for it; later pages are not affected. */
  analyse(request: AnalysisRequest): Promise<PageAnalysis>;
  close(): Promise<void>;
}

/** A version of a page that a browser showed, as archived. */
export interface RenderedVersion {
  /** Time of its capture, ISO 8601. */
  readonly version: string;
  readonly html: string;
  /** The snapshot, with its pictures. */
  readonly packed: string;
  /** Its archived layout, which records how the version was cut. Absent: it was cut as a first version. */
  readonly viXml?: string;
}

export interface FillRequest {
  readonly kind: 'fill';
  readonly url: string;
  /** Time of the capture, ISO 8601. */
  readonly version: string;
  /** Decoded with the character set that a browser would use. */
  readonly html: string;
  /** What the template is learned from. */
  readonly of: RenderedVersion;
  /** sha256 of the new version's pictures, by source, as far as known. */
  readonly pictures: Readonly<Record<string, string>>;
  /** What a browser showed of the new version, with its pictures: the filled layout is compared with it. */
  readonly rendered?: string;
}

export type Filling =
  /** Only a browser can tell. */
  | { readonly kind: 'render'; readonly reason: string }
  | {
      readonly kind: 'filled';
      readonly viXml: string;
      readonly title: string;
      /** All readable text, one line per text. */
      readonly text: string;
      /** Sources of the visible pictures. */
      readonly sources: readonly string[];
      /** After a comparison: where the two differ. */
      readonly differsAt?: string;
    };

/** Layouts without a browser, from what is known of an earlier version. Rejects as a PageAnalyser does. */
export interface TemplateFiller {
  fill(request: FillRequest): Promise<Filling>;
}
