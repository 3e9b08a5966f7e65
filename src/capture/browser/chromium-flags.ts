/** The command line of Chromium: one table, so that everything the browser may do is in one place. */
import { VIEWPORT } from './tab-manner.ts';

export interface FlagOptions {
  readonly profileDir: string;
  readonly sandbox: boolean;
  /** There is room for shared memory in /dev/shm. */
  readonly sharedMemory: boolean;
  /** URL of the guard proxy that enforces the address rules; loopback goes through it too. */
  readonly proxy: string | undefined;
  readonly extra: readonly string[] | undefined;
  /** Opens a visible window at this address; headless if absent. */
  readonly window?: string;
}

/** The browser's own requests, and behaviour that differs from run to run. */
const DISABLED_FEATURES = [
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'DialMediaRouteProvider',
  'InterestFeedContentSuggestions',
  'MediaRouter',
  'OptimizationHints',
  'Translate',
  // An archive keeps what http:// answers, not what https:// would have.
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  // Pages preloaded speculatively would be recorded as if this page used them.
  'Prerender2',
  'SpeculationRulesPrefetchFuture',
  'NoStatePrefetch',
  // The guard proxy decides which addresses may be reached; a document given by `fulfillRequest` has no
  // address, and Chromium would refuse its subresources on private ones.
  'LocalNetworkAccessChecks',
  'BlockInsecurePrivateNetworkRequests',
  'PrivateNetworkAccessRespectPreflightResults',
  // A page restored from memory requests nothing from the network.
  'BackForwardCache',
];

export function chromiumFlags(options: FlagOptions): string[] {
  const flags = [
    '--remote-debugging-pipe',
    `--user-data-dir=${options.profileDir}`,
    ...(options.window === undefined ? ['--headless'] : []),
    '--lang=en-US',
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-component-extensions-with-background-pages',
    '--disable-default-apps',
    '--disable-extensions',
    '--disable-sync',
    '--disable-quic',
    '--disable-domain-reliability',
    '--disable-client-side-phishing-detection',
    '--disable-breakpad',
    '--disable-crash-reporter',
    '--metrics-recording-only',
    '--no-pings',
    '--no-service-autorun',
    '--disk-cache-size=1',
    '--media-cache-size=1',
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    '--disable-hang-monitor',
    '--disable-prompt-on-repost',
    '--disable-search-engine-choice-screen',
    '--deny-permission-prompts',
    '--disable-notifications',
    '--dns-prefetch-disable',
    '--password-store=basic',
    '--use-mock-keychain',
    '--mute-audio',
    '--hide-scrollbars',
    '--force-color-profile=srgb',
    '--font-render-hinting=none',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--enforce-webrtc-ip-permission-check',
    `--disable-features=${DISABLED_FEATURES.join(',')}`,
    // One process fewer for every byte to pass through (measured: a tenth of a crawl's processor time). A
    // crash of the network service then takes the browser down, which is replaced as after any crash.
    '--enable-features=NetworkServiceInProcess2',
  ];
  // Otherwise Chromium uses files in the temporary folder: on a disk they cost a fifth of a crawl.
  if (!options.sharedMemory) flags.push('--disable-dev-shm-usage');
  // One tile per screen: tiles of 256 pixels, the default without a graphics card, cost a seventh of the
  // browser's processor time, most of it allocating and freeing shared memory.
  flags.push(`--default-tile-width=${VIEWPORT.width}`, `--default-tile-height=${VIEWPORT.height}`);
  if (!options.sandbox) flags.push('--no-sandbox');
  if (options.proxy) {
    // `<-loopback>` cancels Chromium's rule that loopback goes direct.
    flags.push(`--proxy-server=${options.proxy}`, '--proxy-bypass-list=<-loopback>');
  }
  return [...flags, ...(options.extra ?? []), options.window ?? 'about:blank'];
}
