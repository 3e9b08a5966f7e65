import type { ReplayMode } from '../../src/server/api-types.ts';

/**
 * What the loader tells the web page. Archived scripts share the loader's origin and can forge these: the web page
 * takes them as text to show, and believes an address only from the host that replays its site.
 */
export type ReplayMessage =
  | { readonly type: 'daguerre-replay'; readonly state: 'loading' }
  | {
      readonly type: 'daguerre-replay';
      readonly state: 'shown' | 'not-archived' | 'original-missing';
      readonly url: string;
      readonly title: string;
    }
  /** The page was led to another site, which is replayed on another host. */
  | {
      readonly type: 'daguerre-replay';
      readonly state: 'moved';
      readonly url: string;
      readonly timestamp: string;
    }
  | { readonly type: 'daguerre-replay'; readonly state: 'failed'; readonly detail: string };

/** The mark by which the loader knows that the page in its frame is replayed on another host (elsewhere-page.ts). */
export const ELSEWHERE = 'elsewhere';

export function isReplayMessage(data: unknown): data is ReplayMessage {
  if (typeof data !== 'object' || data === null) return false;
  const { type, state, url, title, detail, timestamp } = data as Record<string, unknown>;
  if (type !== 'daguerre-replay') return false;
  if (state === 'loading') return true;
  if (state === 'failed') return typeof detail === 'string';
  if (state === 'moved') return typeof url === 'string' && /^\d*$/.test(String(timestamp));
  return (
    (state === 'shown' || state === 'not-archived' || state === 'original-missing') &&
    typeof url === 'string' &&
    typeof title === 'string'
  );
}

export interface NamedCapture {
  readonly mode: ReplayMode;
  /** Digits; none for the newest. */
  readonly timestamp: string;
  readonly url: string;
}

/** `#<mode>/<timestamp>/<url>`: the capture that the loader is to show. */
export function captureHash({ mode, timestamp, url }: NamedCapture): string {
  return `#${mode}/${timestamp}/${url}`;
}

export function parseCaptureHash(hash: string): NamedCapture | undefined {
  const match = /^#(scripts|still)\/(\d*)\/(.+)$/s.exec(hash);
  return match ? namedCapture(match) : undefined;
}

/** The capture that a path of the service worker names: `/w/<mode>/<timestamp>mp_/<url>`. */
export function parseWorkerPath(path: string): NamedCapture | undefined {
  const match = /^\/w\/(scripts|still)\/(\d*)(?:[a-z]+_)?\/(.+)$/s.exec(path);
  return match ? namedCapture(match) : undefined;
}

function namedCapture([, mode, timestamp = '', url = '']: RegExpExecArray): NamedCapture {
  return { mode: mode as ReplayMode, timestamp, url };
}
