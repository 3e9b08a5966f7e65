import type { ResponseMessage } from '../model/exchange.ts';
import type { SnapshotOutcome } from '../model/snapshot-codec.ts';
import type { Picture, PictureFormat, RenderRequest } from './renderer.ts';

/** An answer as it is stored: coded and framed as it came. */
export type KeptAnswer = Omit<ResponseMessage, 'head'>;

/** What to show, and where to take it from: nothing else is used, least of all the network. */
export interface ViewRequest extends Pick<RenderRequest, 'behaviors' | 'device'> {
  /** http or https: the URL the document claims to have. */
  readonly url: string;
  /** Answers each request by its URL, without fragment, the document's own first; undefined becomes a 404 and a fact. */
  readonly answer: (url: string) => Promise<KeptAnswer | undefined>;
  /** Whether the page's own scripts run. Without them, `<noscript>` still stays hidden. */
  readonly scripts: boolean;
  /** For the whole page, in milliseconds. */
  readonly timeLimit: number;
  readonly wholePage?: PictureFormat;
  /** Take pictures of the first screen, as of a live page. */
  readonly pictures?: true;
  readonly signal?: AbortSignal;
}

export interface View {
  readonly finalUrl: string;
  readonly title: string;
  readonly snapshot: SnapshotOutcome;
  readonly fullView?: Picture;
  /** The first screen, and a small version of it, where pictures were requested. */
  readonly firstScreen?: Picture;
  readonly thumbnail?: Picture;
  /** URLs that were requested and not available. */
  readonly missing: readonly string[];
  readonly facts: readonly string[];
}

/**
 * Shows what is already stored: a capture, a local file. Throws CaptureFault as a Renderer does. If not even
 * the document is stored, there is no snapshot.
 */
export interface PageViewer {
  view(request: ViewRequest): Promise<View>;
  close(): Promise<void>;
}
