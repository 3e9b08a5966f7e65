/** A Float64Array or Int32Array that grows by doubling: a tree of a million nodes is no million objects. */
type Numbers = Int32Array | Float64Array;

export class GrowingArray<T extends Numbers> {
  values: T;
  readonly #make: (length: number) => T;

  constructor(make: (length: number) => T) {
    this.#make = make;
    this.values = make(64);
  }

  /** Room for `length` numbers; new ones are 0. */
  reserve(length: number): T {
    if (length > this.values.length) {
      const longer = this.#make(Math.max(length, this.values.length * 2));
      longer.set(this.values as never);
      this.values = longer;
    }
    return this.values;
  }
}

export const growingIntegers = () => new GrowingArray((length) => new Int32Array(length));
export const growingNumbers = () => new GrowingArray((length) => new Float64Array(length));
