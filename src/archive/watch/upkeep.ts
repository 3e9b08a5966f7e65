import type { Millis } from '../../model/time.ts';
import { learnPatterns } from '../../stages/learn-patterns.ts';
import { holidays } from '../holidays.ts';
import { BACKGROUND } from '../merge/choose-files.ts';
import { GRACE, mergeArchive } from '../merge/merge-archive.ts';
import { countedFiles } from '../merge/replaced-files.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { type ThinReport, thinArchive } from '../thin/thin-archive.ts';

/**
 * Intervals in milliseconds: between relearning patterns from all rounds, letting versions go (again after
 * nothing more could go), and merging.
 */
const EVERY = { learn: 6 * 3_600_000, thin: 3_600_000, thinStuck: 24 * 3_600_000, merge: 600_000 } as const;

export interface UpkeepOptions {
  /** Limit for the records, in bytes; none unless given. */
  readonly storage?: number;
  readonly onNote: (note: string) => void;
  /** Conditions that persist until reported otherwise: told once, and shown in the status. */
  readonly onStanding: (about: string, sentence: string) => void;
}

const SHARED =
  'The records take more than budget.storage allows. Versions are let go while nobody else shares the archive: stop the workers for a while.';

/** What a watched archive needs now and then, between two rounds. */
export class Upkeep {
  readonly #archive: OpenArchive;
  readonly #options: UpkeepOptions;
  #learntAt: Millis;
  #thinnedAt = Number.NEGATIVE_INFINITY;
  #mergedAt = Number.NEGATIVE_INFINITY;
  /** The last attempt found nothing more that may go. */
  #isStuck = false;

  constructor(archive: OpenArchive, now: Millis, options: UpkeepOptions) {
    this.#archive = archive;
    this.#options = options;
    this.#learntAt = now;
  }

  /** Patterns and importance follow from the archive: the loop itself learnt from each visit at once. */
  async learn(sites: readonly string[], now: Millis): Promise<void> {
    if (now - this.#learntAt < EVERY.learn) return;
    this.#learntAt = now;
    const { catalog } = this.#archive;
    await learnPatterns(sites, { catalog, holidays });
    await catalog.settleBook();
  }

  /** Each round writes small files into an object store. Others may read and write meanwhile. */
  async merge(now: Millis, signal: AbortSignal): Promise<void> {
    if (!this.#archive.folder.remote || now - this.#mergedAt < EVERY.merge) return;
    this.#mergedAt = now;
    const { files, into } = await mergeArchive(this.#archive, {
      ...{ now: () => now, sizes: BACKGROUND, grace: GRACE, signal },
    });
    if (files > 0) this.#options.onNote(`${files} small record files were merged into ${into}.`);
  }

  /**
   * When the records outgrow their limit, lets go what matters least for the space it takes. Only while nothing else
   * writes.
   */
  async thin(now: Millis): Promise<void> {
    const { storage, onNote, onStanding } = this.#options;
    if (storage === undefined) return;
    const files = await countedFiles(this.#archive.folder, this.#archive.catalog);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (bytes <= storage) onStanding('storage', '');
    // Going through all versions takes a while, and is pointless soon after nothing more could go.
    const pause = this.#isStuck ? EVERY.thinStuck : EVERY.thin;
    if (bytes <= storage || now - this.#thinnedAt < pause) return;
    this.#thinnedAt = now;
    let thinned: ThinReport | undefined;
    await this.#archive.catalog.whileAlone(async () => {
      thinned = await thinArchive(this.#archive, { storage, now });
    });
    if (!thinned) return onStanding('storage', SHARED);
    const { versions, before, after, over } = thinned;
    if (versions.length > 0)
      onNote(`${versions.length} versions that mattered little were let go: ${before - after} bytes freed.`);
    this.#isStuck = over > 0;
    onStanding(
      'storage',
      over > 0
        ? `The records take ${over} bytes more than budget.storage allows, and nothing more may go (docs/thinning.md).`
        : '',
    );
  }
}
