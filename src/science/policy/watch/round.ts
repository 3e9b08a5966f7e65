import type { PlannedVisit, VisitKind } from '../../../model/watch.ts';
import { AVAILABILITY, type RefreshState } from '../refresh/state.ts';
import type { WatchState } from './watch-state.ts';

/** A round being planned: what is taken, and what that leaves. */
export class Round {
  readonly visits: PlannedVisit[] = [];
  readonly #taken = new Set<number>();
  readonly #state: WatchState;
  /** Requests that the round earned. */
  readonly earned: number;
  spent = 0;

  constructor(state: WatchState, earned: number) {
    this.#state = state;
    this.earned = earned;
  }

  get room(): number {
    return this.#state.bank.balance;
  }

  isTaken(page: number): boolean {
    return this.#taken.has(page);
  }

  /** @returns whether there was room for it */
  take(page: number, kind: VisitKind, reason: () => string, value?: number): boolean {
    const { refresh, book, siteLeft, bank } = this.#state;
    if (this.#taken.has(page) || refresh.alive[page] !== AVAILABILITY.open) return false;
    const cost = refresh.cost[page] as number;
    const { site, url } = book.page(page);
    const left = siteLeft.get(site);
    if (cost > bank.balance + 1e-9 || (left !== undefined && cost > left)) return false;
    this.#taken.add(page);
    this.pay(cost);
    if (left !== undefined) siteLeft.set(site, left - cost);
    this.visits.push({ url, kind, value: value ?? broughtBy(refresh, page), cost, reason: reason() });
    return true;
  }

  pay(cost: number): void {
    const { bank } = this.#state;
    this.#state.bank = { ...bank, balance: bank.balance - cost };
    this.spent += cost;
  }
}

const broughtBy = ({ value, gain, cost }: RefreshState, page: number): number =>
  (value[page] as number) * (gain[page] as number) * (cost[page] as number);
