import type { LiveTabs, LiveVisit } from '../../ports/live-tabs.ts';
import type { Picture } from '../../ports/renderer.ts';
import { takeFrame } from './pictures.ts';
import type { Tab } from './tab.ts';

/** A visit registered here: until the page is looked at, nobody else draws frames of its tab. */
export interface ShownVisit {
  step(name: string): void;
  /** Cuts viewers off at once: the tab's own pictures come next. */
  leave(): void;
}

interface Entered {
  readonly tab: Pick<Tab, 'main'>;
  readonly left: AbortController;
  visit: LiveVisit;
  /** Two viewers at the same moment get the same frame: a tab has one screencast. */
  taking?: Promise<Picture | undefined> | undefined;
}

/** Wide enough to see what a page does, small enough that a frame costs the crawl next to nothing. */
const FRAME = { width: 640, quality: 60 } as const;

/** Visits that can be watched while they run. Nothing is drawn, kept or sent unless somebody asks. */
export class TabWatch implements LiveTabs {
  readonly #entered = new Set<Entered>();

  enter(tab: Pick<Tab, 'main'>, url: string, since: number): ShownVisit {
    const one: Entered = { tab, left: new AbortController(), visit: { url, since, step: '' } };
    this.#entered.add(one);
    return {
      step: (step) => {
        one.visit = { ...one.visit, step };
      },
      leave: () => {
        this.#entered.delete(one);
        one.left.abort();
      },
    };
  }

  visits(): readonly LiveVisit[] {
    return [...this.#entered].map(({ visit }) => visit);
  }

  async picture(url: string | undefined): Promise<(Picture & { readonly url: string }) | undefined> {
    const one = [...this.#entered].find(({ visit }) => url === undefined || visit.url === url);
    if (!one) return undefined;
    one.taking ??= takeFrame(one.tab, FRAME, one.left.signal)
      .catch(() => undefined)
      .finally(() => {
        one.taking = undefined;
      });
    const picture = await one.taking;
    return picture && { ...picture, url: one.visit.url };
  }
}

/**
 * One per process. A single process writes to an archive, with any number of browsers; code that asks what they show need not know
 * them.
 */
export const LIVE_TABS = new TabWatch();
