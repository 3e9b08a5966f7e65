import { GEOLOCATION } from '../archive/perimeter/perimeter-countries.ts';
import type { PerimeterStanding } from '../model/perimeter.ts';
import type { PerimeterUrl } from '../ports/catalog.ts';
import { reasonWords } from '../science/perimeter/reason-words.ts';

export const percent = (share: number): string => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;

/** `in, chance 93 %: language fr +1.50, …`. */
export const standingText = (
  standing: Pick<PerimeterStanding, 'inside' | 'chance' | 'evidence' | 'links' | 'decided'>,
): string =>
  `${standing.inside ? 'in' : 'out'}, chance ${percent(standing.chance)}: ${reasonWords(standing) || 'nothing is known of it'}`;

/** As it was judged last. The licence of the countries asks to be named where they are shown. */
export function standingLines(one: PerimeterUrl): string[] {
  const line = `Perimeter ${one.perimeter} (${one.isRead ? 'read' : 'not read'}): ${standingText(one)}`;
  const isShown = one.decided === undefined && one.evidence.some(({ criterion }) => criterion === 'country');
  return isShown ? [line, GEOLOCATION] : [line];
}
