/**
 * The detected pages of a crawl, sorted by change rate: add one, take the k-th coldest; both O(log n).
 *
 * A treap with subtree sizes. Priorities come from a hash of the insertion number, so the shape, and the result,
 * are the same every time; no adversary chooses insertion numbers. Equal rates keep their order of arrival.
 */
export class RateBag {
  readonly #rate: number[] = [];
  readonly #page: number[] = [];
  readonly #priority: number[] = [];
  readonly #left: number[] = [];
  readonly #right: number[] = [];
  readonly #count: number[] = [];
  #root = -1;

  get size(): number {
    return this.#sizeOf(this.#root);
  }

  add(page: number, rate: number): void {
    const node = this.#rate.length;
    this.#rate.push(rate);
    this.#page.push(page);
    this.#priority.push(hash(node));
    this.#left.push(-1);
    this.#right.push(-1);
    this.#count.push(1);
    this.#root = this.#insert(this.#root, node);
  }

  /** Removes and returns the page of the k-th lowest rate, 0 the coldest. */
  takeAt(index: number): number {
    if (!(index >= 0 && index < this.size)) throw new RangeError(`no page ${index} in a bag of ${this.size}`);
    let taken = -1;
    const remove = (node: number, k: number): number => {
      const left = this.#left[node] as number;
      const right = this.#right[node] as number;
      const before = this.#sizeOf(left);
      if (k === before) {
        taken = this.#page[node] as number;
        return this.#merge(left, right);
      }
      if (k < before) this.#left[node] = remove(left, k);
      else this.#right[node] = remove(right, k - before - 1);
      (this.#count[node] as number)--;
      return node;
    };
    this.#root = remove(this.#root, index);
    return taken;
  }

  #sizeOf(node: number): number {
    return node < 0 ? 0 : (this.#count[node] as number);
  }

  #recount(node: number): void {
    this.#count[node] =
      1 + this.#sizeOf(this.#left[node] as number) + this.#sizeOf(this.#right[node] as number);
  }

  #insert(root: number, node: number): number {
    if (root < 0) return node;
    const goesLeft = (this.#rate[node] as number) < (this.#rate[root] as number);
    if ((this.#priority[node] as number) > (this.#priority[root] as number)) {
      const [low, high] = this.#split(root, this.#rate[node] as number);
      this.#left[node] = low;
      this.#right[node] = high;
      this.#recount(node);
      return node;
    }
    if (goesLeft) this.#left[root] = this.#insert(this.#left[root] as number, node);
    else this.#right[root] = this.#insert(this.#right[root] as number, node);
    (this.#count[root] as number)++;
    return root;
  }

  /** Rates up to and including `rate` to the left: the newcomer comes after its equals. */
  #split(root: number, rate: number): [number, number] {
    if (root < 0) return [-1, -1];
    if ((this.#rate[root] as number) <= rate) {
      const [low, high] = this.#split(this.#right[root] as number, rate);
      this.#right[root] = low;
      this.#recount(root);
      return [root, high];
    }
    const [low, high] = this.#split(this.#left[root] as number, rate);
    this.#left[root] = high;
    this.#recount(root);
    return [low, root];
  }

  #merge(low: number, high: number): number {
    if (low < 0) return high;
    if (high < 0) return low;
    if ((this.#priority[low] as number) > (this.#priority[high] as number)) {
      this.#right[low] = this.#merge(this.#right[low] as number, high);
      this.#recount(low);
      return low;
    }
    this.#left[high] = this.#merge(low, this.#left[high] as number);
    this.#recount(high);
    return high;
  }
}

function hash(x: number): number {
  let h = Math.imul(x + 0x9e3779b9, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
