import type { Device } from '../model/device.ts';
import type { Exchange } from '../model/exchange.ts';
import type { LinkSelector } from '../model/link-selector.ts';
import type { LostRequest } from '../model/lost-request.ts';
import type { BehaviorName, OwnBehavior } from '../model/page-spec.ts';
import type { ConsentAnswer } from '../model/session.ts';
import type { SnapshotOutcome } from '../model/snapshot-codec.ts';
import type { BlockVerdict, RequestBlocker } from './request-blocker.ts';

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
  /** What banners that ask for consent are answered; nothing unless given. */
  readonly consent?: ConsentAnswer;
  /** Scrolling alone unless given. */
  readonly behaviors?: readonly (BehaviorName | OwnBehavior)[];
  /** Milliseconds for each behaviour. */
  readonly behaviorTimeout?: number;
  /** Milliseconds to wait once the page has come to rest. */
  readonly postLoadDelay?: number;
  /** What it is shown on; the window of the browser unless given. */
  readonly device?: Device;
  /** Asked for; English unless given. */
  readonly language?: string;
  /** Called when the page has asked for all it will: the host is free while the rest is only looked at. */
  readonly onQuiet?: () => void;
  /**
   * Called once the page has been read, with what it would load on another screen and has not asked for: absolute URLs,
   * in no order. Nobody looks for them unless it is given.
   */
  readonly onAlternatives?: (urls: readonly string[]) => void;
  /** What counts as a link; what browsers take for one where absent. */
  readonly selectLinks?: readonly LinkSelector[];
  /** Links are told with their fragments. */
  readonly keepsFragments?: boolean;
  /** What the page may not ask for; heeded by a renderer that holds requests. */
  readonly blocker?: RequestBlocker;
  readonly signal?: AbortSignal;
}

/** A request that a rule kept the page from making. */
export interface BlockedRequest extends BlockVerdict {
  readonly url: string;
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
  /** What rules kept it from asking for, each URL once; absent where there is nothing of the kind. */
  readonly blocked?: readonly BlockedRequest[];
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
