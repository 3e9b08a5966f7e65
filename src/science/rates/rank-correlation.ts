/** Spearman's rank correlation, with ties sharing their mean rank; 0 where one side is constant. */
export function rankCorrelation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) throw new RangeError(`${a.length} values cannot be compared with ${b.length}`);
  const ra = ranks(a);
  const rb = ranks(b);
  const mean = (a.length - 1) / 2;
  let cross = 0;
  let squareA = 0;
  let squareB = 0;
  for (let i = 0; i < a.length; i++) {
    const x = (ra[i] as number) - mean;
    const y = (rb[i] as number) - mean;
    cross += x * y;
    squareA += x * x;
    squareB += y * y;
  }
  return squareA > 0 && squareB > 0 ? cross / Math.sqrt(squareA * squareB) : 0;
}

function ranks(values: ArrayLike<number>): Float64Array {
  const order = Int32Array.from({ length: values.length }, (_, i) => i);
  order.sort((a, b) => (values[a] as number) - (values[b] as number));
  const result = new Float64Array(values.length);
  for (let i = 0; i < order.length; ) {
    let j = i;
    while (j < order.length && values[order[j] as number] === values[order[i] as number]) j++;
    for (let k = i; k < j; k++) result[order[k] as number] = (i + j - 1) / 2;
    i = j;
  }
  return result;
}
