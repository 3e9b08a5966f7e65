/**
 * The living archive's loop. One tick:
 *
 *   hear → list → plan → keep → visit (captures of sites begin beside it) → learn → keep
 *
 * What is planned is paid and kept before the first request, what was found is kept after the last: a process that is killed in
 * between goes on with a bank from which the round is paid, and gets back what the archive's own pages show was not made. Visits
 * that are not told are not learnt, and not paid.
 *
 * Rounds begin every `round`. Forced pages that fall due and signals from outside (`wake`) begin one between, of what cannot wait.
 * Time is the clock's: it may be set back or forward (plan.ts), and sleeping is by spans.
 */
import type { Millis } from '../../model/time.ts';
import type { PlannedCapture, SeenVisit, WatchAccount, WatchedPage } from '../../model/watch.ts';
import type { SlotOptions } from '../../science/patterns/slots.ts';
import { refreshPolicy } from '../../science/policy/refresh/policies.ts';
import { settle } from '../../science/policy/refresh/state.ts';
import { type ForcedShortage, forcedShortages } from '../../science/policy/watch/fixed-visits.ts';
import {
  KEPT_VERSION,
  type KeptState,
  keepState,
  resumeState,
} from '../../science/policy/watch/kept-state.ts';
import { hearSignals, observeVisit, settleCost } from '../../science/policy/watch/observe-visit.ts';
import { outlookOf, type PageOutlook, roundsAhead } from '../../science/policy/watch/outlook.ts';
import { pingedWait } from '../../science/policy/watch/pinged.ts';
import { type PlannedRound, plan } from '../../science/policy/watch/plan.ts';
import type { PlanSettings } from '../../science/policy/watch/plan-settings.ts';
import {
  addPages,
  listPages,
  newWatchState,
  type WatchState,
} from '../../science/policy/watch/watch-state.ts';
import type { WatchPorts } from './ports.ts';
import type { Spendable, TickReport, Watch, WatchSettings } from './watch.ts';

const DEFAULTS = { round: 15 * 60_000, relistEvery: 6 * 3_600_000, policy: 'expected-gain' } as const;
/** Between two rounds at least: forced pages that cannot be paid must not keep the loop spinning. */
const LEAST_WAIT = 60_000;
/** Also the tolerance for a timer that fires a little early. */
const SECOND = 1000;
const HOUR = 3_600_000;

/** A round that was begun: to be set right if it was not ended. */
interface BegunRound {
  readonly at: Millis;
  readonly requests: number;
}

interface KeptLoop extends KeptState {
  readonly begun?: BegunRound;
}

export async function openWatch(ports: WatchPorts, settings: WatchSettings): Promise<Watch> {
  const loop = new WatchLoop(ports, settings);
  await loop.open();
  return loop;
}

class WatchLoop implements Watch {
  readonly #ports: WatchPorts;
  #settings: WatchSettings;
  #plan: PlanSettings;
  #state!: WatchState;
  #listedAt: Millis = 0;
  /** Of the last full round; undefined: one is due. */
  #roundAt: Millis | undefined;
  readonly #captures = new Map<string, Promise<void>>();
  #captureError: { readonly error: unknown } | undefined;
  #waiting: AbortController | undefined;
  #woken = false;

  constructor(ports: WatchPorts, settings: WatchSettings) {
    this.#ports = ports;
    this.#settings = settings;
    this.#plan = planSettings(settings);
  }

  async open(): Promise<void> {
    const now = this.#ports.clock.now();
    const { objective, horizon } = this.#settings;
    const pages = await all(this.#ports.pages());
    this.#state = newWatchState(pages, {
      now,
      round: this.#round / HOUR,
      pace: this.#settings.budget.requestsPerHour,
      ...(objective && { objective }),
      ...(horizon !== undefined && { horizon }),
      ...this.#slots,
    });
    this.#listedAt = now;
    const kept = await this.#ports.kept();
    if (kept?.version !== KEPT_VERSION) return;
    const { begun, ...state } = kept.state as KeptLoop;
    resumeState(this.#state, state);
    if (begun) this.#payBack(begun, pages);
  }

