import type { ResponseMessage } from '../model/exchange.ts';
import type { SnapshotOutcome } from '../model/snapshot-codec.ts';
import type { Picture, PictureFormat, RenderRequest } from './renderer.ts';

/** An answer as it is kept: coded and framed as it came. */
export type KeptAnswer = Omit<ResponseMessage, 'head'>;

/** What is shown, and where it is taken from: nothing else is asked, least of all the network. */
export interface ViewRequest extends Pick<RenderRequest, 'behaviors' | 'device'> {
  /** http or https: where the document says it is. */
  readonly url: string;
  /** Answers each request by its URL, without fragment, the document's own first; undefined becomes a 404 and a fact. */
  readonly answer: (url: string) => Promise<KeptAnswer | undefined>;
  /** Whether the page's own scripts run. Without them `<noscript>` still stays hidden. */
  readonly scripts: boolean;
  /** Milliseconds for the whole page. */
  readonly timeLimit: number;
  readonly wholePage?: PictureFormat;
  /** Pictures of the first screen, as of a live page. */
  readonly pictures?: true;
  readonly signal?: AbortSignal;
}

export interface View {
  readonly finalUrl: string;
  readonly title: string;
  readonly snapshot: SnapshotOutcome;
  readonly fullView?: Picture;
  /** The first screen, and small, where pictures were asked for. */
  readonly firstScreen?: Picture;
  readonly thumbnail?: Picture;
  /** URLs that were asked for and not given. */
  readonly missing: readonly string[];
  readonly facts: readonly string[];
}

/**
 * Shows what is kept already: a stored capture, a local file. Throws CaptureFault as a Renderer does. When
 * not even the document is kept, the snapshot is none.
 */
export interface PageViewer {
  view(request: ViewRequest): Promise<View>;
  close(): Promise<void>;
}
