import type { DirectoryHistory } from './directory-history.ts';
import type { PlannedReason } from './skip-plan.ts';

/**
 * Whether the directories that a rule assumes to change did so in this crawl. A crawl visits what its plan does not leave
 * out, reports each page here, and trusts a skip by a rule only once `holds` says so; otherwise it visits the directory
 * after all.
 *
 * The degree of change is changed pages seen so far over all known ones: a page not visited yet counts as
 * unchanged, so looking further can only raise it.
 */
export class HeadCheck {
  readonly #history: DirectoryHistory;
  readonly #changed = new Map<number, number>();
  readonly #inserted = new Map<number, number>();
  /** Nodes of each subtree in the last version: its pages and directories. */
  readonly #nodes: Int32Array;

  constructor(history: DirectoryHistory) {
    this.#history = history;
    this.#nodes = history.subtreeNodes();
  }

  /** Takes in a page as this crawl found it; without a digest: gone. Called once per page. */
  see(url: string, digest?: string): void {
    const change = this.#history.changeOf(url, digest);
    if (change === 'same') return;
    let at = this.#history.nearestDirectory(url);
    while (at >= 0) {
      this.#changed.set(at, (this.#changed.get(at) ?? 0) + 1);
      if (change === 'inserted') this.#inserted.set(at, (this.#inserted.get(at) ?? 0) + 1);
      at = this.#history.tree.parent(at);
    }
  }

  /** Changed nodes of its subtree seen so far ÷ all that are known (Def. 1). */
  degreeOfChange(directory: string): number {
    const id = this.#history.tree.find(directory);
    if (id === undefined) return 0;
    const nodes = (this.#nodes[id] ?? 0) + (this.#inserted.get(id) ?? 0);
    return nodes === 0 ? 0 : (this.#changed.get(id) ?? 0) / nodes;
  }

  /** Reasons other than rules assume nothing about other directories. */
  holds(reason: PlannedReason): boolean {
    if (reason.kind !== 'near' && reason.kind !== 'relaxed-near') return true;
    return reason.head.every((directory) => this.degreeOfChange(directory) >= reason.alpha);
  }
}
