/**
 * Kendall's τ_b between two lists of values: pairs that both put in the same order, less those that they put in
 * opposite orders, relative to what either could have reached without its ties. Knight (1966): pairs in opposite orders are the
 * exchanges that sorting needs, so it costs n log n.
 */
export interface PairCounts {
  /** Pairs in the same order, and in opposite orders. */
  readonly agreeing: number;
  readonly opposed: number;
  /** Pairs tied in the first list, and in the second; some are tied in both. */
  readonly tiedInFirst: number;
  readonly tiedInSecond: number;
  readonly pairs: number;
}

/** 0 where one side is constant, or there is no pair. */
export function kendall(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const { agreeing, opposed, tiedInFirst, tiedInSecond, pairs } = countPairs(a, b);
  const most = Math.sqrt((pairs - tiedInFirst) * (pairs - tiedInSecond));
  return most > 0 ? (agreeing - opposed) / most : 0;
}

export function countPairs(a: ArrayLike<number>, b: ArrayLike<number>): PairCounts {
  if (a.length !== b.length) throw new RangeError(`${a.length} values cannot be compared with ${b.length}`);
  const n = a.length;
  const order = Int32Array.from({ length: n }, (_, i) => i).sort(
    (i, j) => (a[i] as number) - (a[j] as number) || (b[i] as number) - (b[j] as number),
  );
  const first = Float64Array.from(order, (i) => a[i] as number);
  const second = Float64Array.from(order, (i) => b[i] as number);
  const tiedInFirst = tiedPairs(n, (i) => first[i] === first[i - 1]);
  const tiedInBoth = tiedPairs(n, (i) => first[i] === first[i - 1] && second[i] === second[i - 1]);
  const opposed = exchanges(second);
  // `second` is sorted by now.
  const tiedInSecond = tiedPairs(n, (i) => second[i] === second[i - 1]);
  const pairs = (n * (n - 1)) / 2;
  const agreeing = pairs - tiedInFirst - tiedInSecond + tiedInBoth - opposed;
  return { agreeing, opposed, tiedInFirst, tiedInSecond, pairs };
}

/** Over a sorted list, where `same` says whether a value equals the previous one. */
function tiedPairs(n: number, same: (i: number) => boolean): number {
  let [pairs, run] = [0, 1];
  for (let i = 1; i <= n; i++) {
    if (i < n && same(i)) {
      run++;
      continue;
    }
    pairs += (run * (run - 1)) / 2;
    run = 1;
  }
  return pairs;
}

/** Bottom-up merge sort; returns how many exchanges of neighbours it took. Sorts `values`. */
function exchanges(values: Float64Array): number {
  const merged = new Float64Array(values.length);
  let count = 0;
  for (let width = 1; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) {
      const middle = Math.min(start + width, values.length);
      const end = Math.min(start + 2 * width, values.length);
      let [left, right] = [start, middle];
      for (let at = start; at < end; at++) {
        if (right < end && (left >= middle || (values[right] as number) < (values[left] as number))) {
          merged[at] = values[right++] as number;
          count += middle - left;
        } else {
          merged[at] = values[left++] as number;
        }
      }
    }
    values.set(merged);
  }
  return count;
}
