/**
 * Pages sorted by change rate, coldest first; equal rates keep their order.
 *
 * Large sites are sorted by their bits: the bits of non-negative IEEE doubles, read as integers, sort like the
 * numbers. Least-significant-digit radix, 16 bits a pass; digits that are the same everywhere are skipped. At a
 * million pages a comparator on indices takes about six times as long as the engine's own sort of the bare
 * numbers; the whole of SHARC-offline with this takes about twice as long as that sort.
 */

/** Below this a comparator is as fast and needs no tables. */
const SMALL = 2_000;
const RADIX = 65_536;

export function orderByRate(rates: ArrayLike<number>): Uint32Array {
  return rates.length < SMALL ? orderByComparing(rates) : orderByBits(rates);
}

export function orderByComparing(rates: ArrayLike<number>): Uint32Array {
  const order = Uint32Array.from({ length: rates.length }, (_, page) => page);
  return order.sort((a, b) => (rates[a] as number) - (rates[b] as number) || a - b);
}

export function orderByBits(rates: ArrayLike<number>): Uint32Array {
  const n = rates.length;
  // `Float64Array.from` would go through an iterator.
  const values = rates instanceof Float64Array ? rates.slice() : Float64Array.from(rates);
  // -0 has the sign bit set and would come last.
  for (let i = 0; i < n; i++) if (values[i] === 0) values[i] = 0;
  const digits = new Uint16Array(values.buffer);
  // The upper half of the bits distinguishes most numbers; what it leaves is nearly sorted.
  const order = sortByDigits(digits, n, 2);
  return settle(order, values) ? order : sortByDigits(digits, n, 0);
}

/** Stable sort by the 16-bit digits `lowest`..3 of each number. */
function sortByDigits(digits: Uint16Array, n: number, lowest: number): Uint32Array {
  let from = new Uint32Array(n);
  let to = new Uint32Array(n);
  for (let i = 0; i < n; i++) from[i] = i;
  const count = new Uint32Array(RADIX);
  for (let pass = lowest; pass < 4; pass++) {
    count.fill(0);
    for (let i = pass; i < 4 * n; i += 4) {
      const digit = digits[i] as number;
      count[digit] = (count[digit] as number) + 1;
    }
    if (n > 0 && count[digits[pass] as number] === n) continue;
    let sum = 0;
    for (let d = 0; d < RADIX; d++) {
      const c = count[d] as number;
      count[d] = sum;
      sum += c;
    }
    for (let i = 0; i < n; i++) {
      const page = from[i] as number;
      const digit = digits[4 * page + pass] as number;
      const place = count[digit] as number;
      to[place] = page;
      count[digit] = place + 1;
    }
    const sorted = to;
    to = from;
    from = sorted;
  }
  return from;
}

/** Insertion sort of a nearly sorted order; false when it is not, and sorting would take long. */
function settle(order: Uint32Array, values: Float64Array): boolean {
  let patience = 4 * order.length;
  for (let i = 1; i < order.length; i++) {
    const page = order[i] as number;
    const value = values[page] as number;
    let j = i;
    for (; j > 0 && (values[order[j - 1] as number] as number) > value; j--) {
      order[j] = order[j - 1] as number;
      if (patience-- <= 0) return false;
    }
    order[j] = page;
  }
  return true;
}
