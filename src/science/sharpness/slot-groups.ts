/**
 * Assigns items to groups of limited room at the least cost: a transportation problem, by successive shortest paths.
 *
 * Each item is placed by the cheapest chain of moves (it takes a place in one group, whose cheapest item moves on to
 * the next, …, up to a group with room); chains are paths over the groups, found by the Bellman-Ford method with
 * a queue. After each item the placement is optimal for the items placed so far. With n items and k groups about
 * O(n·k²): far less than an assignment of n items to n places where k is small.
 */

/** @returns the group of each item; there must be room for all */
export function fillGroups(costs: readonly Float64Array[], room: ArrayLike<number>): Int32Array {
  const groups = new Groups(costs, room);
  for (let item = 0; item < costs.length; item++) groups.place(item);
  return groups.groupOf;
}

/** Factor by which the smallest gain considered grows when the search goes round in circles. */
const COARSER = 1_000;

class Groups {
  readonly groupOf: Int32Array;
  readonly #costs: readonly Float64Array[];
  readonly #room: ArrayLike<number>;
  readonly #size: number;
  readonly #members: number[][];
  /** Least cost of moving an item from group g to h, at g·k + h, and which item that is. */
  readonly #move: Float64Array;
  readonly #mover: Int32Array;
  /** Gains below this are rounding, and would send the search round in circles. */
  readonly #rounding: number;

  constructor(costs: readonly Float64Array[], room: ArrayLike<number>) {
    this.#costs = costs;
    this.#room = room;
    this.#size = room.length;
    this.groupOf = new Int32Array(costs.length).fill(-1);
    this.#members = Array.from({ length: room.length }, () => []);
    this.#move = new Float64Array(room.length ** 2).fill(Number.POSITIVE_INFINITY);
    this.#mover = new Int32Array(room.length ** 2);
    let largest = 0;
    for (const row of costs) for (const cost of row) largest = Math.max(largest, Math.abs(cost));
    this.#rounding = largest * 1e-12;
  }

  place(item: number): void {
    // Nearly identical items leave gains as small as rounding, and the search would go round in circles: then small gains are ignored.
    let rounding = this.#rounding;
    while (!this.#placeWithin(item, rounding)) rounding *= COARSER;
  }

  /** False where gains of more than `rounding` go round in circles: Bellman-Ford needs no more than k² steps. */
  #placeWithin(item: number, rounding: number): boolean {
    const k = this.#size;
    const distance = Float64Array.from(this.#costs[item] as Float64Array);
    const from = new Int32Array(k).fill(-1);
    const queue = Array.from({ length: k }, (_, g) => g).filter(
      (g) => (this.#members[g] as number[]).length > 0,
    );
    const waiting = new Uint8Array(k);
    for (const g of queue) waiting[g] = 1;
    for (let head = 0; head < queue.length; head++) {
      if (head > k * k) return false;
      const g = queue[head] as number;
      waiting[g] = 0;
      const reached = distance[g] as number;
      for (let h = 0; h < k; h++) {
        const d = reached + (this.#move[g * k + h] as number);
        if (d >= (distance[h] as number) - rounding) continue;
        distance[h] = d;
        from[h] = g;
        if (waiting[h] === 0 && (this.#members[h] as number[]).length > 0) {
          waiting[h] = 1;
          queue.push(h);
        }
      }
    }
    this.#chain(item, this.#nearestRoom(distance), from);
    return true;
  }

  #nearestRoom(distance: Float64Array): number {
    let best = -1;
    for (let g = 0; g < this.#size; g++) {
      if ((this.#members[g] as number[]).length >= (this.#room[g] as number)) continue;
      if (best < 0 || (distance[g] as number) < (distance[best] as number)) best = g;
    }
    if (best < 0) throw new RangeError('more items than room');
    return best;
  }

  #chain(item: number, end: number, from: Int32Array): void {
    const moves: (readonly [item: number, to: number])[] = [];
    let to = end;
    for (let g = from[to] as number; g >= 0; to = g, g = from[to] as number) {
      moves.push([this.#mover[g * this.#size + to] as number, to]);
    }
    moves.push([item, to]);
    for (const [moved, group] of moves) {
      const before = this.groupOf[moved] as number;
      if (before >= 0)
        (this.#members[before] as number[]).splice((this.#members[before] as number[]).indexOf(moved), 1);
      (this.#members[group] as number[]).push(moved);
      this.groupOf[moved] = group;
    }
    for (const [, group] of moves) this.#measureMoves(group);
  }

  #measureMoves(g: number): void {
    const k = this.#size;
    const least = this.#move.subarray(g * k, g * k + k).fill(Number.POSITIVE_INFINITY);
    for (const item of this.#members[g] as number[]) {
      const costs = this.#costs[item] as Float64Array;
      const here = costs[g] as number;
      for (let h = 0; h < k; h++) {
        const cost = (costs[h] as number) - here;
        if (cost >= (least[h] as number)) continue;
        least[h] = cost;
        this.#mover[g * k + h] = item;
      }
    }
  }
}
