import { crawlUrl } from '../../capture/scope/normalise.ts';
import type { Millis } from '../../model/time.ts';
import type { Signal, WatchedPage } from '../../model/watch.ts';
import type { SeenPages } from './seen-pages.ts';

/** Signals from outside, until the loop asks for them. */
export class Pings {
  readonly #known: Pick<SeenPages, 'siteOf' | 'discover'>;
  readonly #heard: Signal[] = [];
  /** Pinged pages of which nothing may be known yet. */
  readonly #named: string[] = [];

  constructor(known: Pick<SeenPages, 'siteOf' | 'discover'>) {
    this.#known = known;
  }

  /** False where the page is not watched. */
  ping(given: string, source: string, at: Millis): boolean {
    const parsed = crawlUrl(given);
    if (!parsed.ok) return false;
    const { url } = parsed;
    const site = this.#known.siteOf(url);
    if (!site?.has(url)) return false;
    this.#heard.push({ kind: 'ping', source, url, heardAt: at });
    this.#named.push(url);
    return true;
  }

  heard(): readonly Signal[] {
    return this.#heard.splice(0);
  }

  /** Pages that were unknown before they were pinged. */
  async found(): Promise<readonly WatchedPage[]> {
    return this.#known.discover(this.#named.splice(0));
  }
}
