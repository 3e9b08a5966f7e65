import type { Change, PageCourse } from '../model/change.ts';

/** The version of the page that was archived last. Its snapshot is given where its layout was of another segmenter. */
export type PreviousVersion =
  | { readonly kind: 'layout'; readonly viXml: string }
  | { readonly kind: 'snapshot'; readonly packed: string; readonly version: string };

export type AnalysisRequest = {
  /** The page's, whatever its scripts made of the address. */
  readonly url: string;
  /** Time of the capture, ISO 8601. */
  readonly version: string;
  readonly previous?: PreviousVersion;
  /** What is known of the page's past: blocks that change at almost every visit lose weight. */
  readonly course?: PageCourse;
  /** Texts that the page showed in its last days: what comes back is no news. */
  readonly told?: readonly string[];
} & (
  | {
      /** As `unpackSnapshot` reads it; see stages/stored/snapshot.ts for the pictures. */
      readonly packed: string;
      readonly filled?: never;
    }
  /** Vi-XML that a `TemplateFiller` gave: there is no snapshot. */
  | { readonly filled: string; readonly packed?: never }
);

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
  /** Rejects when the page is too large for it; later pages are not affected. */
  analyse(request: AnalysisRequest): Promise<PageAnalysis>;
  close(): Promise<void>;
}

/** A version of a page that a browser showed, as it is archived. */
export interface RenderedVersion {
  /** Time of its capture, ISO 8601. */
  readonly version: string;
  readonly html: string;
  /** The snapshot, with its pictures. */
  readonly packed: string;
  /** Its layout as it is archived: it remembers how the version was cut. Absent: it was cut as a first version. */
  readonly viXml?: string;
}

export interface FillRequest {
  readonly kind: 'fill';
  readonly url: string;
  /** Time of the capture, ISO 8601. */
  readonly version: string;
  /** Decoded by the character set that a browser would take. */
  readonly html: string;
  /** What the template is learned from. */
  readonly of: RenderedVersion;
  /** sha256 of the new version's pictures, by source, as far as they are known. */
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
      /** All that is to be read, a line for each text. */
      readonly text: string;
      /** Sources of the pictures that show. */
      readonly sources: readonly string[];
      /** Of a comparison: where the two differ. */
      readonly differsAt?: string;
    };

/** Layouts without a browser, by what is known of an earlier version. Rejects as a PageAnalyser does. */
export interface TemplateFiller {
  fill(request: FillRequest): Promise<Filling>;
}
