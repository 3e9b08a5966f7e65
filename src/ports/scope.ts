import type { EntryKind, RenderMode } from '../model/crawl.ts';
import type { Decision } from '../model/decision.ts';
import type { SkipReason } from '../model/fault.ts';
import type { Millis } from '../model/time.ts';
import type { RequestBlocker } from './request-blocker.ts';

/** Where a link was found. */
export interface LinkOrigin {
  readonly url: string;
  /** Depth and extra hops of the page it is on. */
  readonly depth: number;
  readonly extraHops: number;
}

export type ScopeVerdict =
  | {
      readonly inside: true;
      readonly url: string;
      readonly host: string;
      readonly depth: number;
      readonly extraHops: number;
      /** A person has decided to take it. */
      readonly decision?: Decision;
    }
  | {
      readonly inside: false;
      readonly url: string;
      readonly reason: SkipReason;
      readonly detail: string;
      /** See Skip. */
      readonly rule?: string;
    };

export interface FoundTrap {
  readonly reason: SkipReason;
  readonly detail: string;
}

/** Decides which URLs belong to a crawl: hosts and patterns, depth, extra hops, crawler traps. */
export interface Scope {
  /** A link to another page. */
  judgeLink(href: string, origin: LinkOrigin, now: Millis): ScopeVerdict;
  /** Something the page embeds: taken wherever it is, unless excluded or a trap. */
  judgeResource(href: string, origin: LinkOrigin, now: Millis): ScopeVerdict;
  /** How the page is read, where a seed specifies that for what its scope takes. */
  renderOf(url: string): RenderMode | undefined;
  /** What pages may not load; undefined where nothing is blocked. */
  readonly blocker?: RequestBlocker;
  /** A redirect: treated like a link, but no deeper than the page that redirects; a seed's target becomes a seed. */
  judgeRedirect(href: string, origin: LinkOrigin & { readonly isSeed: boolean }, now: Millis): ScopeVerdict;
  /** A sitemap named by robots.txt or by another sitemap. */
  judgeSitemap(href: string, origin: LinkOrigin, now: Millis): ScopeVerdict;
  /** Tells the trap detector about a URL known from before (resume). */
  observe(url: string, kind: EntryKind): void;
  /** Whether the text of this visited page is needed: see `observeText`. */
  wantsText(url: string): boolean;
  /** The trap that this page's text revealed in its family of URLs; applies to waiting URLs too. */
  observeText(url: string, text: string): FoundTrap | undefined;
  /** For a waiting URL: a trap that was found after it joined the queue. */
  trapOf(url: string): FoundTrap | undefined;
}
