/** URLs that are remembered. */
const MOST = 100_000;
/** A power of two, less than half full at that number. */
const SLOTS = 1 << 18;

/**
 * Whether a URL came up lately, in bounded memory: hashes of 53 bits in a table with linear probing. At its limit it
 * forgets everything and starts again. Two URLs with the same hash, a chance of one in 10⁶ among this many, are taken
 * for one.
 */
export class SeenUrls {
  readonly #slots = new Float64Array(SLOTS);
  #size = 0;

  /** Returns whether it was there already. */
  add(url: string): boolean {
    const hash = hashOf(url);
    for (let slot = hash % SLOTS; ; slot = (slot + 1) % SLOTS) {
      const held = this.#slots[slot];
      if (held === hash) return true;
      if (held !== 0) continue;
      if (++this.#size > MOST) {
        this.#slots.fill(0);
        this.#size = 1;
      }
      this.#slots[slot] = hash;
      return false;
    }
  }
}

/** FNV-1a twice, with two offsets; never 0, which marks an empty slot. */
function hashOf(text: string): number {
  let a = 0x81_1c_9d_c5;
  let b = 0x9e_37_79_b9;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01_00_01_93);
    b = Math.imul(b ^ unit, 0x01_00_01_93) + 0x3d_4d_51_cb;
  }
  return (mixed(a) >>> 11) * 2 ** 32 + (mixed(b) >>> 0) || 1;
}

/** The lowest bits of FNV depend only on the lowest bits of each character. */
function mixed(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x85_eb_ca_6b);
  return once ^ (once >>> 13);
}
