/**
 * Where a page in its tab is.
 *
 * Its document:    blank ──shows──▶ loading ──loads──▶ loaded
 *                                      └─kept from leaving─▶ interrupted ──stops──▶ loaded
 *
 *   An interrupted document has no load event any more. From each of these the page may be `leaving`: then the next
 *   document shows, and is loading; or the page stays what it was.
 *
 * What it may do:  open ──hold──▶ held ──close──▶ over      held: it may not leave; over: its events are ignored
 * Its scripts:     running ──stopScripts──▶ stopped
 */
type Resting = 'blank' | 'loading' | 'interrupted' | 'loaded';
export type DocumentState = { readonly is: Resting } | { readonly is: 'leaving'; readonly from: Resting };

/** Allowed transitions. */
const FOLLOWS: Readonly<Record<Resting, readonly Resting[]>> = {
  blank: ['loading'],
  loading: ['loading', 'loaded', 'interrupted'],
  interrupted: ['loading', 'loaded'],
  loaded: ['loading'],
};
const PHASES = ['open', 'held', 'over'] as const;

export class PageState {
  #document: DocumentState = { is: 'blank' };
  #phase: (typeof PHASES)[number] = 'open';
  #scripts: 'running' | 'stopped' = 'running';
  readonly #waiters = new Set<() => void>();

  get document(): DocumentState {
    return this.#document;
  }

  /** The main document has begun to show. */
  get isShown(): boolean {
    return this.#base !== 'blank';
  }

  get isLoaded(): boolean {
    return this.#base === 'loaded';
  }

  /** A navigation of the main frame is under way or due soon. */
  get isLeaving(): boolean {
    return this.#document.is === 'leaving';
  }

  get isHeld(): boolean {
    return this.#phase !== 'open';
  }

  get isOver(): boolean {
    return this.#phase === 'over';
  }

  get areScriptsStopped(): boolean {
    return this.#scripts === 'stopped';
  }

  /** A document begins to show: the first, or the next. */
  shows(): void {
    this.#become({ is: 'loading' });
  }

  /** The load event; the one of the initial blank page does not count. */
  loads(): void {
    const base = this.#base;
    if (base !== 'loading' && base !== 'interrupted') return;
    this.#become(this.isLeaving ? { is: 'leaving', from: 'loaded' } : { is: 'loaded' });
  }

  leaves(): void {
    this.#become({ is: 'leaving', from: this.#base });
  }

  keptFromLeaving(): void {
    const base = this.#base;
    this.#become({ is: base === 'loading' ? 'interrupted' : base });
  }

  /** The main frame has stopped loading, whatever the outcome. */
  stops(): void {
    const base = this.#base;
    this.#become({ is: base === 'interrupted' ? 'loaded' : base });
  }

  hold(): void {
    this.#enter('held');
  }

  close(): void {
    this.#enter('over');
    this.#changed();
  }

  /** False if they were already stopped. */
  stopScripts(): boolean {
    const first = this.#scripts === 'running';
    this.#scripts = 'stopped';
    return first;
  }

  /** Resolves when it is true, when the page is over, or after `ms`. */
  async until(isTrue: (state: PageState) => boolean, ms: number): Promise<void> {
    if (isTrue(this) || this.isOver) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiters.delete(check);
        resolve();
      };
      const check = () => {
        if (isTrue(this) || this.isOver) done();
      };
      const timer = setTimeout(done, ms);
      this.#waiters.add(check);
    });
  }

  get #base(): Resting {
    return this.#document.is === 'leaving' ? this.#document.from : this.#document.is;
  }

  #become(next: DocumentState): void {
    const before = this.#base;
    const after = next.is === 'leaving' ? next.from : next.is;
    if (before !== after && !FOLLOWS[before].includes(after))
      throw new Error(`a document that is ${before} cannot become ${after}`);
    this.#document = next;
    this.#changed();
  }

  #enter(next: (typeof PHASES)[number]): void {
    if (PHASES.indexOf(next) <= PHASES.indexOf(this.#phase))
      throw new Error(`a page that is ${this.#phase} cannot become ${next}`);
    this.#phase = next;
  }

  #changed(): void {
    for (const check of [...this.#waiters]) check();
  }
}
