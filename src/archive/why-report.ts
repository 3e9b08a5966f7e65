import type { CountedInference } from '../access/inference-counts.ts';
import type { Crawl, Visit, VisitOutcome } from '../model/crawl.ts';
import type { Decision } from '../model/decision.ts';
import type { FaultKind, SkipReason } from '../model/fault.ts';
import type { Suspect } from '../model/perimeter.ts';
import type { Millis } from '../model/time.ts';
import type { PerimeterUrl } from '../ports/catalog.ts';
import type { ToldPage } from './told-page.ts';

/** What a crawl did with a URL, and why. */
export type Explanation =
  | {
      readonly kind: 'visited';
      readonly outcome: VisitOutcome;
      readonly at: Millis;
      readonly reason: string;
      readonly status?: number;
      readonly fault?: { readonly kind: FaultKind; readonly detail: string };
      /** Where its redirect led, and what came of that: the page may be behind a login. */
      readonly leadsTo?: Pick<Visit, 'url' | 'outcome' | 'status' | 'fault'>;
    }
  /** It is in the queue of a crawl that is not finished. */
  | { readonly kind: 'waiting'; readonly via?: string }
  /** A rule left it out: either as stored then, or as the stored rules say when run again. */
  | {
      readonly kind: 'left-out';
      readonly reason: SkipReason;
      readonly detail: string;
      readonly known: 'stored' | 'rules';
      readonly via?: string;
    }
  /**
   * It was not visited, and taken for unchanged, or for what its origin shows. `pageSeen`: when it was last seen
   * itself, null if never.
   */
  | ({ readonly kind: 'inferred'; readonly pageSeen: Millis | null } & CountedInference)
  /** It is known but was not read, and is not believed to belong to the perimeter of the crawl. */
  | ({ readonly kind: 'suspect' /** By an earlier crawl. */; readonly wasRead?: true } & Suspect)
  /** Not held here; `heldBy` names the archive that holds it. */
  | { readonly kind: 'virtual'; readonly directory: string; readonly rule: string; readonly heldBy: string }
  /** The rules would have let it in, but the crawl met no link to it. */
  | { readonly kind: 'never-seen' }
  /** A page that the crawl visited links to it now; at the time it did not, or the crawl hit a limit first. */
  | { readonly kind: 'linked'; readonly via: string; readonly limits: readonly SkipReason[] };

export interface WhyReport {
  readonly url: string;
  /** Null where the archive has none. */
  readonly captures: {
    readonly count: number;
    readonly firstAt: Millis;
    readonly lastAt: Millis;
    /** How many of them are redirects; the rest show a page or a file. */
    readonly redirects: number;
    readonly errors: number;
  } | null;
  /** Versions that visits saw and that are not stored: left out at once, or thinned later. Absent where there are none. */
  readonly dropped?: { readonly count: number; readonly lastAt: Millis };
  /** Null where there was no crawl. */
  readonly crawl: (Pick<Crawl, 'id' | 'state' | 'startedAt'> & { readonly seeds: readonly string[] }) | null;
  readonly finding: Explanation | null;
  /** What the crawl noted about its host, e.g. that https did not answer there and http was used. */
  readonly notes: readonly string[];
  /** What imported histories of other archives tell of it; absent where they tell nothing. */
  readonly told?: ToldPage;
  /** The last visits of a watch, newest first, each with what decided it. */
  readonly watched: readonly Pick<Visit, 'at' | 'outcome' | 'reason'>[];
  /** People's decisions about it, as they hold now, latest first. */
  readonly decisions: readonly Decision[];
  /** Its standing to perimeters, by what is known and decided now. */
  readonly perimeters: readonly PerimeterUrl[];
}
