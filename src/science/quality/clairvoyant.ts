/**
 * The clairvoyant optimum: the most weight any schedule could have captured, had it known every change. It is
 * the limit that policies are measured against.
 *
 * Each version is a unit job that may be done in one of the ticks of its life; tick k has room for `capacity[k]`
 * jobs. The sets of jobs that can be done together are the independent sets of a transversal matroid, so
 * taking jobs by descending weight, each if it still fits, is exact (Edmonds 1971). Whether one fits is decided by
 * an augmenting path: windows are intervals, so what a path can reach from a window is itself an interval that
 * grows by the windows of the jobs placed in it until it contains a free place, or is closed. A closed interval is
 * full for good (its jobs span it), so every later job inside it is refused at once: this is Hall's condition
 * on intervals, kept as a partition of the ticks instead of a table of all pairs.
 *
 * Cost: each refused window merges ticks or is found closed; each path shifts one job per tick on it.
 * Rejected: a table of slack for all pairs of ticks (ticks² per accepted job), an assignment solver (cubic).
 */

export interface Job {
  /** First and last tick at which the version is live, both included. */
  readonly first: number;
  readonly last: number;
  readonly weight: number;
}

export interface ClairvoyantSchedule {
  /** Σ weight of the jobs done. */
  readonly weight: number;
  /** Tick of each job; -1 where it is left out. */
  readonly tick: Int32Array;
}

export function clairvoyantSchedule(jobs: readonly Job[], capacity: ArrayLike<number>): ClairvoyantSchedule {
  const ticks = capacity.length;
  const tick = new Int32Array(jobs.length).fill(-1);
  const board = new Board(jobs, capacity);
  const order = jobs
    .map((_, index) => index)
    .filter((index) => {
      const job = jobs[index] as Job;
      return job.weight > 0 && job.last >= Math.max(0, job.first) && job.first < ticks;
    })
    // Jobs of equal weight keep their order: which of them sits where does not change the sum.
    .sort((a, b) => (jobs[b] as Job).weight - (jobs[a] as Job).weight || a - b);
  let weight = 0;
  for (const index of order) if (board.place(index)) weight += (jobs[index] as Job).weight;
  for (let k = 0; k < ticks; k++) for (const index of board.at(k)) tick[index] = k;
  return { weight, tick };
}

/** Which jobs are in which tick. */
class Board {
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  readonly #sitting: number[][];
  readonly #room: Int32Array;
  /** Next tick at or after this one with a free place (path-compressed); `ticks` for none. */
  readonly #free: Int32Array;
  /** Ticks in one closed interval share its ends: closedFrom..closedTo; from > to where open. */
  readonly #closedFrom: Int32Array;
  readonly #closedTo: Int32Array;
  /** Ends of the windows of the jobs placed in a tick. */
  readonly #reachFrom: Int32Array;
  readonly #reachTo: Int32Array;
  readonly #ticks: number;

  constructor(jobs: readonly Job[], capacity: ArrayLike<number>) {
    this.#ticks = capacity.length;
    this.#first = Int32Array.from(jobs, (job) => Math.max(0, job.first));
    this.#last = Int32Array.from(jobs, (job) => Math.min(capacity.length - 1, job.last));
    this.#sitting = Array.from({ length: this.#ticks }, () => []);
    this.#room = Int32Array.from({ length: this.#ticks }, (_, k) =>
      Math.max(0, Math.floor(capacity[k] ?? 0)),
    );
    this.#free = Int32Array.from({ length: this.#ticks + 1 }, (_, k) => k);
    this.#closedFrom = new Int32Array(this.#ticks).fill(this.#ticks);
    this.#closedTo = new Int32Array(this.#ticks).fill(-1);
    this.#reachFrom = Int32Array.from({ length: this.#ticks }, (_, k) => k);
    this.#reachTo = Int32Array.from({ length: this.#ticks }, (_, k) => k);
    for (let k = 0; k < this.#ticks; k++) if (this.#room[k] === 0) this.#free[k] = k + 1;
  }

