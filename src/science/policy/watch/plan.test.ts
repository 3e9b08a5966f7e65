import { describe, expect, it } from 'vitest';
import type { SeenVisit, Signal, WatchedPage } from '../../../model/watch.ts';
import { slotPlan } from '../../patterns/slots.ts';
import { bankedRound, EMPTY_BANK } from '../refresh/bank.ts';
import { flatRow, patternTable } from '../refresh/pattern-table.ts';
import { refreshPolicy } from '../refresh/policies.ts';
import { advance, newState, observe } from '../refresh/state.ts';
import { keepState, resumeState } from './kept-state.ts';
import { hearSignals, observeVisit } from './observe-visit.ts';
import { outlookOf, roundsAhead } from './outlook.ts';
import { plan } from './plan.ts';
import type { PlanInput, PlanSettings } from './plan-settings.ts';
import { precisionOf, recallOf, sourceOf } from './sources.ts';
import { listPages, newWatchState, type WatchState } from './watch-state.ts';

const HOUR = 3_600_000;
const page = (name: string, more: Partial<WatchedPage> = {}): WatchedPage => ({
  url: `https://a.example/${name}`,
  site: 'a.example',
  weight: 1,
  lastVisit: 0,
  observations: 0,
  changes: 0,
  ...more,
});
const made = (pages: readonly WatchedPage[], pace = 1): WatchState =>
  newWatchState(pages, { now: 0, round: 1, pace });
const settings = (pace: number, more: Partial<PlanSettings> = {}): PlanSettings => ({
  budget: { requestsPerHour: pace },
  policy: refreshPolicy('expected-gain'),
  shares: { audit: 0 },
  ...more,
});
const seen = (url: string, now: number, more: Partial<SeenVisit> = {}): SeenVisit => ({
  url,
  kind: 'refresh',
  at: now,
  outcome: 'unchanged',
  importance: 0,
  requests: 1,
  bytes: 0,
  signals: [],
  ...more,
});
const twenty = Array.from({ length: 20 }, (_, k) => page(`p${k}`));
/** Hourly rounds; each visit finds what `finds` says. */
function run(
  state: WatchState,
  how: PlanSettings,
  hours: number,
  more: { finds?: (url: string, hour: number) => Partial<SeenVisit>; input?: Partial<PlanInput> } = {},
): string[] {
  const log: string[] = [];
  for (let hour = 1; hour <= hours; hour++) {
    const { visits, captures } = plan(state, how, { ...more.input, now: hour * HOUR });
    for (const { url, kind } of visits) {
      log.push(`${kind} ${url.slice('https://a.example/'.length)}`);
      observeVisit(state, seen(url, hour * HOUR, { kind, ...more.finds?.(url, hour) }));
    }
    for (const { site } of captures) log.push(`capture ${site}`);
  }
  return log;
}

