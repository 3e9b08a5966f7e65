/** How tabs treat their pages, and what a visit to one wants to hear. */
import type { Device } from '../../model/device.ts';
import type { CdpSession } from './cdp-connection.ts';
import type { FetchPattern } from './fetch-patterns.ts';

/** As the segmentation's papers and data have it. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
}

export const VIEWPORT = { width: 1280, height: 1024 } as const;

/** Whom the page takes its visitor for. */
export interface Visitor {
  /** '' for that of the browser. */
  readonly userAgent: string;
  readonly device?: Device;
  readonly language?: string;
}

export type SessionKind = 'page' | 'iframe' | 'worker';

/** How the tabs of a browser treat their pages. */
export interface TabManner {
  /** Which requests and responses are held for the listener. */
  readonly held: readonly FetchPattern[];
  /** Whether service workers run, heard like any other worker. Without them pages are as on browsers that have none. */
  readonly serviceWorkers: boolean;
  readonly viewport?: Viewport | undefined;
}

/** What one visit wants to hear. */
export interface TabListener {
  /** A session of the tab: those there are, then each that comes. */
  session(session: CdpSession, kind: SessionKind): void;
  /** A window that the page tried to open: it is closed already. */
  popup(url: string): void;
  /** Begun in a frame of the page, or of another: the browser has refused it. */
  download(frameId: string, url: string): void;
  /** A frame or worker that could not be listened to: it runs, and what it loads goes unrecorded. */
  unheard(kind: string, url: string, why: string): void;
  /** A worker or worklet that was not let run. */
  notRun(kind: string, url: string): void;
}