  /** Of a round that was cut off: visits that the archive does not hold were not made. */
  #payBack({ at, requests }: BegunRound, pages: readonly WatchedPage[]): void {
    const made = pages.filter(({ lastVisit }) => lastVisit !== undefined && lastVisit >= at);
    this.#payIn(Math.max(0, requests - made.reduce((sum, { cost = 1 }) => sum + cost, 0)));
  }

  #payIn(requests: number): void {
    const { bank } = this.#state;
    this.#state.bank = { ...bank, balance: bank.balance + requests };
  }

  get #round(): number {
    return this.#settings.round ?? DEFAULTS.round;
  }

  get #slots(): { readonly slotsOf?: (site: string) => SlotOptions } {
    const { slotsOf } = this.#settings;
    return slotsOf ? { slotsOf } : {};
  }

  async run(signal: AbortSignal, onTick?: (report: TickReport) => void): Promise<void> {
    await this.#ports.takeUp?.((one, as) => this.#learn(one, 0, as), signal);
    while (!signal.aborted) {
      const report = await this.tick(signal);
      onTick?.(report);
      if (!signal.aborted) await this.#wait(signal);
    }
    await Promise.all(this.#captures.values());
    this.#throwCaptureError();
    await this.#keep();
  }

  async #wait(signal: AbortSignal): Promise<void> {
    if (!this.#woken) {
      const waiting = new AbortController();
      const stop = (): void => waiting.abort();
      signal.addEventListener('abort', stop, { once: true });
      this.#waiting = waiting;
      await this.#ports.clock.sleep(this.#span(this.#ports.clock.now()), waiting.signal);
      this.#waiting = undefined;
      signal.removeEventListener('abort', stop);
    }
    this.#woken = false;
  }

  /** Until the next round, until the first forced page falls due, or until a pinged one can be paid. */
  #span(now: Millis): number {
    const { book, refresh } = this.#state;
    let next = this.#roundAt === undefined ? 0 : this.#round - Math.max(0, now - this.#roundAt);
    for (const page of book.forced) {
      const due = (refresh.lastVisit[page] as number) * 1000 + (book.page(page).every as number);
      next = Math.min(next, Math.max(LEAST_WAIT, due - now));
    }
    const unpaid = pingedWait(this.#state);
    if (unpaid !== undefined)
      next = Math.min(next, unpaid > 0 ? Math.max(SECOND, unpaid * HOUR) : LEAST_WAIT);
    return Math.max(0, next);
  }

  wake(): void {
    this.#woken = true;
    this.#waiting?.abort();
  }

  async tick(signal: AbortSignal = new AbortController().signal): Promise<TickReport> {
    this.#throwCaptureError();
    const now = this.#ports.clock.now();
    await this.#hear();
    if (now - this.#listedAt >= (this.#settings.relistEvery ?? DEFAULTS.relistEvery) || now < this.#listedAt)
      await this.#list(now);
    const isFull =
      this.#roundAt === undefined || now < this.#roundAt || now - this.#roundAt >= this.#round - SECOND;
    if (isFull) this.#roundAt = now;
    const sites = isFull ? await this.#ports.sites() : [];
    const capturing = new Set(this.#captures.keys());
    const planned = plan(this.#state, this.#plan, { now, sites, capturing, between: !isFull });
    const requests = planned.visits.reduce((sum, { cost }) => sum + cost, 0);
    if (requests > 0 || planned.captures.length > 0) await this.#keep({ at: now, requests });
    for (const capture of planned.captures) this.#begin(capture, signal);
    const seen = await this.#visit(planned, signal);
    await this.#keep();
    // News are worth most at once: pages that are told of, or were found, need not wait for the next round.
    if (seen.some(({ signals, discovered }) => signals.length > 0 || discovered)) this.#woken = true;
    return { at: now, ...planned, seen };
  }

  /** Pages first: what is said of one that was not known a moment ago is heard too. */
  async #hear(): Promise<void> {
    const found = this.#ports.found?.();
    const signals = this.#ports.heard();
    addPages(this.#state, (await found) ?? [], this.#slots);
    hearSignals(this.#state, signals);
  }

  async #visit({ visits }: PlannedRound, signal: AbortSignal): Promise<readonly SeenVisit[]> {
    if (visits.length === 0) return [];
    const seen: SeenVisit[] = [];
    const open = new Map(visits.map(({ url, cost }) => [url, cost]));
    await this.#ports.visit(
      visits,
      (one) => {
        this.#learn(one, open.get(one.url) ?? 0);
        open.delete(one.url);
        seen.push(one);
      },
      signal,
    );
    this.#payIn([...open.values()].reduce((sum, cost) => sum + cost, 0));
    return seen;
  }

  #learn(one: SeenVisit, paid: number, as?: 'capture'): void {
    observeVisit(this.#state, one, { ...this.#slots, ...(as && { as }) });
    settleCost(this.#state, one, paid);
  }

  #begin(planned: PlannedCapture, signal: AbortSignal): void {
    // Paid visit by visit: a capture of hours must not leave the bank empty for as long.
    this.#payIn(planned.cost);
    const capture = this.#ports
      .capture(planned, (one) => this.#learn(one, 0, 'capture'), signal)
      .catch((error: unknown) => {
        this.#captureError ??= { error };
        // The next round may be long off.
        this.wake();
      })
      .finally(() => {
        this.#captures.delete(planned.site);
      });
    this.#captures.set(planned.site, capture);
  }

  #throwCaptureError(): void {
    const failed = this.#captureError;
    this.#captureError = undefined;
    if (failed) throw failed.error;
  }

  async #list(now: Millis): Promise<void> {
    listPages(this.#state, await all(this.#ports.pages()), this.#slots);
    this.#listedAt = now;
  }

  async #keep(begun?: BegunRound): Promise<void> {
    const state: KeptLoop = { ...keepState(this.#state), ...(begun && { begun }) };
    await this.#ports.keep({ version: KEPT_VERSION, state });
  }

  async planAhead(hours: number): ReturnType<Watch['planAhead']> {
    const input = {
      now: this.#ports.clock.now(),
      sites: await this.#ports.sites(),
      capturing: new Set(this.#captures.keys()),
    };
    return roundsAhead(this.#state, this.#plan, input, Math.ceil((hours * HOUR) / this.#round));
  }

  explain(url: string): PageOutlook | undefined {
    return outlookOf(this.#state, url, this.#plan);
  }

  async reconfigure(settings: WatchSettings): Promise<void> {
    this.#settings = settings;
    this.#plan = planSettings(settings);
    const { refresh } = this.#state;
    const { objective = refresh.objective, horizon = refresh.horizon } = settings;
    this.#state.refresh = { ...refresh, objective, horizon, round: this.#round / HOUR };
    for (let page = 0; page < refresh.size; page++) settle(this.#state.refresh, page);
    // Another objective is another scale.
    if (objective !== refresh.objective) this.#state.bank = { ...this.#state.bank, price: null };
    await this.#list(this.#ports.clock.now());
    this.wake();
  }

  shortages(): readonly ForcedShortage[] {
    return forcedShortages(this.#state, this.#plan);
  }

  account(): WatchAccount & Spendable {
    const { account, bank, bytesLeft, book } = this.#state;
    return {
      ...account,
      balance: bank.balance,
      price: bank.price,
      ...(bytesLeft !== undefined && { bytesLeft }),
      pages: book.size,
    };
  }
}

const planSettings = ({ policy = DEFAULTS.policy, ...settings }: WatchSettings): PlanSettings => ({
  ...settings,
  policy: typeof policy === 'string' ? refreshPolicy(policy) : policy,
});

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const row of rows) list.push(row);
  return list;
}
