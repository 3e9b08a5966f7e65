import { decisionWords } from '../../model/decision.ts';
import type { PerimeterStanding } from '../../model/perimeter.ts';
import type { PerimeterVerdict } from './verdict.ts';

export function standingOf(verdict: PerimeterVerdict, perimeter: string, hops: number): PerimeterStanding {
  const { inside, chance, own, evidence, connectivity, decision } = verdict;
  return {
    perimeter,
    inside,
    chance,
    own,
    evidence,
    links: connectivity,
    ...(decision && { decided: decisionWords(decision) }),
    hops,
  };
}
