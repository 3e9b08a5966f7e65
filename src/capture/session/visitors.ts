import { getDomain } from 'tldts';
import type { Millis } from '../../model/time.ts';
import type { Cookie } from './cookie.ts';
import { type CookieChanges, CookieJar } from './cookie-jar.ts';

/** `localStorage` of an origin. */
export interface OriginStorage {
  readonly origin: string;
  readonly items: readonly (readonly [name: string, value: string])[];
}

/** What a visitor carries. */
export interface SessionState {
  readonly cookies: readonly Cookie[];
  readonly storage: readonly OriginStorage[];
}

export const NO_STATE: SessionState = { cookies: [], storage: [] };

/** What one request or page changed. Storage is given whole, by origin. */
export interface SessionChange extends CookieChanges {
  readonly storage: readonly OriginStorage[];
}

export class SessionVisitor {
  readonly jar: CookieJar;
  readonly #storage: Map<string, OriginStorage>;

  constructor({ cookies, storage }: SessionState = NO_STATE) {
    this.jar = new CookieJar(cookies);
    this.#storage = new Map(storage.map((one) => [one.origin, one]));
  }

  get storage(): readonly OriginStorage[] {
    return [...this.#storage.values()];
  }

  apply(change: SessionChange): void {
    this.jar.apply(change);
    for (const one of change.storage)
      if (one.items.length > 0) this.#storage.set(one.origin, one);
      else this.#storage.delete(one.origin);
  }

  state(now: Millis): SessionState {
    return { cookies: this.jar.list(now), storage: this.storage };
  }
}

export type SiteStates = ReadonlyMap<string, SessionState>;

/** The unit of a session: the registrable domain, or the host if it has none. */
export function sessionSite(url: URL): string {
  return getDomain(url.hostname, { allowPrivateDomains: true }) ?? url.hostname;
}

export interface VisitorsOptions {
  /**
   * `page`: each page meets a new visitor, who has what was supplied. `crawl`: each site meets one, who keeps what it
   * received.
   */
  readonly mode: 'page' | 'crawl';
  readonly supplied: SessionState;
  /** By site, as an earlier session left them. */
  readonly before?: SiteStates;
}

/** Changes by requests that no visit settles, such as those for robots.txt: beyond this many, the oldest is settled. */
const MOST_UNSETTLED = 10_000;

/**
 * Who visits which site. Two sites never meet the same visitor: what an embedded third party sets on one of them is not seen
 * on the other. What was supplied belongs to every visitor: its cookies follow their own domains.
 *
 *   change(url) ──▶ at once in the visitor, so that the next request has it
 *              └──▶ in `committed`, when the visit of that URL is stored: what a session file may contain
 */
export class Visitors {
  readonly #options: VisitorsOptions;
  readonly #present = new Map<string, SessionVisitor>();
  readonly #committed = new Map<string, SessionVisitor>();
  readonly #unsettled = new Map<string, { readonly site: string; readonly change: SessionChange }[]>();

  constructor(options: VisitorsOptions) {
    this.#options = options;
    for (const [site, state] of options.before ?? []) {
      this.#present.set(site, new SessionVisitor(state));
      this.#committed.set(site, new SessionVisitor(state));
    }
  }

  get isKept(): boolean {
    return this.#options.mode === 'crawl';
  }

  of(url: URL): SessionVisitor {
    if (!this.isKept) return new SessionVisitor(this.#options.supplied);
    return this.#at(this.#present, sessionSite(url));
  }

  change(visitor: SessionVisitor, url: URL, change: SessionChange): void {
    if (change.set.length + change.removed.length + change.storage.length === 0) return;
    visitor.apply(change);
    if (!this.isKept) return;
    const { href } = url;
    const known = this.#unsettled.get(href) ?? [];
    this.#unsettled.delete(href);
    this.#unsettled.set(href, [...known, { site: sessionSite(url), change }]);
    const [oldest] = this.#unsettled.keys();
    if (this.#unsettled.size > MOST_UNSETTLED && oldest !== undefined) this.settle(oldest);
  }

  /** Called when the visit of this URL is stored. True if it changed anything. */
  settle(url: string): boolean {
    const changes = this.#unsettled.get(url);
    if (!changes) return false;
    this.#unsettled.delete(url);
    for (const { site, change } of changes) this.#at(this.#committed, site).apply(change);
    return true;
  }

  /** Called when every visit is stored. */
  settleAll(): void {
    for (const url of [...this.#unsettled.keys()]) this.settle(url);
  }

  committed(now: Millis): SiteStates {
    return new Map([...this.#committed].map(([site, visitor]) => [site, visitor.state(now)]));
  }

  #at(visitors: Map<string, SessionVisitor>, site: string): SessionVisitor {
    let visitor = visitors.get(site);
    if (!visitor) {
      visitor = new SessionVisitor(this.#options.supplied);
      visitors.set(site, visitor);
    }
    return visitor;
  }
}
