/** Visits that may wait for their commit at once. */
const COMMITS_WAITING = 400;
/** Links that may wait with them, half a second of work: whoever stops the crawl waits for their commit. */
const LINKS_WAITING = 10_000;

/** What is under way: it bounds what is begun, since what waits for a commit holds no worker, but it holds memory. */
export class InHand {
  /** Pieces of work, from claim to commit. */
  active = 0;
  /** How many of them wait for their commit, or for their analysis. */
  committing = 0;
  /** Links in visits that are settled and not yet committed. */
  links = 0;

  mayBegin(workers: number): boolean {
    if (this.committing >= COMMITS_WAITING || this.links >= LINKS_WAITING) return false;
    return this.active - this.committing < workers;
  }

  /** Nothing goes on but commits. */
  get isWaiting(): boolean {
    return this.committing >= this.active;
  }
}
