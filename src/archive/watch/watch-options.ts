import type { PlannedCapture, SeenVisit } from '../../model/watch.ts';
import type { Clock } from '../../ports/clock.ts';
import type { WatchSharing } from './hold-tick.ts';
import type { CaptureEnd } from './watch-crawls.ts';

export interface WatchOptions {
  readonly clock: Clock;
  /** The loop's clock, where it differs from that of its crawls: a demonstration leaps from round to round. */
  readonly loopClock?: Clock;
  readonly syncEvery: number;
  readonly rotateSize?: number;
  /** Receives sentences for people who are watching. */
  readonly tell: (sentence: string) => void;
  /** Only plans: nothing will be visited. */
  readonly isPlan?: boolean;
  /** Where others share the archive. */
  readonly sharing?: WatchSharing;
  readonly onSeen?: (seen: SeenVisit) => void;
  readonly onRound?: (visits: number) => void;
  readonly onCapture?: (planned: PlannedCapture) => void;
  readonly onCaptured?: (site: string, end: CaptureEnd) => void;
}
