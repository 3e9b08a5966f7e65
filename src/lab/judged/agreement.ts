/**
 * How far two rounds of judging agree. Cohen's kappa ("A coefficient of agreement for nominal scales", 1960) subtracts
 * the agreement that two judges with these habits would reach by chance: (observed − chance) / (1 − chance).
 */
export interface Agreement {
  readonly judged: number;
  readonly agreed: number;
  /** 1 where chance alone would always agree: nothing is left to explain. */
  readonly kappa: number;
}

export function agreementOf(pairs: readonly (readonly [first: string, second: string])[]): Agreement {
  if (pairs.length === 0) throw new RangeError('nothing was judged twice');
  const agreed = pairs.filter(([first, second]) => first === second).length;
  const names = new Set(pairs.flat());
  const share = (round: 0 | 1, name: string): number =>
    pairs.filter((pair) => pair[round] === name).length / pairs.length;
  const chance = [...names].reduce((sum, name) => sum + share(0, name) * share(1, name), 0);
  const kappa = chance === 1 ? 1 : (agreed / pairs.length - chance) / (1 - chance);
  return { judged: pairs.length, agreed, kappa };
}