  at(tick: number): readonly number[] {
    return this.#sitting[tick] ?? [];
  }

  /** Puts the job into a tick, moving others if necessary; false if there is no place. */
  place(job: number): boolean {
    const first = this.#first[job] as number;
    const last = this.#last[job] as number;
    const direct = this.#nextFree(first);
    if (direct <= last) {
      this.#seat(job, direct);
      return true;
    }
    if ((this.#closedFrom[first] as number) <= first && (this.#closedTo[first] as number) >= last)
      return false;
    return this.#augment(job, first, last);
  }

  #augment(job: number, first: number, last: number): boolean {
    // Breadth first over ticks; `via` is the tick from whose jobs a tick was reached.
    const via = new Map<number, number>();
    let from = first;
    let to = last;
    const queue: number[] = [];
    for (let k = first; k <= last; k++) {
      queue.push(k);
      via.set(k, -1);
    }
    for (let head = 0; head < queue.length; head++) {
      const k = queue[head] as number;
      const left = this.#reachFrom[k] as number;
      const right = this.#reachTo[k] as number;
      for (let j = to + 1; j <= right; j++)
        if (this.#reach(j, k, via, queue)) return this.#shift(job, j, via);
      if (right > to) to = right;
      for (let j = from - 1; j >= left; j--)
        if (this.#reach(j, k, via, queue)) return this.#shift(job, j, via);
      if (left < from) from = left;
    }
    for (let k = from; k <= to; k++) {
      this.#closedFrom[k] = from;
      this.#closedTo[k] = to;
    }
    return false;
  }

  #reach(tick: number, from: number, via: Map<number, number>, queue: number[]): boolean {
    via.set(tick, from);
    queue.push(tick);
    return (this.#sitting[tick] as number[]).length < (this.#room[tick] as number);
  }

  /** Moves one job along the path into the free place at its end, then seats the new job at its start. */
  #shift(job: number, end: number, via: Map<number, number>): boolean {
    let hole = end;
    for (;;) {
      const from = via.get(hole) as number;
      if (from < 0) break;
      const mover = this.#moverTo(from, hole);
      this.#unseat(mover, from);
      this.#seat(mover, hole);
      hole = from;
    }
    this.#seat(job, hole);
    return true;
  }

  #moverTo(from: number, to: number): number {
    for (const job of this.#sitting[from] as number[]) {
      if ((this.#first[job] as number) <= to && (this.#last[job] as number) >= to) return job;
    }
    throw new Error(`no job at tick ${from} can move to tick ${to}`);
  }

  #seat(job: number, tick: number): void {
    const sitting = this.#sitting[tick] as number[];
    sitting.push(job);
    this.#reachFrom[tick] = Math.min(this.#reachFrom[tick] as number, this.#first[job] as number);
    this.#reachTo[tick] = Math.max(this.#reachTo[tick] as number, this.#last[job] as number);
    if (sitting.length >= (this.#room[tick] as number)) this.#free[tick] = tick + 1;
  }

  #unseat(job: number, tick: number): void {
    const sitting = this.#sitting[tick] as number[];
    sitting[sitting.indexOf(job)] = sitting[sitting.length - 1] as number;
    sitting.pop();
    let from = tick;
    let to = tick;
    for (const other of sitting) {
      from = Math.min(from, this.#first[other] as number);
      to = Math.max(to, this.#last[other] as number);
    }
    this.#reachFrom[tick] = from;
    this.#reachTo[tick] = to;
  }

  /** A full tick never becomes free again: paths end in free places and fill them. */
  #nextFree(tick: number): number {
    let root = tick;
    while (this.#free[root] !== root) root = this.#free[root] as number;
    for (let k = tick; k !== root; ) {
      const next = this.#free[k] as number;
      this.#free[k] = root;
      k = next;
    }
    return root;
  }
}
