import { STATUS_CODES } from 'node:http';
import { type ResolvedCapture, redirectTarget } from '../access/resolve-capture.ts';
import { header } from '../model/exchange.ts';
import { type Acting, sendableHeaders, visibleCookies } from './archived-headers.ts';

/** Status and header fields of a capture, as one of our answers. */
export interface CaptureHead {
  readonly status: number;
  /** Values by lower-case name. */
  readonly headers: Map<string, readonly string[]>;
}

/** What every dialect says: the archived fields that may be sent, and when it was captured. */
export function captureHead(capture: ResolvedCapture, acting: Acting): CaptureHead {
  const { fact, payload } = capture;
  const headers = new Map<string, readonly string[]>(sendableHeaders(capture.headers, acting));
  if (!isEncodedAsSaid(capture)) headers.delete('content-encoding');
  headers.set('memento-datetime', [new Date(fact.at).toUTCString()]);
  // A 206 that holds the whole body is a 200 to whoever asks for all of it, and can be cut at will.
  const isAll = capture.status === 206 && isWhole(header(capture.headers, 'content-range'), payload.size);
  return { status: isAll ? 200 : capture.status, headers };
}

/** To the service worker: always a success, with the archived status in fields of its own (send-capture.ts). */
export function workerHead(capture: ResolvedCapture): CaptureHead {
  // The worker would copy all of those that act, for nobody to see.
  const { status, headers } = captureHead(capture, 'left out');
  const cookies = visibleCookies(capture.headers);
  if (cookies.length > 0) headers.set('x-proxy-set-cookie', [cookies.join(',')]);
  const target = redirectTarget(capture);
  if (target !== undefined) headers.set('x-orig-location', [target]);
  if (status === 200 || status === 206) return { status, headers };
  headers.set('x-redirect-status', [String(sendableStatus(status))]);
  headers.set('x-redirect-statustext', [STATUS_CODES[status] ?? 'Unknown']);
  return { status: 200, headers };
}

/** A browser takes 200 to 599 only, while the web has answered 999 and worse. */
export function sendableStatus(status: number): number {
  return status >= 200 && status <= 599 ? status : 500;
}

/** Some tools store the decoded body under the head of the coded one: gzip can be told by its first bytes. */
function isEncodedAsSaid({ headers, payload }: ResolvedCapture): boolean {
  const coding = header(headers, 'content-encoding')?.trim().toLowerCase();
  if (coding === undefined) return true;
  if (coding === 'identity' || coding === '' || payload.size === 0) return false;
  if ((coding !== 'gzip' && coding !== 'x-gzip') || !payload.bytes) return true;
  return payload.bytes[0] === 0x1f && payload.bytes[1] === 0x8b;
}

function isWhole(contentRange: string | undefined, size: number): boolean {
  const match = /^bytes\s+0-(\d+)\/(\d+|\*)$/i.exec(contentRange?.trim() ?? '');
  return match !== null && Number(match[1]) === size - 1 && (match[2] === '*' || Number(match[2]) === size);
}
