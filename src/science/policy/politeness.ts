/**
 * How long a host is left alone between two requests, and when it is given up.
 *
 *                    success (any other answer)
 *              ┌──────────────────────────────────┐
 *              ▼                                  │
 *   ┌──────────────┐  429, 503, connection   ┌─────────────┐ ──┐ again: the pause doubles
 *   │     open     │ ──────────────────────▶ │ backing off │   │
 *   │              │  wall against robots    │             │   │
 *   └──────────────┘                         └─────────────┘ ◀─┘
 *                                                 │ 5 connection failures in a row, or 10 busy answers,
 *                                                 │ or 8 failures of a proxy that had worked
 *                                                 ▼
 *                                            ┌─────────────┐
 *                                            │  given up   │  final: its URLs become stored faults
 *                                            └─────────────┘
 *
 *   open          failures = 0, busy = 0; pause = the adaptive delay
 *   backing off   failures + busy > 0;    pause = base × 2^(n-1), shortened by jitter to no less than half
 *   given up      no further request; the reason is kept
 *
 * Adaptive delay: max(delay, delayFactor × mean response time), at most maxDelay. A slow server is asked less
 * often (Heritrix's delay factor); the mean is exponentially weighted, so that one slow page does not count
 * for long. Crawl-delay and Retry-After win where they are longer, even beyond maxDelay; Retry-After counts up to
 * one hour, since a crawl that waits for a day is better stopped and resumed.
 *
 * Connection failures are faults of the host (no name, no answer, broken connection, TLS). Faults of a single
 * page (redirect loops, malformed answers, a browser that hangs) change nothing but the time of the last
 * request: the adaptive pause follows them.
 *
 * A page that does not answer counts once, however often it is tried: two slow reports do not make a dead server. Embedded
 * resources that do not answer, while the server does, never cause the host to be given up: after 5 in a row no more of them
 * are requested until the host answers something (`isMute`).
 *
 * A proxy that was reached a moment ago is down for all hosts alike, and mostly comes back: it is given more tries.
 *
 * `nextAt` never moves back: with several requests in flight, an answer that was on its way when the server
 * said 429 does not end the back-off early.
 */
import type { PolitenessSpec } from '../../model/crawl.ts';
import type { FaultKind } from '../../model/fault.ts';
import type { Millis } from '../../model/time.ts';

interface HostMemory {
  /** Exponentially weighted mean, in milliseconds; undefined before the first answer. */
  readonly responseTime: number | undefined;
  /** Connection failures in a row. */
  readonly failures: number;
  /** Answers 429 or 503 in a row. */
  readonly busy: number;
  /** Pages that did not answer in time, since the last answer: each counts as one failure. */
  readonly silent: readonly string[];
  /** Embedded resources that could not be had, since the last answer. */
  readonly mute: readonly string[];
  /** No request before this; 0 at first. */
  readonly nextAt: Millis;
  /** Why the pause is this long; for the stored fact. */
  readonly reason: string;
}

export type HostState =
  | (HostMemory & { readonly phase: 'open' | 'backing-off'; readonly givenUp: false })
  | (HostMemory & { readonly phase: 'given-up'; readonly givenUp: true });

/** The outcome of one request. */
export interface HostEvent {
  /** The requested URL; where absent, each request counts separately. */
  readonly url?: string;
  /** Not a page, but something a page embeds, or a sitemap. */
  readonly isEmbedded?: boolean;
  readonly now: Millis;
  /** Milliseconds from request to the last byte, or to the fault. */
  readonly responseTime: number;
  /** Absent when there was no answer. */
  readonly status?: number;
  /** Absent when there was an answer. */
  readonly fault?: FaultKind;
  /** Milliseconds that the server asked to wait: see `parseRetryAfter`. */
  readonly retryAfter?: number;
  /** In [0, 1), drawn by the caller. */
  readonly random: number;
}

