/**
 * The M best of n scores without sorting n: a radix selection on the bits of the floats finds the M-th, one pass
 * collects what is above it, a radix sort orders those M. All passes are linear.
 *
 * Order: descending score, ties by ascending page number. Scores that are negative or NaN are never taken.
 */
const DIGIT = 11;
const BINS = 1 << DIGIT;

/** Bits of +Infinity: above it are NaN and all negative numbers. */
const INFINITE = 0x7f800000;

export function topPages(scores: Float32Array, count: number): Int32Array {
  // Floats of one sign sort like their bits.
  const bits = new Uint32Array(scores.buffer, scores.byteOffset, scores.length);
  const wanted = Math.floor(count);
  if (!(wanted > 0)) return new Int32Array(0);
  const { limit, ties } = selectBits(bits, wanted);
  return collect(bits, wanted, limit, ties);
}

/** Bits of the M-th greatest score, and how many that equal it belong to the M; limit 0 if there are fewer than M. */
function selectBits(bits: Uint32Array, wanted: number): { readonly limit: number; readonly ties: number } {
  let prefix = 0;
  let left = wanted;
  let among = bits;
  for (const shift of [21, 10, 0]) {
    const digit = shift === 0 ? 1023 : BINS - 1;
    const counts = new Uint32Array(BINS);
    for (let i = 0; i < among.length; i++) {
      const value = among[i] as number;
      if (value > INFINITE) continue;
      const bin = (value >>> shift) & digit;
      counts[bin] = (counts[bin] as number) + 1;
    }
    let bin = digit;
    while (bin > 0 && (counts[bin] as number) < left) left -= counts[bin--] as number;
    prefix = (prefix | (bin << shift)) >>> 0;
    if (shift > 0) among = sharing(among, prefix >>> shift, shift, counts[bin] as number);
  }
  return { limit: prefix, ties: left };
}

/** Those whose upper digits are the ones found so far: the next digit is decided among them alone. */
function sharing(bits: Uint32Array, upper: number, shift: number, count: number): Uint32Array<ArrayBuffer> {
  const result = new Uint32Array(count);
  let place = 0;
  for (let i = 0; i < bits.length; i++) {
    const value = bits[i] as number;
    if (value >>> shift === upper && value <= INFINITE) result[place++] = value;
  }
  return result;
}

function collect(bits: Uint32Array, wanted: number, limit: number, ties: number): Int32Array {
  const pages = new Int32Array(Math.min(wanted, bits.length));
  let place = 0;
  let taken = 0;
  for (let i = 0; i < bits.length; i++) {
    const value = bits[i] as number;
    if (value < limit || value > INFINITE) continue;
    if (value > limit) pages[place++] = i;
    else if (taken < ties) {
      taken++;
      pages[place++] = i;
    }
  }
  return sortByBits(pages.subarray(0, place), bits);
}

/** Least significant digit first: stable, so that pages of equal score stay in order. */
function sortByBits(pages: Int32Array, bits: Uint32Array): Int32Array {
  let from: Int32Array = pages;
  let to: Int32Array = new Int32Array(pages.length);
  for (const shift of [0, 11, 22]) {
    const counts = new Uint32Array(BINS + 1);
    for (let i = 0; i < from.length; i++) {
      const bin = BINS - 1 - (((bits[from[i] as number] as number) >>> shift) & (BINS - 1));
      counts[bin + 1] = (counts[bin + 1] as number) + 1;
    }
    for (let bin = 0; bin < BINS; bin++) {
      counts[bin + 1] = (counts[bin + 1] as number) + (counts[bin] as number);
    }
    for (let i = 0; i < from.length; i++) {
      const page = from[i] as number;
      const bin = BINS - 1 - (((bits[page] as number) >>> shift) & (BINS - 1));
      const place = counts[bin] as number;
      counts[bin] = place + 1;
      to[place] = page;
    }
    [from, to] = [to, from];
  }
  return from;
}
