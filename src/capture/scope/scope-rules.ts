/**
 * Which URLs belong to a crawl. Types and their meaning are Browsertrix's:
 *
 *   page     the seeds alone
 *   page-spa the seeds, and URLs that differ from one in their fragment alone: `#/about` is a page of its own
 *   prefix   the seed's URL up to its last slash
 *   host     the seed's host and port
 *   domain   the seed's registrable domain and all its subdomains
 *   any      everything
 *   custom   only what `include` says
 *
 * As there, http and https are the same, and `www.`, `www2.` … before a host name do not count: sites link to
 * themselves in all these spellings. A URL deeper than `depth` counts as out of scope, so that `extraHops`
 * may still reach it.
 *
 * Departures: `domain` is the registrable domain by the public suffix list, where Browsertrix takes the
 * seed's host (a seed `blog.example.org` would leave out `example.org`); patterns are matched against the URL
 * itself, not against one with `www.` removed and arguments sorted; `exclude` also overrides seeds.
 */
import { getDomain } from 'tldts';
import type { ScopeSpec } from '../../model/crawl.ts';
import type { SkipReason } from '../../model/fault.ts';
import { crawlUrl } from './normalise.ts';

export type RuleVerdict =
  | { readonly in: true /** Links away from the scope: 0 inside. */; readonly extraHops: number }
  | { readonly in: false; readonly reason: SkipReason; readonly detail: string };

export interface ScopeRules {
  /**
   * @param url in the form `crawlUrl` returns
   * @param found `depth` of the URL itself; `extraHops` of the page that links to it
   */
  judge(url: string, found: { readonly depth: number; readonly extraHops: number }): RuleVerdict;
  /** A seed that redirects brings its target into scope as if it had been given. */
  addSeed(url: string): void;
  /** Whether adding a fragment to this URL makes another page. */
  hasHashPages(url: string): boolean;
  /** A pattern of --include names it, besides the scope of the seeds: somebody wants exactly this. */
  isIncluded(url: string): boolean;
}

/** The configuration is wrong: shown to the user as is. */
export class ScopeError extends Error {
  override readonly name = 'ScopeError';
}

export function compileRules(seeds: readonly string[], spec: ScopeSpec): ScopeRules {
  const include = spec.include.map((source) => compile(source, 'include'));
  const exclude = spec.exclude.map((source) => compile(source, 'exclude'));
  if (spec.type === 'custom' && include.length === 0) {
    throw new ScopeError(
      "scope type 'custom' takes only what --include matches: give at least one --include",
    );
  }
  const seedKeys = new Set<string>();
  const keys = new Set<string>();
  const belongs = MEMBERSHIP[spec.type];

  function addSeed(text: string): void {
    const seed = parseSeed(text);
    seedKeys.add(pageKey(seed));
    const key = SEED_KEY[spec.type](seed);
    if (key !== undefined) keys.add(key);
  }

  function judge(text: string, found: { depth: number; extraHops: number }): RuleVerdict {
    for (const pattern of exclude) {
      if (pattern.test(text))
        return { in: false, reason: 'excluded', detail: `matches --exclude ${pattern.source}` };
    }
    const url = new URL(text);
    const isSeed = seedKeys.has(pageKey(url));
    if (isSeed && (url.hash === '' || found.depth <= spec.depth)) return { in: true, extraHops: 0 };
    if (isSeed)
      return { in: false, reason: 'depth', detail: `depth ${found.depth}, and --depth is ${spec.depth}` };
    const inside = belongs(url, keys) || include.some((pattern) => pattern.test(text));
    if (inside && found.depth <= spec.depth) return { in: true, extraHops: 0 };
    if (found.extraHops < spec.extraHops) return { in: true, extraHops: found.extraHops + 1 };
    if (inside) {
      return { in: false, reason: 'depth', detail: `depth ${found.depth}, and --depth is ${spec.depth}` };
    }
    return { in: false, reason: 'out-of-scope', detail: outside(spec, found.extraHops) };
  }

  for (const seed of seeds) addSeed(seed);
  const hasHashPages = (url: string): boolean =>
    spec.type === 'page-spa' && seedKeys.has(pageKey(new URL(url)));
  // When patterns are the whole scope, they say nothing about single pages.
  const isIncluded = (url: string): boolean =>
    spec.type !== 'custom' && include.some((pattern) => pattern.test(url));
  return { judge, addSeed, hasHashPages, isIncluded };
}

function outside(spec: ScopeSpec, extraHops: number): string {
  const hops = spec.extraHops > 0 ? `, ${extraHops} of ${spec.extraHops} extra hops made` : '';
  return `outside the ${spec.type} scope of the seeds${hops}`;
}

function compile(source: string, option: 'include' | 'exclude'): RegExp {
  try {
    return new RegExp(source);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ScopeError(
      `--${option} '${source}' is not a regular expression (${why}); for a literal text, put a backslash before each of . ? + * ( ) [ ] { } ^ $ | \\`,
    );
  }
}

function parseSeed(text: string): URL {
  const made = crawlUrl(text.trim());
  if (made.ok) return new URL(made.url);
  const host = /^[\w.-]+\.[a-z]{2,}(?=$|[/:?#])/i.test(text.trim());
  const example = host ? `https://${text.trim()}` : 'https://example.org/';
  throw new ScopeError(
    `seed '${text}' is not an http or https URL; write it in full, for example ${example}`,
  );
}

/** Host and explicit port, without `www<N>.`; http and https on their default ports give the same key. */
function hostKey(url: URL): string {
  const bare = url.hostname.replace(/^www\d*\./, '');
  return url.port === '' ? bare : `${bare}:${url.port}`;
}

function pageKey(url: URL): string {
  return hostKey(url) + url.pathname + url.search;
}

/** Addresses and names without a public suffix (localhost, intranet) are their own domain, port included. */
function domainKey(url: URL): string {
  return getDomain(url.hostname, { allowPrivateDomains: true }) ?? hostKey(url);
}

function prefixKey(url: URL): string {
  return hostKey(url) + url.pathname.slice(0, url.pathname.lastIndexOf('/') + 1);
}

const SEED_KEY: Record<ScopeSpec['type'], (seed: URL) => string | undefined> = {
  page: () => undefined,
  'page-spa': () => undefined,
  prefix: prefixKey,
  host: hostKey,
  domain: domainKey,
  any: () => undefined,
  custom: () => undefined,
};

const MEMBERSHIP: Record<ScopeSpec['type'], (url: URL, keys: ReadonlySet<string>) => boolean> = {
  page: () => false,
  'page-spa': () => false,
  prefix: (url, keys) => hasPrefix(hostKey(url) + url.pathname, keys),
  host: (url, keys) => keys.has(hostKey(url)),
  domain: (url, keys) => keys.has(domainKey(url)),
  any: () => true,
  custom: () => false,
};

/** Walks up the URL's directories: the cost does not grow with the number of seeds. */
function hasPrefix(text: string, keys: ReadonlySet<string>): boolean {
  for (let slash = text.lastIndexOf('/'); slash >= 0; slash = text.lastIndexOf('/', slash - 1)) {
    if (keys.has(text.slice(0, slash + 1))) return true;
    if (slash === 0) return false;
  }
  return false;
}
