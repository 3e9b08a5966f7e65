import type { Millis } from '../model/time.ts';
import type { Picture } from './renderer.ts';

/** A visit that is currently in the browser. */
export interface LiveVisit {
  readonly url: string;
  readonly since: Millis;
  /** What is being done with the page. */
  readonly step: string;
}

/** What browsers of this process show while pages are visited. */
export interface LiveTabs {
  /** In the order they began. */
  visits(): readonly LiveVisit[];
  /** One frame of the visit, or of the first there is; undefined where the visit is over, or has drawn nothing yet. */
  picture(url: string | undefined): Promise<(Picture & { readonly url: string }) | undefined>;
}
