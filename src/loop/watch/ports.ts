import type { Millis } from '../../model/time.ts';
import type { PlannedCapture, PlannedVisit, SeenVisit, Signal, WatchedPage } from '../../model/watch.ts';
import type { Clock } from '../../ports/clock.ts';

/** What the loop must not forget: stored after each round, before anybody is told of it. Plain JSON. */
export interface KeptWatch {
  readonly version: number;
  readonly state: unknown;
}

/** A site that is captured whole. */
export interface WatchedSite {
  readonly site: string;
  /** Milliseconds between two captures; absent where the scale decides. */
  readonly every?: number;
  readonly lastCapture?: Millis;
  /** Pages that a capture asks for, and how many of them it visits twice. */
  readonly pages: number;
  readonly revisits: number;
}

/**
 * What the loop needs of the world. Live, rounds are crawls (archive/watch); in the lab a site that knows its truth answers,
 * under a virtual clock: the loop is the same.
 */
export interface WatchPorts {
  readonly clock: Clock;
  /** All pages that may be visited, as the archive knows them now. */
  pages(): AsyncIterable<WatchedPage>;
  sites(): Promise<readonly WatchedSite[]>;
  /**
   * One round of visits, each told when it is stored. Resolves when all are settled, or soon after the signal fires: what was
   * not visited then is not told.
   */
  visit(visits: readonly PlannedVisit[], told: (seen: SeenVisit) => void, signal: AbortSignal): Promise<void>;
  /** Runs beside rounds, which leave the site alone meanwhile. */
  capture(planned: PlannedCapture, told: (seen: SeenVisit) => void, signal: AbortSignal): Promise<void>;
  /** Signals that came from outside since it was last asked: pings. */
  heard(): readonly Signal[];
  /** Pages that became known by such signals. None unless given. */
  found?(): Promise<readonly WatchedPage[]>;
  /**
   * What was visited elsewhere for one that is gone, and was not learnt: told before anything is planned, as what is paid when it is told.
   * None unless given.
   */
  takeUp?(told: (seen: SeenVisit, as?: 'capture') => void, signal: AbortSignal): Promise<void>;
  keep(watch: KeptWatch): Promise<void>;
  kept(): Promise<KeptWatch | undefined>;
}
