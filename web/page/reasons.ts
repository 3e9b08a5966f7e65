/** A visit and the capture it made are written within moments of each other. */
const APART = 120_000;

interface Reasoned {
  readonly at: number;
  readonly reason: string;
}

/** Why the visit was made that a capture came from: of the nearest one in time. */
export function reasonOf(visits: readonly Reasoned[], at: number): string {
  let best: Reasoned | undefined;
  for (const visit of visits) if (!best || Math.abs(visit.at - at) < Math.abs(best.at - at)) best = visit;
  return best && Math.abs(best.at - at) <= APART ? best.reason : '';
}
