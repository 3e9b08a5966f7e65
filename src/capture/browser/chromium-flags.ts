/** The command line of Chromium: one table, so that what the browser may do stands in one place. */
import { VIEWPORT } from './tab-manner.ts';

export interface FlagOptions {
  readonly profileDir: string;
  readonly sandbox: boolean;
  /** There is room for shared memory in /dev/shm. */
  readonly sharedMemory: boolean;
  /** URL of the guard proxy that enforces the address rules; loopback goes through it too. */
  readonly proxy: string | undefined;
  readonly extra: readonly string[] | undefined;
  /** In a window that people see, at this address; without one unless given. */
  readonly window?: string;
}

/** Requests of the browser's own, and behaviour that differs from run to run. */
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
  // Pages loaded in advance would be recorded as if this page used them.
  'Prerender2',
  'SpeculationRulesPrefetchFuture',
  'NoStatePrefetch',
  // Which addresses may be reached is the guard proxy's to say; a document given by `fulfillRequest` has no
  // address, and Chromium would refuse its subresources on private ones.
  'LocalNetworkAccessChecks',
  'BlockInsecurePrivateNetworkRequests',
  'PrivateNetworkAccessRespectPreflightResults',
  // A page restored from memory asks the network nothing.
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
    // One process less for every byte to pass through (measured: a tenth of a crawl's processor time). What
    // brings it down brings the browser down, which is replaced as after any crash.
    '--enable-features=NetworkServiceInProcess2',
  ];
  // Files in the folder for temporary files otherwise: on a disk they cost a fifth of a crawl.
  if (!options.sharedMemory) flags.push('--disable-dev-shm-usage');
  // A tile for each screen: tiles of 256 pixels, the default without a graphics card, cost a seventh of the
  // browser's processor time, most of it shared memory made and given back.
  flags.push(`--default-tile-width=${VIEWPORT.width}`, `--default-tile-height=${VIEWPORT.height}`);
  if (!options.sandbox) flags.push('--no-sandbox');
  if (options.proxy) {
    // `<-loopback>` takes back Chromium's rule that loopback goes direct.
    flags.push(`--proxy-server=${options.proxy}`, '--proxy-bypass-list=<-loopback>');
  }
  return [...flags, ...(options.extra ?? []), options.window ?? 'about:blank'];
}