export const POLITENESS = {
  /** Weight of the newest response time in the mean. */
  smoothing: 0.3,
  /** Milliseconds of the first back-off, unless the delay is longer. */
  backoffBase: 1_000,
  /** Upper limit of a back-off, in milliseconds. */
  backoffLimit: 5 * 60_000,
  /** Milliseconds of Retry-After that are honoured. */
  retryAfterLimit: 3_600_000,
  /** Connection failures in a row after which a host is given up. */
  failuresToGiveUp: 5,
  /** Answers 429 or 503 in a row after which a host is given up: with doubling pauses, after 10 minutes or more. */
  busyToGiveUp: 10,
  /** Failures in a row of a proxy through which the host had answered before: with doubling pauses, after about two minutes. */
  proxyFailuresToGiveUp: 8,
  /** Embedded resources in a row that could not be had, after which no more of them are requested. */
  muteAfter: 5,
} as const;

const CONNECTION_FAULTS: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'dns-failure',
  'connection-refused',
  'connection-failed',
  'tls-failure',
  'timeout',
  'proxy-failed',
]);

/** These may concern a single URL, on a server that answers for others. */
const FAULTS_OF_ONE: ReadonlySet<FaultKind> = new Set<FaultKind>(['timeout', 'connection-failed']);

/** Whether embedded resources are not worth requesting now. */
export const isMute = ({ mute }: HostState): boolean => mute.length >= POLITENESS.muteAfter;

export function newHost(): HostState {
  return {
    phase: 'open',
    givenUp: false,
    responseTime: undefined,
    failures: 0,
    busy: 0,
    silent: [],
    mute: [],
    nextAt: 0,
    reason: 'first request',
  };
}

/**
 * A request begins. With several in flight the pause must separate their starts too: otherwise all of them
 * would start at the same moment. How long the server takes is not known yet, so only the fixed pauses count.
 */
export function afterRequest(
  state: HostState,
  now: Millis,
  spec: PolitenessSpec,
  crawlDelay?: number,
): HostState {
  return { ...state, nextAt: Math.max(state.nextAt, now + Math.max(spec.delay, crawlDelay ?? 0)) };
}

/** @param crawlDelay of robots.txt, in milliseconds */
export function afterResponse(
  state: HostState,
  event: HostEvent,
  spec: PolitenessSpec,
  crawlDelay?: number,
): HostState {
  if (state.givenUp) return state;
  // The guard that runs before any connection is made: it will say the same for every URL of the host.
  if (event.fault === 'private-address') return giveUp(state, 'its address is private');
  const isOfOne = event.fault !== undefined && FAULTS_OF_ONE.has(event.fault);
  const isMissed = isOfOne && event.isEmbedded === true;
  if (!isMissed && event.fault !== undefined && CONNECTION_FAULTS.has(event.fault))
    return backOff(withFailure(state, event), event, spec, crawlDelay, event.fault);
  if (isBusy(event)) {
    const next = { ...state, ...ANSWERED, responseTime: mean(state, event), busy: state.busy + 1 };
    return backOff(next, event, spec, crawlDelay, `answer ${busyCause(event)}`);
  }
  const answered = event.status !== undefined;
  const responseTime = answered ? mean(state, event) : state.responseTime;
  const pause = longest([
    adaptiveDelay(responseTime, spec),
    crawlDelayPause(crawlDelay),
    retryAfterPause(event.retryAfter),
  ]);
  const memory = {
    responseTime,
    nextAt: Math.max(state.nextAt, event.now + pause.length),
    reason: pause.reason,
  };
  if (answered) return { ...memory, ...ANSWERED, phase: 'open', givenUp: false, busy: 0 };
  return { ...state, ...memory, ...(isMissed && { mute: withUrl(state.mute, event) }) };
}

/** What any answer resets. */
const ANSWERED = { failures: 0, silent: [], mute: [] } as const;

function withFailure(state: HostState, event: HostEvent): HostState {
  if (event.fault !== 'timeout') return { ...state, failures: state.failures + 1 };
  const silent = withUrl(state.silent, event);
  return { ...state, silent, failures: state.failures + silent.length - state.silent.length };
}

