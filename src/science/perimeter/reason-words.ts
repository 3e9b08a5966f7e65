import type { PerimeterStanding } from '../../model/perimeter.ts';

const signed = (value: number): string => `${value < 0 ? '' : '+'}${value.toFixed(2)}`;

/** What speaks for and against a URL, in log-odds: `language fr +1.50, domain com (other) -0.50, links at 1 +0.72`. */
export function reasonWords({
  evidence,
  links,
  decided,
}: Pick<PerimeterStanding, 'evidence' | 'links' | 'decided'>): string {
  if (decided !== undefined) return decided;
  return [
    ...evidence.map(
      ({ criterion, outcome, found, strength, weight }) =>
        `${criterion} ${outcome === found ? found : `${found} (${outcome})`} ${signed(strength * weight)}`,
    ),
    ...links.flatMap(({ mean, weight }, k) =>
      mean === 0 ? [] : [`links at ${k + 1} ${signed(mean * weight)}`],
    ),
  ].join(', ');
}
