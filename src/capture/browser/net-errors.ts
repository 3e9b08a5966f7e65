/** Maps Chromium's net errors (net_error_list.h) to our fault kinds; all others are `connection-failed`. */
import { CaptureFault, FAULTS, type FaultKind } from '../../model/fault.ts';

const KINDS: readonly (readonly [RegExp, FaultKind])[] = [
  [/NAME_NOT_RESOLVED|NAME_RESOLUTION_FAILED|DNS_/, 'dns-failure'],
  [/CONNECTION_REFUSED|ADDRESS_UNREACHABLE/, 'connection-refused'],
  [/TIMED_OUT/, 'timeout'],
  [/CERT_|SSL_|BAD_SSL|TLS/, 'tls-failure'],
  [/TOO_MANY_REDIRECTS/, 'redirect-limit'],
  [
    /INVALID_RESPONSE|INVALID_HTTP|RESPONSE_HEADERS|INVALID_REDIRECT|CONTENT_DECODING|HTTP2_PROTOCOL/,
    'malformed-response',
  ],
  [/UNSAFE_PORT|DISALLOWED_URL_SCHEME|UNKNOWN_URL_SCHEME|INVALID_URL/, 'unsupported-url'],
];

export function kindOfNetError(errorText: string): FaultKind {
  return KINDS.find(([pattern]) => pattern.test(errorText))?.[1] ?? 'connection-failed';
}

export function faultOfNetError(url: string, errorText: string): CaptureFault {
  return new CaptureFault(
    kindOfNetError(errorText),
    url,
    `the browser could not load the page: ${errorText}`,
  );
}

export function kindOfRefusal(refusal: string): FaultKind {
  return (refusal in FAULTS ? refusal : 'connection-failed') as FaultKind;
}

export function faultOfRefusal(url: string, refusal: string): CaptureFault {
  const kind = kindOfRefusal(refusal);
  return new CaptureFault(kind, url, `the guard proxy did not pass the request on: ${FAULTS[kind].means}`);
}
