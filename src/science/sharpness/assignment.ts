/**
 * The linear assignment problem: give each row its own column so that the sum of the values is largest.
 *
 * Shortest augmenting paths (Jonker and Volgenant: A shortest augmenting path algorithm for dense and sparse
 * linear assignment problems, Computing 38, 1987), on rows that are computed on demand: 10,000 pages
 * would fill 800 MB as a matrix.
 *
 * Column prices are dual variables. The search may start from any prices: the result is optimal all the same, only
 * the work differs. So the problem is first solved on every 4th row and column, and the prices found there are
 * interpolated (ours): values of neighbouring gaps and of pages of similar rate differ little. And
 * each search starts from all free rows at once. Measured on rates over three powers of e, seconds of CPU: 2,000
 * pages 0.6 (weighted 1.6), 5,000 2.7 (12.6), 10,000 11 (76). An auction with ε-scaling was tried and was slower: rows
 * beyond hope are nearly interchangeable and outbid each other by next to nothing. So was a core of the 24 best columns
 * per row with pricing of the others (Volgenant 1996): prices of the coarse problem are too rough for it, and rounds of
 * pricing cost what shorter paths saved.
 *
 * Optimality is proven by the result itself: rows' and columns' prices sum to the value of the assignment
 * (`bound`), and no assignment can be worth more than a feasible dual. The tests check that against brute force,
 * an O(n³) textbook Hungarian method and the dual bound.
 */

/** Writes the values of row `row` in columns first, first + step, … into `out` (all of its length). */
export type RowValues = (row: number, first: number, step: number, out: Float64Array) => void;

export interface Assignment {
  /** Column of each row. */
  readonly columns: Int32Array;
  readonly value: number;
  /** Value of the dual solution: never less than that of any assignment; equal to `value` but for rounding. */
  readonly bound: number;
}

/** Below this size a coarse solution costs more than it saves. */
const COARSE_ABOVE = 96;
const COARSENING = 4;
/** Rounds of row reduction before paths are searched. In a round each row bids for its best column at least once. */
const REDUCTION_ROUNDS = 3;
/** A search ends when it has grown by this factor without another row finding a column: the remaining ones are far away. */
const PATIENCE = 1.5;

/**
 * @param order rows such that neighbours have similar values; used only to sample rows for the start prices
 * @param start prices to start from instead
 */
export function assign(
  size: number,
  values: RowValues,
  order?: ArrayLike<number>,
  start?: Float64Array,
): Assignment {
  const rows = order ?? Int32Array.from({ length: size }, (_, i) => i);
  const solver = new Solver(size, (row, out) => values(row, 0, 1, out));
  solver.solve(start ?? coarsePrices(rows, 0, 1, size, values), rows);
  return solver.result();
}

/** Prices for columns first, first + step, … (`count` of them), from the problem on every 4th of them. */
function coarsePrices(
  rows: ArrayLike<number>,
  first: number,
  step: number,
  count: number,
  values: RowValues,
): Float64Array {
  const prices = new Float64Array(count);
  if (count < COARSE_ABOVE) return prices;
  const coarse = Math.floor(count / COARSENING);
  const half = COARSENING / 2;
  const sample = Int32Array.from({ length: coarse }, (_, k) => rows[COARSENING * k + half] as number);
  const from = first + half * step;
  const stride = COARSENING * step;
  const solver = new Solver(coarse, (k, out) => values(sample[k] as number, from, stride, out));
  const positions = Int32Array.from({ length: coarse }, (_, k) => k);
  solver.solve(coarsePrices(sample, from, stride, coarse, values), positions);
  for (let j = 0; j < count; j++) {
    const x = (j - half) / COARSENING;
    const k = Math.min(Math.max(Math.floor(x), 0), coarse - 2);
    prices[j] = cubic(solver.price, k, x - k);
  }
  return prices;
}

/**
 * Catmull-Rom interpolation between k and k + 1. A straight line would not do: values are convex in the gap, so
 * the best columns of all rows would lie at its ends.
 */