const withUrl = (known: readonly string[], { url = `${known.length}` }: HostEvent): readonly string[] =>
  known.includes(url) ? known : [...known, url];

/** A host that takes us for a robot is asked less often too: some walls go up because of the pace. */
const BUSY_FAULTS: ReadonlySet<FaultKind> = new Set<FaultKind>(['server-busy', 'bot-wall', 'captcha']);

function isBusy({ status, fault }: HostEvent): boolean {
  return status === 429 || status === 503 || (fault !== undefined && BUSY_FAULTS.has(fault));
}

/** The cause given for the pause. */
function busyCause({ status, fault = 'server-busy' }: HostEvent): string {
  return status === undefined || fault === 'bot-wall' || fault === 'captcha' ? fault : String(status);
}

function mean(state: HostState, event: HostEvent): number {
  if (state.responseTime === undefined) return event.responseTime;
  return state.responseTime + POLITENESS.smoothing * (event.responseTime - state.responseTime);
}

function backOff(
  state: HostState,
  event: HostEvent,
  spec: PolitenessSpec,
  crawlDelay: number | undefined,
  cause: string,
): HostState {
  const hadProxy = event.fault === 'proxy-failed' && state.responseTime !== undefined;
  const most = hadProxy ? POLITENESS.proxyFailuresToGiveUp : POLITENESS.failuresToGiveUp;
  if (state.failures >= most) {
    return giveUp(state, `${state.failures} connection failures in a row, the last: ${cause}`);
  }
  if (state.busy >= POLITENESS.busyToGiveUp) {
    return giveUp(state, `${state.busy} times in a row too busy, the last: ${cause}`);
  }
  const times = state.failures + state.busy;
  const base = Math.max(POLITENESS.backoffBase, spec.delay);
  const full = Math.min(base * 2 ** (times - 1), Math.max(POLITENESS.backoffLimit, spec.delay));
  const pause = longest([
    { length: full * (0.5 + event.random / 2), reason: `back-off ${times} after ${cause}` },
    adaptiveDelay(state.responseTime, spec),
    crawlDelayPause(crawlDelay),
    retryAfterPause(event.retryAfter),
  ]);
  const nextAt = Math.max(state.nextAt, event.now + pause.length);
  return { ...state, phase: 'backing-off', givenUp: false, nextAt, reason: pause.reason };
}

function giveUp(state: HostState, why: string): HostState {
  return { ...state, phase: 'given-up', givenUp: true, reason: `host given up: ${why}` };
}

interface Pause {
  /** Milliseconds. */
  readonly length: number;
  readonly reason: string;
}

/** Pause between two requests to a host that answers, in milliseconds. */
export function adaptiveDelay(responseTime: number | undefined, spec: PolitenessSpec): Pause {
  const adaptive = Math.min(spec.delayFactor * (responseTime ?? 0), spec.maxDelay);
  return adaptive > spec.delay
    ? {
        length: adaptive,
        reason: `${spec.delayFactor} × response time of ${Math.round(responseTime ?? 0)} ms`,
      }
    : { length: spec.delay, reason: `delay of ${spec.delay} ms` };
}

function crawlDelayPause(crawlDelay: number | undefined): Pause {
  return { length: crawlDelay ?? 0, reason: `Crawl-delay of ${crawlDelay ?? 0} ms` };
}

/** Milliseconds actually waited where a server asks for this many. */
export const honouredWait = (retryAfter: number): number =>
  Math.min(Math.max(0, retryAfter), POLITENESS.retryAfterLimit);

function retryAfterPause(retryAfter: number | undefined): Pause {
  if (retryAfter === undefined || !(retryAfter > 0)) return { length: 0, reason: '' };
  const limit = POLITENESS.retryAfterLimit;
  return retryAfter > limit
    ? { length: limit, reason: `Retry-After of ${retryAfter} ms, cut to ${limit} ms` }
    : { length: retryAfter, reason: `Retry-After of ${retryAfter} ms` };
}

function longest(pauses: readonly Pause[]): Pause {
  return pauses.reduce((a, b) => (b.length > a.length ? b : a));
}
