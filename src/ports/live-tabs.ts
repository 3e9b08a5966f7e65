import type { Millis } from '../model/time.ts';
import type { Picture } from './renderer.ts';

/** A visit that is in the browser now. */
export interface LiveVisit {
  readonly url: string;
  readonly since: Millis;
  /** What is being done with the page. */
  readonly step: string;
}

/** What browsers of this process show while pages are visited. */
export interface LiveTabs {
  /** Those that began first come first. */
  visits(): readonly LiveVisit[];
  /** One frame of the visit, or of the first there is; undefined where it is over, or has drawn nothing yet. */
  picture(url: string | undefined): Promise<(Picture & { readonly url: string }) | undefined>;
}
