import type { CaptureFact } from './capture.ts';
import type { EntryKind, VisitOutcome } from './crawl.ts';
import type { Millis } from './time.ts';

/** What a stored visit teaches a watch: all that it looks at, whoever made the visit. */
export interface VisitLesson {
  readonly url: string;
  /** Of its frontier entry, as the next two. */
  readonly kind: EntryKind;
  readonly redirects: number;
  readonly reason: string;
  readonly at: Millis;
  readonly outcome: VisitOutcome;
  readonly status?: number;
  /** Received. */
  readonly bytes: number;
  readonly fault?: string;
  /** At least one. */
  readonly requests: number;
  /** Against the last archived version. */
  readonly change?: { readonly importance: number; readonly salience?: number };
  /** Where the answer led. */
  readonly redirect?: string;
  /** Its layout was looked at: without a change, it shows what it showed. */
  readonly hasLayout?: true;
  /** The answer with its whole body, where there is one. */
  readonly answer?: CaptureFact;
  readonly links: readonly string[];
}
