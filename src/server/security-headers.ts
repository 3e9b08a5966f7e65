/** Content security policies, one per kind of document; the reasons stand in decisions/0009-replay.md. */

const policy = (directives: Record<string, string>): string =>
  Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`.trim())
    .join('; ');

/** The web page: its own files and API, and frames of the replay origins. */
export function uiPolicy(replayPattern: string): string {
  return policy({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self'",
    'connect-src': "'self'",
    'frame-src': replayPattern,
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  });
}

/**
 * Neither popups nor downloads nor top navigation: each of them could fetch from the live web, and no policy
 * covers them.
 */
const SCRIPTED_SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-modals';
/** The service worker answers documents of its own origin only. Without scripts the origin gives nothing away. */
export const STILL_SANDBOX = 'allow-same-origin';

/** CSP 3 knows it, browsers do not yet. */
const NO_WEBRTC = { webrtc: "'block'" };

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
    sandbox: SCRIPTED_SANDBOX,
    ...NO_WEBRTC,
  });
}

/**
 * Replayed documents: archived scripts and styles run, whatever they are, but can reach nothing outside the replay
 * origins. Frames come from the worker, which puts the guard in front of their scripts: no `data:`, no `blob:`.
 */
export function scriptedPolicy(replayPattern: string, uiOrigins: readonly string[]): string {
  return policy({
    'default-src': "'self' 'unsafe-inline' 'unsafe-eval' data: blob:",
    'object-src': "'none'",
    // Where the guard's script is found from inside `srcdoc`.
    'base-uri': "'self'",
    'worker-src': "'self' blob:",
    'frame-src': `'self' ${replayPattern}`,
    'form-action': `'self' ${replayPattern}`,
    'frame-ancestors': ["'self'", replayPattern, ...uiOrigins].join(' '),
    sandbox: SCRIPTED_SANDBOX,
    ...NO_WEBRTC,
  });
}

/**
 * Documents without scripts. `sandbox` is that of replay without scripts; empty for documents that the guard cannot
 * be put into, which are then out of reach for the scripts of the page that frames them.
 */
export function stillPolicy(replayPattern: string, uiOrigins: readonly string[], sandbox: string): string {
  const files = "'self' data: blob:";
  return policy({
    'default-src': "'none'",
    'script-src': "'none'",
    'img-src': files,
    'media-src': files,
    'font-src': files,
    'style-src': `${files} 'unsafe-inline'`,
    'frame-src': "'self'",
    'form-action': "'none'",
    'frame-ancestors': ["'self'", replayPattern, ...uiOrigins].join(' '),
    sandbox,
    ...NO_WEBRTC,
  });
}

/**
 * The service worker. Its requests obey the policy its script came with: whatever happens in it, it can fetch
 * from this server only.
 */
export const WORKER_POLICY = policy({
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'connect-src': "'self' blob: data:",
});

/** Raw captures and images, opened as documents: nothing runs, nothing loads, no origin. */
export const INERT_POLICY = policy({ 'default-src': "'none'", sandbox: '' });

/** What browsers fetch or open on a page's behalf outside any content security policy. */
const FEATURES = [
  'attribution-reporting',
  'browsing-topics',
  'camera',
  'digital-credentials-get',
  'display-capture',
  'geolocation',
  'hid',
  'identity-credentials-get',
  'join-ad-interest-group',
  'local-network-access',
  'microphone',
  'midi',
  'otp-credentials',
  'payment',
  'private-aggregation',
  'private-state-token-issuance',
  'private-state-token-redemption',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'run-ad-auction',
  'serial',
  'shared-storage',
  'shared-storage-select-url',
  'storage-access',
  'usb',
];

export const PERMISSIONS_POLICY = FEATURES.map((feature) => `${feature}=()`).join(', ');

export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-dns-prefetch-control': 'off',
};
