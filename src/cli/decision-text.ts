import { actWords, type Decision, decisionWords, isSameMatter } from '../model/decision.ts';

/**
 * What is decided about one URL, one line each, the effective decision first. Others that contradict it are shown as overruled.
 */
export function decisionLines(decisions: readonly Decision[]): string[] {
  const heldOf = (one: Decision): Decision | undefined =>
    decisions.find(({ act }) => isSameMatter(act, one.act));
  return decisions.map((one) => {
    const held = heldOf(one);
    const until = one.until === undefined ? '' : `, until ${new Date(one.until).toISOString()}`;
    const later = held === one || held === undefined ? '' : `; overruled by what ${held.by} decided later`;
    const when = Number.isFinite(one.at)
      ? `, ${new Date(one.at).toISOString()}`
      : ', in the configuration file';
    return `Decision: ${actWords(one.act)}, ${decisionWords(one)}${when}${until}${later}`;
  });
}
