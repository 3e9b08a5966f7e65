/** Solves Ax = b for x by Cholesky; A symmetric and positive definite, row by row; only its lower half is read. */
export function solvePositive(matrix: Float64Array, right: Float64Array): Float64Array {
  const size = right.length;
  const lower = Float64Array.from(matrix);
  const at = (i: number, j: number): number => lower[i * size + j] as number;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = at(i, j);
      for (let k = 0; k < j; k++) sum -= at(i, k) * at(j, k);
      lower[i * size + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / at(j, j);
    }
  }
  const solution = Float64Array.from(right);
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < i; k++) solution[i] = (solution[i] as number) - at(i, k) * (solution[k] as number);
    solution[i] = (solution[i] as number) / at(i, i);
  }
  for (let i = size - 1; i >= 0; i--) {
    for (let k = i + 1; k < size; k++)
      solution[i] = (solution[i] as number) - at(k, i) * (solution[k] as number);
    solution[i] = (solution[i] as number) / at(i, i);
  }
  return solution;
}
