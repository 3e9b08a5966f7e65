/** How good chances are, to be measured on pages that they were not fitted on. */

/** A predicted chance, and the truth. */
export interface TriedChance {
  readonly chance: number;
  readonly inside: boolean;
}

export interface ChanceQuality {
  readonly pages: number;
  readonly precision: number | null;
  readonly recall: number | null;
  /** Mean of (chance − truth)². */
  readonly brier: number;
  /** Mean of −ln of the chance given to the truth. */
  readonly logLoss: number;
  /** By tenths of the chance: how many pages, their mean chance, and the share that belongs. */
  readonly reliability: readonly {
    readonly pages: number;
    readonly chance: number;
    readonly share: number;
  }[];
}

/** Precision is null where no page is accepted, recall where none belongs. */
export function chanceQuality(tried: readonly TriedChance[], threshold = 0.5): ChanceQuality {
  const taken = tried.filter(({ chance }) => chance >= threshold);
  const right = taken.filter(({ inside }) => inside).length;
  const belong = tried.filter(({ inside }) => inside).length;
  const mean = (value: (one: TriedChance) => number): number =>
    tried.reduce((sum, one) => sum + value(one), 0) / tried.length;
  const tenths = Array.from({ length: 10 }, (_, k) =>
    tried.filter(({ chance }) => Math.min(9, Math.floor(10 * chance)) === k),
  ).filter((bin) => bin.length > 0);
  return {
    pages: tried.length,
    precision: taken.length === 0 ? null : right / taken.length,
    recall: belong === 0 ? null : right / belong,
    brier: mean(({ chance, inside }) => (chance - Number(inside)) ** 2),
    logLoss: mean(({ chance, inside }) => -Math.log(Math.max(inside ? chance : 1 - chance, 1e-12))),
    reliability: tenths.map((bin) => ({
      pages: bin.length,
      chance: bin.reduce((sum, { chance }) => sum + chance, 0) / bin.length,
      share: bin.filter(({ inside }) => inside).length / bin.length,
    })),
  };
}
