/**
 * Marks a longest strictly increasing run of `values` (not necessarily adjacent): what kept its order. Patience
 * sorting, O(n log n).
 */
export function longestIncreasing(values: readonly number[]): Uint8Array {
  const kept = new Uint8Array(values.length);
  let sorted = true;
  for (let i = 1; i < values.length && sorted; i++)
    sorted = (values[i - 1] as number) < (values[i] as number);
  if (sorted) return kept.fill(1);
  const before = new Int32Array(values.length);
  /** For each length, the index where the run of that length with the smallest end ends. */
  const ends: number[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] as number] as number) < value) low = middle + 1;
      else high = middle;
    }
    before[i] = low === 0 ? -1 : (ends[low - 1] as number);
    ends[low] = i;
  }
  for (let i = ends.at(-1) ?? -1; i !== -1; i = before[i] as number) kept[i] = 1;
  return kept;
}
