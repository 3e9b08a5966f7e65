const LF = 10;
const CR = 13;

/**
 * Gathers the bytes of a message head up to its empty line. A head that comes in one piece (nearly all) is
 * never copied; one that trickles in byte by byte is scanned once, not once per byte.
 */
export class HeadBuffer {
  private bytes: Buffer | undefined;
  private length = 0;
  private lineStart = 0;

  /** Bytes held and not yet returned. */
  get size(): number {
    return this.length;
  }

  add(piece: Buffer): void {
    if (this.bytes === undefined || this.length === 0) {
      this.bytes = piece;
      this.length = piece.length;
      return;
    }
    const needed = this.length + piece.length;
    if (needed > this.bytes.length || this.length === this.bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, this.length * 2));
      this.bytes.copy(grown, 0, 0, this.length);
      this.bytes = grown;
    }
    piece.copy(this.bytes, this.length);
    this.length = needed;
  }

  /**
   * The next head, empty line included, or undefined while it is incomplete. Empty lines before it are
   * skipped.
   */
  next(): Buffer | undefined {
    for (;;) {
      const { bytes } = this;
      if (bytes === undefined) return undefined;
      const lf = bytes.indexOf(LF, this.lineStart);
      if (lf < 0 || lf >= this.length) return undefined;
      const isEmpty = lf === this.lineStart || (lf === this.lineStart + 1 && bytes[this.lineStart] === CR);
      if (isEmpty && this.lineStart > 0) return this.cut(lf + 1);
      if (isEmpty) this.cut(lf + 1);
      else this.lineStart = lf + 1;
    }
  }

  /** Returns what follows the heads taken so far, and forgets it. */
  rest(): Buffer {
    const rest = this.peek();
    this.bytes = undefined;
    this.length = 0;
    this.lineStart = 0;
    return rest;
  }

  peek(): Buffer {
    return this.bytes?.subarray(0, this.length) ?? Buffer.alloc(0);
  }

  private cut(end: number): Buffer {
    const { bytes } = this;
    if (bytes === undefined) return Buffer.alloc(0);
    const head = bytes.subarray(0, end);
    this.bytes = bytes.subarray(end, this.length);
    this.length -= end;
    this.lineStart = 0;
    return head;
  }
}
