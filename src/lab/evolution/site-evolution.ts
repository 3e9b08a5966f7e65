/** The versions of a site, compared once; rules are then mined and tried on any window of them. */
import { DeltaTree } from '../../science/evolution/delta-tree.ts';
import { type MiningThresholds, mineRules, type NegativeRule } from '../../science/evolution/near-miner.ts';
import { sitePath } from '../../science/evolution/site-path.ts';
import type { SkippedAndKept } from '../../science/evolution/skip-quality.ts';
import { type RuleSkip, warm } from '../../science/evolution/warm.ts';
import type { VersionPage } from '../../science/evolution/wd-diff.ts';

/** By directory number: its own pages in the new version, and what happened to them. */
interface OwnPages {
  readonly pages: Int32Array;
  readonly inserted: Int32Array;
  readonly deleted: Int32Array;
  readonly updated: Int32Array;
}

/** Version numbers count from 0. */
export interface TrainingWindow {
  readonly from: number;
  /** Number of versions from which rules are mined. */
  readonly train: number;
}

export class SiteEvolution {
  readonly deltas = new DeltaTree();
  readonly #transitions: OwnPages[] = [];
  /** Directories known after each version. */
  readonly #known: number[] = [];
  readonly #directories = new Map<string, number>();
  #last = new Map<string, string>();

  constructor(versions: Iterable<readonly VersionPage[]> = []) {
    for (const pages of versions) this.add(pages);
  }

  get versions(): number {
    return this.#known.length;
  }

  /** Number of pages in the last version. */
  get pages(): number {
    return this.#last.size;
  }

  /** Pages whose address is a directory's except for the slash: they are two nodes. */
  get pagesAndDirectories(): number {
    return [...this.#directories.keys()].filter(
      (url) => this.deltas.tree.find(`${pathOf(url)}/`) !== undefined,
    ).length;
  }

  add(pages: readonly VersionPage[]): void {
    this.deltas.add(pages);
    const { size } = this.deltas.tree;
    const array = (): Int32Array => new Int32Array(size);
    const own: OwnPages = { pages: array(), inserted: array(), deleted: array(), updated: array() };
    const now = new Map<string, string>();
    const count = (counts: Int32Array, url: string): void => {
      const directory = this.#directoryOf(url);
      counts[directory] = (counts[directory] as number) + 1;
    };
    for (const { url, digest } of pages) {
      now.set(url, digest);
      count(own.pages, url);
      const before = this.#last.get(url);
      if (before === undefined) count(own.inserted, url);
      else if (before !== digest) count(own.updated, url);
    }
    for (const url of this.#last.keys()) if (!now.has(url)) count(own.deleted, url);
    if (this.#known.length > 0) this.#transitions.push(own);
    this.#known.push(size);
    this.#last = now;
  }

  #directoryOf(url: string): number {
    const known = this.#directories.get(url) ?? this.deltas.tree.idOf(sitePath(url).directory);
    this.#directories.set(url, known);
    return known;
  }

  /** Directories known after this version: those with numbers below the result. */
  knownAfter(version: number): number {
    return this.#known[version] ?? 0;
  }

  /** Rules from versions [from, from + train), for directories known by then. */
  mine({ from, train }: TrainingWindow, thresholds: MiningThresholds): NegativeRule[] {
    const rules = mineRules(this.deltas, thresholds, { from, to: from + train - 1 });
    const known = this.knownAfter(from + train - 1);
    return rules.filter(({ tail }) => tail < known);
  }

  /** Whether every directory in the head changed significantly in the transition to this version. */
  headsChanged({ head }: NegativeRule, version: number, alpha: number): boolean {
    return head.every((id) => this.deltas.degreeOfChange(id, version - 1) >= alpha);
  }

  warm(rules: Iterable<NegativeRule>, target = 0): RuleSkip[] {
    return warm(target, this.deltas.tree, rules);
  }

  /** What skipping these directories in this version saves and loses, compared with the previous version. */
  outcome(version: number, skips: Iterable<{ readonly directory: number }>): SkippedAndKept {
    const own = this.#transitions[version - 1];
    if (!own) throw new RangeError(`there is no version before version ${version}`);
    const { tree } = this.deltas;
    const isSkipped = new Uint8Array(own.pages.length);
    for (const { directory } of skips) if (directory < isSkipped.length) isSkipped[directory] = 1;
    const counts = { pages: 0, skipped: 0, changed: 0 };
    const missed = { missedInsertions: 0, missedDeletions: 0, missedUpdates: 0 };
    for (let id = 0; id < isSkipped.length; id++) {
      // Parents come before their children.
      if (id > 0 && isSkipped[tree.parent(id)] === 1) isSkipped[id] = 1;
      const [pages, inserted, deleted, updated] = [own.pages, own.inserted, own.deleted, own.updated].map(
        (of) => of[id] as number,
      ) as [number, number, number, number];
      counts.pages += pages;
      counts.changed += inserted + deleted + updated;
      if (isSkipped[id] === 0) continue;
      counts.skipped += pages;
      missed.missedInsertions += inserted;
      missed.missedDeletions += deleted;
      missed.missedUpdates += updated;
    }
    return { ...counts, ...missed };
  }
}

function pathOf(url: string): string {
  const { directory, page } = sitePath(url);
  return directory + page;
}

/** Adds up the counts of several versions. */
export function together(outcomes: readonly SkippedAndKept[]): SkippedAndKept {
  const sum = (of: (one: SkippedAndKept) => number): number =>
    outcomes.reduce((all, one) => all + of(one), 0);
  return {
    pages: sum(({ pages }) => pages),
    skipped: sum(({ skipped }) => skipped),
    changed: sum(({ changed }) => changed),
    missedInsertions: sum(({ missedInsertions }) => missedInsertions),
    missedDeletions: sum(({ missedDeletions }) => missedDeletions),
    missedUpdates: sum(({ missedUpdates }) => missedUpdates),
  };
}