function cubic(price: Float64Array, k: number, t: number): number {
  const b = price[k] as number;
  const c = price[k + 1] as number;
  const a = price[k - 1] ?? 2 * b - c;
  const d = price[k + 2] ?? 2 * c - b;
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

/**
 * Invariant: every assigned row is at a column where value − price is the largest of its row. `price` only
 * rises; a column that is not assigned yet may have any price, since in the end all are assigned.
 */
class Solver {
  readonly price: Float64Array;
  readonly #size: number;
  readonly #fill: (row: number, out: Float64Array) => void;
  readonly #columnOf: Int32Array;
  readonly #rowOf: Int32Array;
  readonly #values: Float64Array;

  constructor(size: number, fill: (row: number, out: Float64Array) => void) {
    this.#size = size;
    this.#fill = fill;
    this.price = new Float64Array(size);
    this.#columnOf = new Int32Array(size).fill(-1);
    this.#rowOf = new Int32Array(size).fill(-1);
    this.#values = new Float64Array(size);
  }

  solve(start: Float64Array, rows: ArrayLike<number>): void {
    this.price.set(start);
    if (this.#size === 1) {
      this.#columnOf[0] = 0;
      this.#rowOf[0] = 0;
      return;
    }
    let free: number[] = Array.from(rows);
    for (let round = 0; round < REDUCTION_ROUNDS && free.length > 0; round++) free = this.#reduce(free);
    while (free.length > 0) free = this.#augment(free);
  }

  /** Each free row takes its best column and raises its price up to the second best; the row that had it becomes free. */
  #reduce(free: readonly number[]): number[] {
    const { price } = this;
    const values = this.#values;
    const left: number[] = [];
    // A displaced row may bid at once, but not for ever: bids that raise prices by next to nothing are left to
    // the path search.
    let patience = 2 * free.length;
    for (const first of free) {
      let row = first;
      for (;;) {
        this.#fill(row, values);
        let best = 0;
        let most = Number.NEGATIVE_INFINITY;
        let second = Number.NEGATIVE_INFINITY;
        for (let j = 0; j < values.length; j++) {
          const gain = (values[j] as number) - (price[j] as number);
          if (gain > most) {
            second = most;
            most = gain;
            best = j;
          } else if (gain > second) second = gain;
        }
        const pushed = this.#rowOf[best] as number;
        const rise = most - second;
        if (pushed >= 0 && rise <= 0) {
          left.push(row);
          break;
        }
        price[best] = (price[best] as number) + rise;
        this.#columnOf[row] = best;
        this.#rowOf[best] = row;
        if (pushed < 0) break;
        this.#columnOf[pushed] = -1;
        if (patience-- <= 0) {
          left.push(pushed);
          break;
        }
        row = pushed;
      }
    }
    return left;
  }

  /**
   * Dijkstra from all free rows at once to free columns; along the shortest path of each row that reached one, the
   * rows move on by one column. Trees of different rows share nothing, so many rows are placed per search, where the
   * original places one. Returns the rows still free.
   */
  #augment(free: readonly number[]): number[] {
    const n = this.#size;
    const { price } = this;
    const values = this.#values;
    const rowOf = this.#rowOf;
    const distance = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
    const from = new Int32Array(n);
    const root = new Int32Array(n);
    for (const row of free) this.#reach(row, distance, from, root);
    // columns: [0, ready) have final distances, [ready, scan) are at the current minimum, the rest is open.
    const columns = Int32Array.from({ length: n }, (_, j) => j);
    const goal = new Map<number, number>();
    let ready = 0;
    let scan = 0;
    let minimum = 0;
    let patience = n;
    while (ready < patience && goal.size < free.length) {
      if (ready === scan) {
        minimum = Number.POSITIVE_INFINITY;
        for (let k = scan; k < n; k++) {
          const j = columns[k] as number;
          const d = distance[j] as number;
          if (d > minimum) continue;
          if (d < minimum) {
            scan = ready;
            minimum = d;
          }
          columns[k] = columns[scan] as number;
          columns[scan++] = j;
        }
      }
      const column = columns[ready++] as number;
      const row = rowOf[column] as number;
      const source = root[column] as number;
      if (row < 0) {
        if (!goal.has(source)) {
          goal.set(source, column);
          patience = Math.min(n, Math.ceil(ready * PATIENCE));
        }
        continue;
      }
      this.#fill(row, values);
      const shift = (values[column] as number) - (price[column] as number) + minimum;
      for (let k = scan; k < n; k++) {
        const j = columns[k] as number;
        const d = shift - (values[j] as number) + (price[j] as number);
        if (d >= (distance[j] as number)) continue;
        from[j] = row;
        root[j] = source;
        if (d > minimum) {
          distance[j] = d;
          continue;
        }
        // Rounding may yield a value below the minimum; distances never are.
        distance[j] = minimum;
        columns[k] = columns[scan] as number;
        columns[scan++] = j;
      }
    }
    for (let k = 0; k < ready; k++) {
      const j = columns[k] as number;
      price[j] = (price[j] as number) + minimum - (distance[j] as number);
    }
    for (const [row, column] of goal) this.#move(from, row, column);
    return free.filter((row) => !goal.has(row));
  }

  /** Distance of a column from a free row: what the row loses there against its best column. */
  #reach(row: number, distance: Float64Array, from: Int32Array, root: Int32Array): void {
    const values = this.#values;
    const { price } = this;
    this.#fill(row, values);
    let most = Number.NEGATIVE_INFINITY;
    for (let j = 0; j < values.length; j++) {
      most = Math.max(most, (values[j] as number) - (price[j] as number));
    }
    for (let j = 0; j < values.length; j++) {
      const d = most - (values[j] as number) + (price[j] as number);
      if (d >= (distance[j] as number)) continue;
      distance[j] = d;
      from[j] = row;
      root[j] = row;
    }
  }

  #move(from: Int32Array, start: number, end: number): void {
    for (let column = end; ; ) {
      const row = from[column] as number;
      const next = this.#columnOf[row] as number;
      this.#rowOf[column] = row;
      this.#columnOf[row] = column;
      if (row === start) return;
      column = next;
    }
  }

  result(): Assignment {
    const values = this.#values;
    let value = 0;
    let bound = 0;
    for (let row = 0; row < this.#size; row++) {
      this.#fill(row, values);
      value += values[this.#columnOf[row] as number] as number;
      let most = Number.NEGATIVE_INFINITY;
      for (let j = 0; j < values.length; j++) {
        const gain = (values[j] as number) - (this.price[j] as number);
        if (gain > most) most = gain;
      }
      bound += most + (this.price[row] as number);
    }
    return { columns: this.#columnOf, value, bound };
  }
}
