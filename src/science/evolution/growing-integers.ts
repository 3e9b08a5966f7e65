/** Integers in an array that grows by doubling: a tree of a million nodes must not be a million objects. */
export class GrowingIntegers {
  values = new Int32Array(64);

  /** Makes room for `length` numbers; new ones are 0. */
  reserve(length: number): Int32Array {
    if (length > this.values.length) {
      const longer = new Int32Array(Math.max(length, this.values.length * 2));
      longer.set(this.values);
      this.values = longer;
    }
    return this.values;
  }
}
