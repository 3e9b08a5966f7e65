/**
 * The ids of blocks and elements: SHA-256 (FIPS 180-4) of their content, cut to 128 bits, as 32 hex digits.
 *
 * A page is hostile input. With a fast non-cryptographic hash, an author could write new content with the id of the
 * old, and the change would go unseen; so ids must be collision-free against an author who knows the code (2^64 tries
 * here). A secret key would allow a faster hash, but then layouts of two archives could not be compared. Written out in
 * plain TypeScript because science imports nothing: the platforms' own digests are asynchronous (browsers) or Node's
 * alone.
 */

// Round constants: fractional parts of the cube roots of the first 64 primes; computed, so that no digit can be
// mistyped.
const ROUND = new Int32Array(64);
const START = new Int32Array(8);
for (let n = 2, found = 0; found < 64; n++) {
  let prime = true;
  for (let d = 2; d * d <= n && prime; d++) prime = n % d !== 0;
  if (!prime) continue;
  if (found < 8) START[found] = fractionBits(n, 2n);
  ROUND[found++] = fractionBits(n, 3n);
}

/** The first 32 bits of the fraction of the k-th root of n, by integer arithmetic: floor(root(n · 2^(32k))) mod 2^32. */
function fractionBits(n: number, k: bigint): number {
  const target = BigInt(n) << (32n * k);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** k <= target) low = middle;
    else high = middle;
  }
  return Number(BigInt.asIntN(32, low));
}

// One call at a time (the code is synchronous), so the working memory is shared and nothing is allocated per id.
const schedule = new Int32Array(64);
const state = new Int32Array(8);
let bytes = new Uint8Array(4096);

function compress(offset: number): void {
  const w = schedule;
  for (let t = 0, i = offset; t < 16; t++, i += 4) {
    w[t] =
      ((bytes[i] as number) << 24) |
      ((bytes[i + 1] as number) << 16) |
      ((bytes[i + 2] as number) << 8) |
      (bytes[i + 3] as number);
  }
  for (let t = 16; t < 64; t++) {
    const x = w[t - 15] as number;
    const y = w[t - 2] as number;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[t] = ((w[t - 16] as number) + s0 + (w[t - 7] as number) + s1) | 0;
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let t = 0; t < 64; t++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND[t] as number) + (w[t] as number)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
  state[5] = (state[5] as number) + f;
  state[6] = (state[6] as number) + g;
  state[7] = (state[7] as number) + h;
}

/**
 * UTF-8 into `bytes`, with room for the padding. A lone surrogate is written as its own three bytes (WTF-8);
 * TextEncoder would turn each into U+FFFD and so give different texts the same id.
 */
function encode(text: string): number {
  if (bytes.length < text.length * 3 + 72) bytes = new Uint8Array(text.length * 6 + 72);
  const out = bytes;
  let n = 0;
  for (let i = 0; i < text.length; i++) {
    let c = text.charCodeAt(i);
    if (c < 0x80) {
      out[n++] = c;
      continue;
    }
    if (c >= 0xd800 && c < 0xdc00) {
      const next = text.charCodeAt(i + 1);
      if (next >= 0xdc00 && next < 0xe000) {
        c = 0x10000 + ((c - 0xd800) << 10) + (next - 0xdc00);
        i++;
      }
    }
    if (c < 0x800) out[n++] = 0xc0 | (c >> 6);
    else {
      if (c < 0x10000) out[n++] = 0xe0 | (c >> 12);
      else {
        out[n++] = 0xf0 | (c >> 18);
        out[n++] = 0x80 | ((c >> 12) & 63);
      }
      out[n++] = 0x80 | ((c >> 6) & 63);
    }
    out[n++] = 0x80 | (c & 63);
  }
  return n;
}

function digest(text: string): void {
  const length = encode(text);
  const end = ((length + 8) >> 6) * 64 + 64;
  bytes.fill(0, length, end);
  bytes[length] = 0x80;
  const bits = length * 8;
  // The length in bits is 64 bits wide; strings stay under 2^53.
  for (let i = 0, high = Math.floor(bits / 0x1_0000_0000); i < 4; i++) {
    bytes[end - 8 + i] = high >>> (24 - 8 * i);
    bytes[end - 4 + i] = bits >>> (24 - 8 * i);
  }
  state.set(START);
  for (let offset = 0; offset < end; offset += 64) compress(offset);
  // A data: URL can be megabytes; the memory for one is released.
  if (bytes.length > 1 << 20) bytes = new Uint8Array(4096);
}

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');

/** The full 256 bits, in hex. */
export function sha256(text: string): string {
  digest(text);
  return Array.from(state, hex).join('');
}

/** 128 bits of SHA-256 over a kind and its fields; each field is preceded by its length, so fields cannot run together. */
export function contentId(kind: string, ...fields: readonly string[]): string {
  let input = kind;
  for (const field of fields) input += `\n${field.length}:${field}`;
  digest(input);
  return (
    hex(state[0] as number) + hex(state[1] as number) + hex(state[2] as number) + hex(state[3] as number)
  );
}