describe('the plan', () => {
  it('no signals, nothing fixed => the visits, hour by hour, of the banked policy of `lab policies`', () => {
    const finds = (name: number, hour: number) =>
      (hour * (name + 1)) % 7 < 2 ? ({ outcome: 'changed', importance: 0.2 } as const) : {};
    const state = made(twenty, 3);
    const policy = refreshPolicy('expected-gain');
    const table = patternTable(twenty.map(() => flatRow(slotPlan('daily'))));
    const alone = newState(
      twenty.map((_, row) => ({ row })),
      { table, now: 0, round: 1, pace: 3 },
    );
    let bank = EMPTY_BANK;
    for (let hour = 1; hour <= 400; hour++) {
      const { visits } = plan(state, settings(3), { now: hour * HOUR });
      advance(alone, hour * 3600);
      const banked = bankedRound(bank, alone, policy, 3);
      bank = banked.bank;
      const numbers = [...banked.visits.pages];
      expect(visits.map(({ url }) => url)).toEqual(numbers.map((number) => twenty[number]?.url));
      for (const number of numbers) {
        const found = finds(number, hour);
        observeVisit(state, seen(twenty[number]?.url as string, hour * HOUR, found));
        observe(
          alone,
          number,
          'outcome' in found ? { kind: 'changed', importance: 0.2 } : { kind: 'unchanged' },
        );
      }
      expect(state.bank).toEqual(bank);
    }
  });

  it('a budget of 0 => nothing, forced pages included', () => {
    expect(run(made([page('x', { every: HOUR })], 0), settings(0), 5)).toEqual([]);
  });

  it('wanted every 2 h, budget 1 => every 2 h, before all others, with its reason', () => {
    const state = made([...twenty, page('x', { every: 2 * HOUR })]);
    const log = run(state, settings(1), 8);
    expect(log.filter((line) => line === 'forced x')).toHaveLength(4);
    const { visits } = plan(state, settings(1), { now: 10 * HOUR });
    expect(visits[0]?.reason).toBe('forced: 2.0 h since the last visit, wanted every 2.0 h');
  });

  it('all pages wanted every minute => as many as the budget pays, the longest overdue first', () => {
    const log = run(
      made(
        twenty.map((one) => ({ ...one, every: 60_000 })),
        2,
      ),
      settings(2),
      10,
    );
    expect(log).toEqual(Array.from({ length: 20 }, (_, k) => `forced p${k}`));
  });

  it('every page at least daily => none older than 25 h', () => {
    const state = made(twenty, 4);
    run(state, settings(4, { floor: 24 }), 200, {
      finds: (url) => (url.endsWith('p0') ? { outcome: 'changed', importance: 1 } : {}),
    });
    for (let number = 0; number < 20; number++)
      expect(state.refresh.now - (state.refresh.lastVisit[number] as number)).toBeLessThanOrEqual(25 * 3600);
  });

  it('a window that is closed, a capture under way => no visit there', () => {
    const state = made(twenty, 5);
    expect(run(state, settings(5, { isOpen: () => false }), 5)).toEqual([]);
    expect(run(state, settings(5), 5, { input: { capturing: new Set(['a.example']) } })).toEqual([]);
  });

  it('10 % for discovery, 40 suspects => a tenth of the requests', () => {
    const suspects = Array.from({ length: 40 }, (_, k) => {
      const { lastVisit: _visit, ...rest } = page(`new/s${k}`);
      return rest;
    });
    const log = run(
      made([...twenty, ...suspects], 10),
      settings(10, { shares: { discovery: 0.1, audit: 0 } }),
      20,
    );
    expect(log.filter((line) => line.startsWith('discover'))).toHaveLength(20);
  });

  it('an audit share of 20 % => a fifth of the requests, on pages drawn by lot', () => {
    const log = run(made(twenty, 10), settings(10, { shares: { audit: 0.2 } }), 200);
    const audits = log.filter((line) => line.startsWith('audit'));
    expect(audits.length / log.length).toBeGreaterThan(0.08);
    expect(audits.length / log.length).toBeLessThan(0.21);
    expect(new Set(audits).size).toBeGreaterThan(3);
  });

  it('visits that take 5 requests => a fifth as many of them', () => {
    const dear = twenty.map((one) => ({ ...one, cost: 5 }));
    const state = made(dear, 5);
    expect(run(state, settings(5), 100).length).toBeLessThanOrEqual(100);
    expect(state.bank.balance).toBeGreaterThanOrEqual(0);
  });

  it('a site wanted weekly => captured when due, paid from the bank', () => {
    const state = made(twenty, 5);
    const sites = [
      { site: 'a.example', every: 168 * HOUR, lastCapture: -167 * HOUR, pages: 20, revisits: 5 },
    ];
    const { captures } = plan(state, settings(5), { now: HOUR, sites });
    expect(captures.map(({ reason }) => reason)).toEqual([
      'capture: 7.0 days since the last, wanted every 7.0 days',
    ]);
    expect(state.bank.balance).toBeLessThanOrEqual(-20);
  });

  it('a clock set back a day, then going on => no error, and rounds go on', () => {
    const state = made(twenty, 2);
    run(state, settings(2), 50);
    expect(run(state, settings(2), 30).length).toBeGreaterThan(20);
  });

  it('bytes of the day spent => nothing until some are earned', () => {
    const state = made(twenty, 5);
    const how = settings(5, { budget: { requestsPerHour: 5, bytesPerDay: 2400 } });
    const log = run(state, how, 24, { finds: () => ({ bytes: 800 }) });
    expect(log.length).toBeGreaterThanOrEqual(3);
    expect(log.length).toBeLessThanOrEqual(14);
  });

  it('the rounds ahead => the state stays as it was', () => {
    const state = made(twenty, 2);
    run(state, settings(2), 100);
    const before = JSON.stringify(keepState(state));
    const ahead = roundsAhead(state, settings(2), { now: 101 * HOUR }, 24);
    expect(ahead.flatMap(({ round }) => round.visits).length).toBeGreaterThan(10);
    expect(JSON.stringify(keepState(state))).toBe(before);
    expect(outlookOf(state, 'https://a.example/p3', settings(2))?.nextVisit).toBeGreaterThanOrEqual(
      100 * HOUR,
    );
    expect(outlookOf(state, 'https://a.example/nowhere', settings(2))).toBeUndefined();
  });

  it('listed anew without p1, with a new one => p1 is left alone, the others keep what was learnt', () => {
    const state = made(twenty, 2);
    run(state, settings(2), 100);
    const rate = state.refresh.rate[2];
    listPages(state, [...twenty.filter((_, k) => k !== 1), page('fresh')], {});
    expect(state.refresh.rate[2]).toBe(rate);
    expect(state.book.numberOf('https://a.example/p1')).toBeUndefined();
    expect(state.book.size).toBe(20);
    expect(run(state, settings(2), 60).some((line) => line === 'refresh p1')).toBe(false);
  });

  it('kept as JSON and resumed => the same bank, sources and account', () => {
    const state = made(twenty, 2);
    run(state, settings(2), 100, { finds: (_, hour) => ({ signals: [ping('p3', hour * HOUR)] }) });
    const kept = JSON.parse(JSON.stringify(keepState(state)));
    const other = newWatchState(twenty, { now: 100 * HOUR, round: 1, pace: 2 });
    resumeState(other, kept);
    const { pending: _, ...rest } = kept;
    const { pending, ...again } = JSON.parse(JSON.stringify(keepState(other)));
    expect(again).toEqual(rest);
    expect(pending.length).toBeGreaterThan(0);
  });
});

