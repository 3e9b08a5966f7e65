/**
 * What the loader tells the web page. Archived scripts share the loader's origin and can forge these: the web
 * page takes them as text to show, never as a command.
 */
export type ReplayMessage =
  | { readonly type: 'daguerre-replay'; readonly state: 'loading' }
  | {
      readonly type: 'daguerre-replay';
      readonly state: 'shown' | 'not-archived' | 'original-missing';
      readonly url: string;
      readonly title: string;
    }
  | { readonly type: 'daguerre-replay'; readonly state: 'failed'; readonly detail: string };

export function isReplayMessage(data: unknown): data is ReplayMessage {
  if (typeof data !== 'object' || data === null) return false;
  const { type, state, url, title, detail } = data as Record<string, unknown>;
  if (type !== 'daguerre-replay') return false;
  if (state === 'loading') return true;
  if (state === 'failed') return typeof detail === 'string';
  return (
    (state === 'shown' || state === 'not-archived' || state === 'original-missing') &&
    typeof url === 'string' &&
    typeof title === 'string'
  );
}

/** `#<timestamp>/<url>`: the capture that the loader is to show. */
export function captureHash(timestamp: string, url: string): string {
  return `#${timestamp}/${url}`;
}

export function parseCaptureHash(hash: string): { timestamp: string; url: string } | undefined {
  const match = /^#(\d*)\/(.+)$/s.exec(hash);
  if (!match) return undefined;
  return { timestamp: match[1] ?? '', url: match[2] ?? '' };
}

/** The archived URL in a path of the service worker: `/w/<name>/<timestamp>mp_/<url>`. */
export function archivedUrl(path: string): string | undefined {
  return /^\/w\/[^/]+\/\d*(?:[a-z]+_)?\/(.+)$/s.exec(path)?.[1];
}
