import type { DirectoryHistory } from '../../science/evolution/directory-history.ts';
import { sitePath } from '../../science/evolution/site-path.ts';
import { type SkippedAndKept, type SkipQuality, skipQuality } from '../../science/evolution/skip-quality.ts';
import { holderOf } from '../../science/evolution/skip-validation.ts';
import type { HistoryPage } from '../data/history-versions.ts';

/** What happened in the test version to each directory of the last training version. */
interface Fate {
  pages: number;
  inserted: number;
  deleted: number;
  updated: number;
  /** Changes by importance: the relative change of size; 1 for a page that is new or gone. */
  weight: number;
}

export interface SkipScore extends SkipQuality {
  /** Share of the weight of all changes that is not missed. */
  readonly weightRecall: number;
  /** Directories skipped, and those among them in which nothing changed. */
  readonly directories: number;
  readonly right: number;
  readonly missed: number;
  readonly changed: number;
}

/**
 * The version after the training, on which skips are measured. A page in a new directory belongs to the nearest
 * directory above it that had pages: a crawl that skips that one does not find it. All methods are measured alike.
 */
export class TestVersion {
  readonly #fates = new Map<number, Fate>();
  readonly #pages: number;
  readonly #changed: number;
  readonly #weight: number;

  constructor(history: DirectoryHistory, before: readonly HistoryPage[], after: readonly HistoryPage[]) {
    const pages = history.pagesAt(history.versions - 1);
    const fateOf = (url: string): Fate => {
      const near = history.nearestDirectory(sitePath(url).directory);
      const holder = holderOf(near, history, pages);
      const known = this.#fates.get(holder);
      if (known) return known;
      const fate = { pages: 0, inserted: 0, deleted: 0, updated: 0, weight: 0 };
      this.#fates.set(holder, fate);
      return fate;
    };
    const old = new Map(before.map((page) => [page.url, page]));
    for (const { url, digest, importance = 1 } of after) {
      const fate = fateOf(url);
      fate.pages++;
      const was = old.get(url);
      old.delete(url);
      if (was === undefined) fate.inserted++;
      else if (was.digest !== digest) fate.updated++;
      if (was?.digest !== digest) fate.weight += was === undefined ? 1 : importance;
    }
    for (const url of old.keys()) {
      const fate = fateOf(url);
      fate.deleted++;
      fate.weight++;
    }
    const fates = [...this.#fates.values()];
    this.#pages = after.length;
    this.#changed = fates.reduce((sum, fate) => sum + changesOf(fate), 0);
    this.#weight = fates.reduce((sum, { weight }) => sum + weight, 0);
  }

  get changed(): number {
    return this.#changed;
  }

  /** What the oracle skips: exactly the directories in which nothing changes. */
  unchanged(): Set<number> {
    const same = [...this.#fates].filter(([directory, fate]) => directory >= 0 && changesOf(fate) === 0);
    return new Set(same.map(([directory]) => directory));
  }

  score(skipped: ReadonlySet<number>): SkipScore {
    const left = [...skipped].flatMap((directory) => this.#fates.get(directory) ?? []);
    const sum = (of: (fate: Fate) => number): number => left.reduce((all, fate) => all + of(fate), 0);
    const counts: SkippedAndKept = {
      pages: this.#pages,
      skipped: sum(({ pages }) => pages),
      changed: this.#changed,
      missedInsertions: sum(({ inserted }) => inserted),
      missedDeletions: sum(({ deleted }) => deleted),
      missedUpdates: sum(({ updated }) => updated),
    };
    return {
      ...skipQuality(counts),
      weightRecall: this.#weight === 0 ? 1 : 1 - sum(({ weight }) => weight) / this.#weight,
      directories: left.length,
      right: left.filter((fate) => changesOf(fate) === 0).length,
      missed: sum(changesOf),
      changed: this.#changed,
    };
  }
}

const changesOf = ({ inserted, deleted, updated }: Fate): number => inserted + deleted + updated;
