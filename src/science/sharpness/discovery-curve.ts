/**
 * The size of a site that is discovered on the way, estimated from what downloads revealed: a page d links from the
 * seeds gives on average m_d new pages, so the waiting pages will lead to Σ m_d·(1 + m_{d+1}·(1 + …)) more. A first
 * guess counts as a few downloads' worth of evidence about m_d, and fades. Pages that were known before the crawl wait like
 * others, and say nothing about m_d: no download revealed them.
 */

/** Number of downloads per depth that the first guess counts as. */
const GUESS_WEIGHT = 4;
const MAX_DEPTH = 32;

export class DiscoveryCurve {
  readonly #detectedAt = new Float64Array(MAX_DEPTH + 2);
  readonly #downloadedAt = new Float64Array(MAX_DEPTH + 2);
  /** How many of the detected pages were known before. */
  readonly #knownAt = new Float64Array(MAX_DEPTH + 2);
  /** Number of pages the site was believed to have before the crawl. */
  readonly guess: number;
  #known = 0;
  #downloaded = 0;

  constructor(guess: number) {
    this.guess = guess;
  }

  get downloaded(): number {
    return this.#downloaded;
  }

  detect(depth: number, pages = 1): void {
    const level = Math.min(depth, MAX_DEPTH);
    this.#detectedAt[level] = (this.#detectedAt[level] as number) + pages;
    this.#known += pages;
  }

  /** Pages that were known before the crawl; they count as detected. */
  know(depth: number, pages = 1): void {
    this.detect(depth, pages);
    const level = Math.min(depth, MAX_DEPTH);
    this.#knownAt[level] = (this.#knownAt[level] as number) + pages;
  }

  download(depth: number, pages = 1): void {
    const level = Math.min(depth, MAX_DEPTH);
    this.#downloadedAt[level] = (this.#downloadedAt[level] as number) + pages;
    this.#downloaded += pages;
  }

  /** Pages of the site, known and expected. */
  estimate(): number {
    const waiting = this.#known - this.#downloaded;
    // Number of pages that each waiting page will lead to, by the guess.
    const guessed = Math.max(0, this.guess - this.#known) / Math.max(1, waiting);
    let more = 0;
    let below = 0;
    for (let depth = MAX_DEPTH; depth >= 0; depth--) {
      const seen = this.#downloadedAt[depth] as number;
      const found = (this.#detectedAt[depth + 1] as number) - (this.#knownAt[depth + 1] as number);
      const children = found / Math.max(1, seen);
      const evidence = seen / (seen + GUESS_WEIGHT);
      const descendants = evidence * children * (1 + below) + (1 - evidence) * guessed;
      more += ((this.#detectedAt[depth] as number) - seen) * descendants;
      below = Math.min(descendants, 1e6);
    }
    return this.#known + Math.max(0, more);
  }
}
