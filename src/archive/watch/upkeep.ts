import type { Millis } from '../../model/time.ts';
import { learnPatterns } from '../../stages/learn-patterns.ts';
import { recordFiles } from '../../storage/archive-folder.ts';
import { holidays } from '../holidays.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { thinArchive } from '../thin/thin-archive.ts';

/** Milliseconds between two times that patterns are learnt anew from all rounds, and that versions are let go. */
const EVERY = { learn: 6 * 3_600_000, thin: 3_600_000, thinStuck: 24 * 3_600_000 } as const;

export interface UpkeepOptions {
  /** Bytes that the records may take; no limit unless given. */
  readonly storage?: number;
  readonly onNote: (note: string) => void;
  /** What holds until it is said otherwise: told once, and shown in the status. */
  readonly onStanding: (about: string, sentence: string) => void;
}

/** What an archive that is watched needs now and then, between two rounds. */
export class Upkeep {
  readonly #archive: OpenArchive;
  readonly #options: UpkeepOptions;
  #learntAt: Millis;
  #thinnedAt = Number.NEGATIVE_INFINITY;
  /** The last look found nothing more that may go. */
  #isStuck = false;

  constructor(archive: OpenArchive, now: Millis, options: UpkeepOptions) {
    this.#archive = archive;
    this.#options = options;
    this.#learntAt = now;
  }

  /** Patterns and importance follow from the archive: each visit was learnt from at once by the loop. */
  async learn(sites: readonly string[], now: Millis): Promise<void> {
    if (now - this.#learntAt < EVERY.learn) return;
    this.#learntAt = now;
    const { catalog } = this.#archive;
    await learnPatterns(sites, { catalog, holidays });
    await catalog.settleBook();
  }

  /** What matters least for the room it takes goes, when the records outgrow their room. While nothing else writes. */
  async thin(now: Millis): Promise<void> {
    const { storage, onNote, onStanding } = this.#options;
    // Record files in an object store are not rewritten; who watches has been told (run-watch.ts).
    if (storage === undefined || this.#archive.folder.remote) return;
    const files = await recordFiles(this.#archive.folder);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (bytes <= storage) onStanding('storage', '');
    // Looking through all versions takes a while, and is of no use soon after nothing more could go.
    const pause = this.#isStuck ? EVERY.thinStuck : EVERY.thin;
    if (bytes <= storage || now - this.#thinnedAt < pause) return;
    this.#thinnedAt = now;
    const { versions, before, after, over } = await thinArchive(this.#archive, { storage, now });
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
