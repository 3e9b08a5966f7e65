/** Content security policies, one per kind of document; the reasons stand in decisions/0009-replay.md. */

const policy = (directives: Record<string, string>): string =>
  Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`.trim())
    .join('; ');

/** The web page: its own files and API, and frames of the replay origin. */
export function uiPolicy(replayOrigin: string): string {
  return policy({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self'",
    'connect-src': "'self'",
    'frame-src': replayOrigin,
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  });
}

/** The loader: a page of ours on the replay origin. Only the web page may frame it. */
export function loaderPolicy(uiOrigins: readonly string[]): string {
  return policy({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'connect-src': "'self'",
    'worker-src': "'self'",
    'frame-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': ["'self'", ...uiOrigins].join(' '),
  });
}

/**
 * Replayed documents: archived scripts and styles run, whatever they are, but can reach nothing outside this
 * origin. wabac's own default leaves `ws:` and `wss:` open to every host; this one does not.
 */
export function replayedPolicy(uiOrigins: readonly string[]): string {
  return policy({
    'default-src': "'self' 'unsafe-inline' 'unsafe-eval' data: blob:",
    'object-src': "'none'",
    'frame-src': "'self' data: blob: about:",
    'form-action': "'self'",
    'frame-ancestors': ["'self'", ...uiOrigins].join(' '),
  });
}

/**
 * The service worker. Its requests obey the policy its script came with: should an archived script talk it
 * into another collection, it can still fetch from this server only.
 */
export const WORKER_POLICY = policy({
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'connect-src': "'self' blob: data:",
});

/** Raw captures and images, opened as documents: nothing runs, nothing loads, no origin. */
export const INERT_POLICY = policy({ 'default-src': "'none'", sandbox: '' });

export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-dns-prefetch-control': 'off',
};
