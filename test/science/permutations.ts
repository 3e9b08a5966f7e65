/** All orders of 0 … n − 1 (Heap's algorithm); the array that is given is the same each time. */
export function* permutations(n: number): Generator<number[]> {
  const a = Array.from({ length: n }, (_, i) => i);
  const c = new Array(n).fill(0);
  yield a;
  for (let i = 0; i < n; ) {
    if (c[i] < i) {
      const k = i % 2 === 0 ? 0 : c[i];
      [a[k], a[i]] = [a[i] as number, a[k] as number];
      yield a;
      c[i]++;
      i = 0;
    } else c[i++] = 0;
  }
}
