/** How tabs treat their pages, and what a visit to one listens for. */
import type { Device } from '../../model/device.ts';
import type { CdpSession } from './cdp-connection.ts';
import type { FetchPattern } from './fetch-patterns.ts';

/** As in the segmentation's papers and data. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
}

export const VIEWPORT = { width: 1280, height: 1024 } as const;

/** The visitor the page believes it has. */
export interface Visitor {
  /** '' for the browser's own. */
  readonly userAgent: string;
  readonly device?: Device;
  readonly language?: string;
}

export type SessionKind = 'page' | 'iframe' | 'worker';

/** How the tabs of a browser treat their pages. */
export interface TabManner {
  /** Which requests and responses are held for the listener. */
  readonly held: readonly FetchPattern[];
  /**
   * Whether service workers run, and are listened to like any other worker. Without them, pages behave as on browsers
   * that have none.
   */
  readonly serviceWorkers: boolean;
  readonly viewport?: Viewport | undefined;
}

/** What one visit listens for. */
export interface TabListener {
  /** A session of the tab: the existing ones first, then each new one. */
  session(session: CdpSession, kind: SessionKind): void;
  /** A window that the page tried to open: already closed. */
  popup(url: string): void;
  /** Begun in a frame of the page, or of another: the browser has refused it. */
  download(frameId: string, url: string): void;
  /** A frame or worker that could not be listened to: it runs, and what it loads goes unrecorded. */
  unheard(kind: string, url: string, why: string): void;
  /** A worker or worklet that was not allowed to run. */
  notRun(kind: string, url: string): void;
}
