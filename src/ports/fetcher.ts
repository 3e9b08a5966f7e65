import type { Exchange } from '../model/exchange.ts';

export interface FetchRequest {
  readonly url: string;
  readonly userAgent: string;
  /** Further header fields, e.g. If-None-Match. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For the whole exchange, in milliseconds. */
  readonly timeLimit: number;
  /** For the body, in bytes; the rest is cut off and marked `truncated: 'length'`. */
  readonly sizeLimit: number;
  readonly signal?: AbortSignal;
}

/**
 * One request, one answer; redirects are answers like any other. A response that breaks off after its head
 * is an exchange marked truncated. No response at all is a CaptureFault, thrown.
 */
export interface Fetcher {
  fetch(request: FetchRequest): Promise<Exchange>;
  close(): Promise<void>;
}
