import type { Exchange } from '../model/exchange.ts';
import type { LostRequest } from '../model/lost-request.ts';
import type { SnapshotOutcome } from '../model/snapshot-codec.ts';

export type PictureFormat = 'png' | 'jpeg';

export interface Picture {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export interface RenderRequest {
  readonly url: string;
  readonly userAgent: string;
  /**
   * The main document, already fetched by HTTP: the browser is given these bytes instead of asking the
   * server again. Without it the browser makes the request itself (`--render always`).
   */
  readonly document?: Exchange;
  /** Milliseconds for the whole page. */
  readonly timeLimit: number;
  /** Bytes per response. */
  readonly sizeLimit: number;
  readonly screenshots: boolean;
  /** What segmentation works on. */
  readonly snapshot?: boolean;
  /** A picture from top to bottom: several times the cost of the rest, so only where one is asked for. */
  readonly wholePage?: PictureFormat;
  /** Called when the page has asked for all it will: the host is free while the rest is only looked at. */
  readonly onQuiet?: () => void;
  readonly signal?: AbortSignal;
}

/** All that the browser loaded and saw. */
export interface Rendering {
  readonly finalUrl: string;
  readonly title: string;
  /** Visible text. */
  readonly text: string;
  /** Absolute http(s) URLs of links in the final DOM, in document order, without fragments. */
  readonly links: readonly string[];
  /** Documents that the page embeds and the browser did not ask for: without a window it has no viewer for PDF files. */
  readonly embedded: readonly string[];
  /** In the order they started. The main document is among them only when the browser fetched it. */
  readonly exchanges: readonly Exchange[];
  /** What the page asked for and did not get, or not whole; each URL once. */
  readonly lost: readonly LostRequest[];
  /** What of its text, links or layout is missing, because there is more than is kept; also among the facts. */
  readonly cut?: readonly string[];
  /** The first screen, and a small picture of it. */
  readonly view?: Picture;
  readonly thumbnail?: Picture;
  /** When it was asked for. Packed: it is stored as it came from the page; `unpackSnapshot` opens it. */
  readonly snapshot?: SnapshotOutcome;
  readonly fullView?: Picture;
  /** Blocked requests, dialogs dismissed, limits reached: kept in the page info. */
  readonly facts: readonly string[];
}

/** Throws CaptureFault ('browser-crash', 'browser-hang', …); the next call works again. */
export interface Renderer {
  render(request: RenderRequest): Promise<Rendering>;
  close(): Promise<void>;
}

/** There is no Chromium that could be started; the message says how to get one. */
export class NoBrowser extends Error {
  override readonly name = 'NoBrowser';
}
