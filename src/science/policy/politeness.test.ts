import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PolitenessSpec } from '../../model/crawl.ts';
import type { FaultKind } from '../../model/fault.ts';
import {
  afterRequest,
  afterResponse,
  type HostEvent,
  type HostState,
  isMute,
  newHost,
  POLITENESS,
} from './politeness.ts';
import { parseRetryAfter } from './retry-after.ts';

const spec: PolitenessSpec = {
  userAgent: 'Daguerre',
  robots: true,
  delay: 1_000,
  delayFactor: 4,
  maxDelay: 10_000,
  perHost: 1,
  allowPrivate: false,
};
const event = (more: Partial<HostEvent> = {}): HostEvent => ({
  now: 0,
  responseTime: 100,
  random: 0.5,
  ...more,
});
const ok = (now: number, responseTime = 100): HostEvent => event({ now, responseTime, status: 200 });
const run = (events: readonly HostEvent[], crawlDelay?: number): HostState =>
  events.reduce((state, next) => afterResponse(state, next, spec, crawlDelay), newHost());

describe('open', () => {
  test('a fast answer => the delay', () => {
    expect(run([ok(5_000)])).toMatchObject({ phase: 'open', nextAt: 6_000, reason: 'delay of 1000 ms' });
  });
  test('an answer in 800 ms, factor 4 => 3.2 s', () => {
    expect(run([ok(0, 800)])).toMatchObject({ nextAt: 3_200, reason: '4 × response time of 800 ms' });
  });
  test('an answer in a minute => maxDelay', () => {
    expect(run([ok(0, 60_000)]).nextAt).toBe(10_000);
  });
  test('one slow page fades from the mean', () => {
    const times = [100, 5_000, 100, 100, 100, 100, 100, 100];
    const state = run(times.map((time, i) => ok(i * 100_000, time)));
    expect(state.responseTime).toBeGreaterThan(100);
    expect(state.responseTime).toBeLessThan(300);
  });
  test('Crawl-delay of 30 s wins over maxDelay; of 0.1 s it loses to the delay', () => {
    expect(run([ok(0)], 30_000).nextAt).toBe(30_000);
    expect(run([ok(0)], 100).nextAt).toBe(1_000);
  });
  test('a request begins => the next may begin a delay later, though no answer is there', () => {
    expect(afterRequest(newHost(), 5_000, spec).nextAt).toBe(6_000);
    expect(afterRequest(newHost(), 5_000, spec, 30_000).nextAt).toBe(35_000);
    expect(afterRequest(run([ok(5_000)], 60_000), 5_000, spec).nextAt).toBe(65_000);
  });
  test('Retry-After with a redirect is honoured too', () => {
    expect(run([event({ status: 302, retryAfter: 20_000 })])).toMatchObject({
      phase: 'open',
      nextAt: 20_000,
    });
  });
  test('500 is an answer like any other', () => {
    expect(run([event({ status: 500 })]).phase).toBe('open');
  });
});

describe('backing off', () => {
  test('503, 503, 503 without jitter => 1 s, 2 s, 4 s', () => {
    let state = newHost();
    const pauses: number[] = [];
    for (let i = 0; i < 3; i++) {
      const now = state.nextAt;
      state = afterResponse(state, event({ now, status: 503, random: 1, responseTime: 1 }), {
        ...spec,
        delay: 0,
      });
      pauses.push(state.nextAt - now);
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000]);
    expect(state).toMatchObject({ phase: 'backing-off', reason: 'back-off 3 after answer 503' });
  });
  test('jitter draws from half the pause to all of it', () => {
    const pause = (random: number) =>
      afterResponse(newHost(), event({ status: 429, random }), { ...spec, delay: 0, delayFactor: 0 }).nextAt;
    expect([pause(0), pause(0.5), pause(1)]).toEqual([500, 750, 1_000]);
  });
  test('429 with Retry-After 120 s => 120 s; with a day => one hour, and it says so', () => {
    expect(run([event({ status: 429, retryAfter: 120_000 })]).nextAt).toBe(120_000);
    expect(run([event({ status: 429, retryAfter: 86_400_000 })])).toMatchObject({
      nextAt: 3_600_000,
      reason: 'Retry-After of 86400000 ms, cut to 3600000 ms',
    });
  });
  test('success resets the count', () => {
    const state = run([event({ status: 503 }), event({ now: 60_000, fault: 'timeout' }), ok(120_000)]);
    expect(state).toMatchObject({ phase: 'open', failures: 0, busy: 0, nextAt: 121_000 });
  });
  test('an answer that was on its way does not end the back-off early', () => {
    const state = run([event({ status: 429, retryAfter: 60_000 }), ok(100)]);
    expect(state.nextAt).toBe(60_000);
  });
  test('a fault of one page leaves the counts', () => {
    const state = run([event({ fault: 'timeout' }), event({ now: 60_000, fault: 'redirect-loop' })]);
    expect(state).toMatchObject({ phase: 'backing-off', failures: 1, nextAt: 61_000 });
  });
});

