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
   * The main document, already fetched by HTTP: the browser is given these bytes instead of requesting it
   * again. Without it the browser makes the request itself (`--render always`).
   */
  readonly document?: Exchange;
  /** For the whole page, in milliseconds. */
  readonly timeLimit: number;
  /** Bytes per response. */
  readonly sizeLimit: number;
  readonly screenshots: boolean;
  /** The input of segmentation. */
  readonly snapshot?: boolean;
  /** A picture from top to bottom: costs several times the rest, so only taken on request. */
  readonly wholePage?: PictureFormat;
  /** How to answer banners that ask for consent; not at all unless given. */
  readonly consent?: ConsentAnswer;
  /** Only scrolling unless given. */
  readonly behaviors?: readonly (BehaviorName | OwnBehavior)[];
  /** For each behaviour, in milliseconds. */
  readonly behaviorTimeout?: number;
  /** Wait after the page has come to rest, in milliseconds. */
  readonly postLoadDelay?: number;
  /** The device it is shown on; the browser's own window unless given. */
  readonly device?: Device;
  /** The language requested; English unless given. */
  readonly language?: string;
  /** Called when the page has made all its requests: the host is free while the rest is only looked at. */
  readonly onQuiet?: () => void;
  /**
   * Called once the page has been read, with what it would load on another screen and has not requested: absolute URLs,
   * unordered. These are only looked for if it is given.
   */
  readonly onAlternatives?: (urls: readonly string[]) => void;
  /** What counts as a link; if absent, what browsers treat as one. */
  readonly selectLinks?: readonly LinkSelector[];
  /** Links are returned with their fragments. */
  readonly keepsFragments?: boolean;
  /** What the page may not request; heeded by a renderer that can hold requests. */
  readonly blocker?: RequestBlocker;
  readonly signal?: AbortSignal;
}

/** A request that a rule prevented. */
export interface BlockedRequest extends BlockVerdict {
  readonly url: string;
}

/** Everything that the browser loaded and saw. */
export interface Rendering {
  readonly finalUrl: string;
  readonly title: string;
  /** Visible text. */
  readonly text: string;
  /** Absolute http(s) URLs of links in the final DOM, in document order, without fragments. */
  readonly links: readonly string[];
  /** Documents that the page embeds and the browser did not request: without a window it has no viewer for PDF files. */
  readonly embedded: readonly string[];
  /** In the order they started. The main document is among them only when the browser fetched it. */
  readonly exchanges: readonly Exchange[];
  /** What the page requested and did not get, or not whole; each URL once. */
  readonly lost: readonly LostRequest[];
  /** What rules prevented it from requesting, each URL once; absent where there is none. */
  readonly blocked?: readonly BlockedRequest[];
  /** What is missing of its text, links or layout because there is more than is kept; also among the facts. */
  readonly cut?: readonly string[];
  /** The first screen, and a small picture of it. */
  readonly view?: Picture;
  readonly thumbnail?: Picture;
  /** On request. Packed: it is stored as it came from the page; `unpackSnapshot` opens it. */
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

/** No Chromium could be started; the message says how to get one. */
export class NoBrowser extends Error {
  override readonly name = 'NoBrowser';
}
