/**
 * BCubed precision, recall and F of a clustering against classes.
 * Bagga and Baldwin 1998; extended to overlapping classes by Amigó, Gonzalo, Artiles and Verdejo, "A comparison
 * of extrinsic clustering evaluation metrics based on formal constraints" (2009), §4-5; used for page
 * segmentation by Kiesel, Kneist, Meyer, Komlossy, Stein and Potthast, "Web page segmentation revisited" (2020).
 *
 * For each item: of what shares its cluster, how much shares its class (precision); of what shares its class,
 * how much shares its cluster (recall); both averaged over the items. Items are weighted, so that an item of
 * weight n counts as n items of weight 1 in the same cluster and class.
 *
 *   C(e), L(e) → clusters[e], classes[e]      w_e → weights[e]
 *
 * Departure: an item without a class (-1) agrees with no item, not even with itself: it has precision 0 and no recall.
 */
export interface BcubedScore {
  readonly precision: number;
  readonly recall: number;
  /** Harmonic mean of the two. */
  readonly f: number;
}

export const NO_CLASS = -1;

export function harmonicMean(precision: number, recall: number): number {
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

/** Each item is in one cluster and in at most one class. O(items). Without any weight: precision and recall 1. */
export function bcubed(
  weights: ArrayLike<number>,
  clusters: ArrayLike<number>,
  classes: ArrayLike<number>,
): BcubedScore {
  const ofCluster = new Map<number, number>();
  const ofClass = new Map<number, number>();
  /** Keyed by cluster, then class: few cells are filled. */
  const ofBoth = new Map<number, Map<number, number>>();
  let all = 0;
  let marked = 0;
  for (let e = 0; e < weights.length; e++) {
    const weight = weights[e] as number;
    const cluster = clusters[e] as number;
    const klass = classes[e] as number;
    all += weight;
    ofCluster.set(cluster, (ofCluster.get(cluster) ?? 0) + weight);
    if (klass === NO_CLASS) continue;
    marked += weight;
    ofClass.set(klass, (ofClass.get(klass) ?? 0) + weight);
    const row = ofBoth.get(cluster) ?? new Map<number, number>();
    ofBoth.set(cluster, row.set(klass, (row.get(klass) ?? 0) + weight));
  }
  let precision = 0;
  let recall = 0;
  for (const [cluster, row] of ofBoth) {
    for (const [klass, both] of row) {
      if (both === 0) continue;
      precision += (both * both) / (ofCluster.get(cluster) as number);
      recall += (both * both) / (ofClass.get(klass) as number);
    }
  }
  precision = all === 0 ? 1 : precision / all;
  recall = marked === 0 ? 1 : recall / marked;
  return { precision, recall, f: harmonicMean(precision, recall) };
}