const ping = (name: string, heardAt: number, more: Partial<Signal> = {}): Signal => ({
  kind: 'ping',
  source: 'bot',
  url: `https://a.example/${name}`,
  heardAt,
  ...more,
});

describe('signals', () => {
  it('a source that is right => precision near 1; a page it tells of is visited next', () => {
    const state = made(twenty, 2);
    run(state, settings(2), 60);
    for (let hour = 61; hour < 200; hour++) {
      hearSignals(state, [ping(`p${hour % 20}`, hour * HOUR)]);
      const { visits } = plan(state, settings(2), { now: hour * HOUR });
      for (const { url } of visits) {
        const told = url.endsWith(`/p${hour % 20}`);
        observeVisit(state, seen(url, hour * HOUR, told ? { outcome: 'changed', importance: 0.1 } : {}));
      }
    }
    expect(
      precisionOf(state.hearsay.sources, sourceOf(state.hearsay.sources, 'bot', 'ping')),
    ).toBeGreaterThan(0.85);
  });

  it('a source that lies, of pages that never change => neither its word nor its silence has weight', () => {
    const state = made(twenty, 4);
    for (let hour = 1; hour < 400; hour++) {
      hearSignals(state, [ping(`p${(hour * 7) % 20}`, hour * HOUR)]);
      const { visits } = plan(state, settings(4), { now: hour * HOUR });
      for (const { url } of visits) {
        // Half of the pages change every other hour, whatever the signals say.
        const changes = Number(url.slice(-1)) % 2 === 0 && hour % 2 === 0;
        observeVisit(state, seen(url, hour * HOUR, changes ? { outcome: 'changed', importance: 0.1 } : {}));
      }
    }
    const { sources } = state.hearsay;
    const bot = sourceOf(sources, 'bot', 'ping');
    expect(precisionOf(sources, bot)).toBeLessThan(0.35);
    expect(recallOf(sources, bot)).toBeLessThan(0.5);
  });
});