describe('given up', () => {
  test.each<FaultKind>(['dns-failure', 'connection-refused', 'connection-failed', 'timeout', 'tls-failure'])(
    '%s five times => given up',
    (fault) => {
      const events = Array.from({ length: POLITENESS.failuresToGiveUp }, (_, i) =>
        event({ now: i * 600_000, fault }),
      );
      expect(run(events.slice(1)).givenUp).toBe(false);
      const state = run(events);
      expect(state).toMatchObject({
        givenUp: true,
        reason: `host given up: 5 connection failures in a row, the last: ${fault}`,
      });
      expect(afterResponse(state, ok(1e12), spec)).toBe(state);
    },
  );
  test('one page that never answers, however often => a host that is slow; five of them => given up', () => {
    const late = (url: string) => event({ fault: 'timeout', url });
    const tries = ['/a', '/a', '/a', '/b', '/b', '/b', '/c', '/d'].map(late);
    expect(run(tries)).toMatchObject({ givenUp: false, phase: 'backing-off', failures: 4 });
    expect(run([...tries, late('/e')]).givenUp).toBe(true);
    expect(run([...tries, ok(1e6), late('/e')])).toMatchObject({ givenUp: false, failures: 1 });
  });
  test.each<FaultKind>(['timeout', 'connection-failed'])(
    '%s of what pages embed => never given up, but asked for no more until something answers',
    (fault) => {
      const missed = (url: string) => event({ fault, url, isEmbedded: true });
      const state = run(['/1', '/1', '/2', '/3', '/4', '/4'].map(missed));
      expect([state.givenUp, state.failures, isMute(state)]).toEqual([false, 0, false]);
      const mute = afterResponse(state, missed('/5'), spec);
      expect([mute.givenUp, isMute(mute)]).toEqual([false, true]);
      expect(isMute(afterResponse(mute, ok(1e6), spec))).toBe(false);
    },
  );
  test('what pages embed, its host refusing => given up all the same', () => {
    const refused = event({ fault: 'connection-refused', url: '/1', isEmbedded: true });
    expect(run([refused, refused, refused, refused, refused]).givenUp).toBe(true);
  });
  test('a proxy that fails => five times where it never worked, eight where it had', () => {
    const failed = (count: number) =>
      Array.from({ length: count }, (_, i) => event({ now: i * 600_000, fault: 'proxy-failed' }));
    expect(run(failed(5)).givenUp).toBe(true);
    expect(run([ok(0), ...failed(7)])).toMatchObject({ givenUp: false, phase: 'backing-off' });
    expect(run([ok(0), ...failed(8)]).givenUp).toBe(true);
  });
  test('503 ten times => given up', () => {
    const events = Array.from({ length: POLITENESS.busyToGiveUp }, (_, i) =>
      event({ now: i * 600_000, status: 503 }),
    );
    expect(run(events)).toMatchObject({ givenUp: true });
  });
  test('a private address => at once', () => {
    expect(run([event({ fault: 'private-address' })])).toMatchObject({ givenUp: true });
  });
});

describe('for any course of events', () => {
  const events = fc.array(
    fc.record({
      wait: fc.nat(100_000),
      responseTime: fc.nat(120_000),
      random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      what: fc.constantFrom(
        200,
        301,
        404,
        429,
        500,
        503,
        'timeout',
        'dns-failure',
        'redirect-loop',
        'internal',
      ),
      retryAfter: fc.option(fc.nat(10_000_000), { nil: undefined }),
    }),
    { maxLength: 30 },
  );
  test('the delay is kept, nextAt never moves back, waits are bounded, a dead host ends', () => {
    fc.assert(
      fc.property(events, fc.option(fc.nat(60_000), { nil: undefined }), (list, crawlDelay) => {
        let state = newHost();
        let now = 0;
        let failures = 0;
        for (const { wait, responseTime, random, what, retryAfter } of list) {
          now = Math.max(now, state.nextAt) + wait;
          const before = state;
          state = afterResponse(
            state,
            {
              now,
              responseTime,
              random,
              ...(typeof what === 'number' ? { status: what } : { fault: what as FaultKind }),
              ...(retryAfter === undefined ? {} : { retryAfter }),
            },
            spec,
            crawlDelay,
          );
          if (typeof what === 'number') failures = 0;
          else if (what === 'timeout' || what === 'dns-failure') failures++;
          if (failures >= POLITENESS.failuresToGiveUp) expect(state.givenUp).toBe(true);
          expect(state.nextAt).toBeGreaterThanOrEqual(before.nextAt);
          if (before.givenUp) expect(state).toBe(before);
          if (state.givenUp) return;
          expect(state.nextAt - now).toBeGreaterThanOrEqual(Math.max(spec.delay, crawlDelay ?? 0));
          expect(state.nextAt - now).toBeLessThanOrEqual(POLITENESS.retryAfterLimit);
          expect(state.phase).toBe(state.failures + state.busy > 0 ? 'backing-off' : 'open');
        }
      }),
    );
  });
});

const NOW = Date.UTC(1994, 10, 6, 8, 49, 0);
test.each<[string, number | undefined]>([
  ['120', 120_000],
  [' 0 ', 0],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 37_000],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 37_000],
  ['Sun Nov  6 08:49:37 1994', 37_000],
  ['Sat, 05 Nov 1994 08:49:37 GMT', 0],
  ['-5', undefined],
  ['soon', undefined],
  ['', undefined],
  ['1.5', undefined],
])('Retry-After: %s => %s ms', (value, expected) => {
  expect(parseRetryAfter(value, NOW)).toBe(expected);
});
