import type { ReplayConfig } from '../../src/server/api-types.ts';

/** The part of a service worker's global scope that we use: TypeScript's own library clashes with the DOM's. */
export interface WorkerScope {
  readonly location: Location;
  /** Written by the server in front of the worker's code. */
  readonly replayConfig: ReplayConfig;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listen: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'fetch', listen: (event: FetchEvent) => void): void;
}

export interface ExtendableEvent {
  waitUntil(done: Promise<unknown>): void;
}

export interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  /** Of the document that asks; '' for a navigation. */
  readonly clientId: string;
  /** Of the document that a navigation will make. */
  readonly resultingClientId: string;
  respondWith(response: Promise<Response>): void;
}
