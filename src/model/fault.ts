/**
 * Faults are named by what the caller does next, and every one becomes a stored fact.
 * `retry` says whether the same request may succeed later.
 */
export const FAULTS = {
  'dns-failure': { retry: true, means: 'the host name could not be resolved' },
  'connection-refused': { retry: true, means: 'nothing listens at that address' },
  'connection-failed': { retry: true, means: 'the connection broke before an answer was complete' },
  'proxy-failed': { retry: true, means: 'the proxy could not be reached, or did not connect' },
  'tls-failure': { retry: false, means: 'the TLS handshake or certificate check failed' },
  timeout: { retry: true, means: 'no complete answer within the time limit' },
  'private-address': { retry: false, means: 'the address is private and --allow-private was not given' },
  'malformed-response': { retry: false, means: 'the bytes received are not an HTTP response' },
  'redirect-limit': { retry: false, means: 'more redirects in a row than allowed' },
  'redirect-loop': { retry: false, means: 'the redirect leads back to a URL of its own chain' },
  'server-busy': { retry: true, means: 'the server answered 429 or 503' },
  'http-status': { retry: false, means: 'the server answered 4xx; the answer is stored' },
  'server-error': { retry: true, means: 'the server answered 5xx; the last answer is stored' },
  'unasked-answer': {
    retry: false,
    means:
      'the server answered 304 or 206, though nobody asked under a condition or for a part; the answer is stored',
  },
  'cut-short': {
    retry: false,
    means: 'the answer broke off, or reached the limit of time or size; what came is stored',
  },
  'not-decodable': {
    retry: false,
    means:
      'the body is not, or not wholly, in the coding that the server says (gzip, br); it is stored as it came',
  },
  'browser-crash': { retry: true, means: 'the tab or the browser died' },
  'browser-hang': { retry: true, means: 'the page did not finish within the time limit' },
  'unsupported-url': { retry: false, means: 'not an http or https URL' },
  'robots-unreachable': {
    retry: true,
    means: 'robots.txt answered 5xx or not at all: everything is disallowed',
  },
  'template-failure': {
    retry: false,
    means: 'the layout could not be filled from its template, and the page was shown in the browser instead',
  },
  'page-cut': {
    retry: false,
    means: 'the page has more text, links or elements than are kept; its page info says how much',
  },
  'bot-wall': {
    retry: false,
    means: 'a wall against robots answered in place of the page; the host is asked less often',
  },
  captcha: {
    retry: false,
    means: 'a captcha answered in place of the page; the host is asked less often',
  },
  'login-wall': { retry: false, means: 'the page is shown to those alone who sign in' },
  'consent-wall': { retry: false, means: 'a request for consent answered in place of the page' },
  'soft-404': {
    retry: false,
    means: 'the server answered 200 with the page that it shows for addresses that do not exist',
  },
  internal: { retry: false, means: 'a fault of Daguerre itself: please report it' },
} as const;

export type FaultKind = keyof typeof FAULTS;

/** Answers that are not the page that was asked for. They are kept apart from its captures, and are not versions of it. */
export const NOT_THE_PAGE = [
  'bot-wall',
  'captcha',
  'login-wall',
  'consent-wall',
  'soft-404',
] as const satisfies readonly FaultKind[];
export type NotThePage = (typeof NOT_THE_PAGE)[number];

export const isNotThePage = (kind: FaultKind): kind is NotThePage =>
  (NOT_THE_PAGE as readonly FaultKind[]).includes(kind);

export class CaptureFault extends Error {
  override readonly name = 'CaptureFault';
  readonly kind: FaultKind;
  readonly url: string;
  /** The server asked to wait this long before the next request, in milliseconds. */
  readonly retryAfter?: number;

  constructor(
    kind: FaultKind,
    url: string,
    detail: string,
    options?: { cause?: unknown; retryAfter?: number },
  ) {
    super(`${detail} (${url})`, options?.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.url = url;
    if (options?.retryAfter !== undefined) this.retryAfter = options.retryAfter;
  }

  get retry(): boolean {
    return FAULTS[this.kind].retry;
  }
}

/** Why a URL was not fetched. Counted by the rule that left it out, with the first URLs of each, and shown in the report. */
export const SKIPS = {
  'out-of-scope': 'outside the scope of the crawl',
  excluded: 'matches an --exclude pattern',
  decided: 'a person has decided to leave it out',
  robots: 'disallowed by robots.txt',
  depth: 'deeper than --depth',
  'page-limit': 'the page limit was reached',
  'time-limit': 'the time limit was reached',
  'size-limit': 'the size limit was reached',
  'trap-repeating-path': 'path segments repeat: a crawler trap',
  'trap-growing-url': 'the URL is longer or deeper than real pages are: a crawler trap',
  'trap-calendar': 'an endless calendar: a crawler trap',
  'trap-session-id': 'differs from a known URL only by a session id',
  'trap-alike-pages': 'a family of URLs whose pages differ only in numbers: a crawler trap',
  'trap-sitemaps': 'more sitemaps of one host than --sitemap-limit, or nested without end: a crawler trap',
  'trap-query-variants': 'too many variants of one path that differ only in the query: a crawler trap',
  'unsupported-url': 'not an http or https URL',
  'alternatives-limit':
    'a page names more for other screens than --alternatives-limit, or than its time allows',
  blocked: 'a rule of --block-rules keeps pages from loading it',
  advertisement: 'an advertisement by the filter lists, and --block-ads keeps pages from loading it',
  'sitemap-date': 'its date in the sitemap is outside --sitemap-from-date and --sitemap-to-date',
  unrepeatable:
    'a page asked for it in the browser, got no answer, and it cannot be asked for again directly',
} as const;

export type SkipReason = keyof typeof SKIPS;

/** These concern the URL itself, not the place where it was found: finding it elsewhere does not put it into the queue. */
export const SETTLED_SKIPS: ReadonlySet<SkipReason> = new Set<SkipReason>([
  'robots',
  'page-limit',
  'time-limit',
  'size-limit',
]);
