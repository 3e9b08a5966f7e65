import type { PolitenessSpec } from '../model/crawl.ts';
import type { Clock } from '../ports/clock.ts';
import { afterRequest, afterResponse } from '../science/policy/politeness.ts';
import type { HostManners } from './courtesy.ts';
import type { HostLeases } from './host-leases.ts';

/** Milliseconds between two looks whether it may be asked. */
const LOOK_EVERY = 100;
/** Milliseconds after which it is given up for now: two workers may wait for a host of each other. */
const LONGEST_WAIT = 60_000;

export interface TurnOptions {
  readonly manners: HostManners;
  readonly leases: HostLeases | undefined;
  readonly politeness: PolitenessSpec;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** To be told of the answer; undefined where there was none. */
export type EndTurn = (status: number | undefined) => void;

/**
 * The turn at a host that a redirect leads to, and whose entries are not in hand: it has a pace of its own, and may be another
 * worker's to ask. Undefined where it did not come.
 */
export async function turnElsewhere(
  host: string,
  { manners, leases, politeness, clock, random, signal }: TurnOptions,
): Promise<EndTurn | undefined> {
  const since = clock.now();
  const mayBegin = (): boolean =>
    manners.inFlight === 0 && manners.politeness.nextAt <= clock.now() && (leases?.mayAsk(host) ?? true);
  while (!mayBegin()) {
    if (clock.now() - since > LONGEST_WAIT) return undefined;
    await clock.sleep(LOOK_EVERY, signal);
    signal.throwIfAborted();
  }
  const startedAt = clock.now();
  manners.inFlight++;
  manners.politeness = afterRequest(manners.politeness, startedAt, politeness);
  return (status) => {
    manners.inFlight--;
    const now = clock.now();
    const event = {
      now,
      responseTime: now - startedAt,
      random: random(),
      ...(status !== undefined && { status }),
    };
    manners.politeness = afterResponse(manners.politeness, event, politeness);
  };
}
