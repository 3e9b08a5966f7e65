import { type Crawl, type NewFrontierEntry, RANKS } from '../model/crawl.ts';
import type { Decisions } from '../model/decisions.ts';
import type { InferredDirectory, SkipRulesSpec, VirtualDirectory } from '../model/inference.ts';
import type { Millis } from '../model/time.ts';
import type { Catalog, CrawledPage } from '../ports/catalog.ts';
import type { Scope } from '../ports/scope.ts';
import { HeadCheck } from '../science/evolution/head-check.ts';
import { sitePath } from '../science/evolution/site-path.ts';
import type { PlannedSkip } from '../science/evolution/skip-plan.ts';
import { noSkipWords, planWords, severalHosts, skipWords } from '../science/evolution/skip-words.ts';
import type { SiteOrder } from '../science/policy/site-order.ts';
import type { PageRates } from './page-rates.ts';
import { knownEntries } from './stored/known-entries.ts';
import { planSite } from './stored/plan-site.ts';
import { type HistoryPorts, historyOf, sitePast } from './stored/site-history.ts';

export interface InferPorts {
  readonly catalog: HistoryPorts & Pick<Catalog, 'knownPages' | 'keptVersions'>;
  readonly scope: Scope;
  readonly rates: PageRates;
  readonly order: SiteOrder;
  /** By people: what they pin, or have exempted from skipping, is visited. */
  readonly decisions: Decisions;
}

export interface SiteInference {
  readonly inferred: readonly InferredDirectory[];
  /** Pages that this archive does not hold, but another does. */
  readonly virtual: readonly VirtualDirectory[];
  /** All other known pages, whatever links to them: the linking pages may be left out. */
  readonly discovered: readonly NewFrontierEntry[];
  readonly notes: readonly string[];
}

export interface InferOptions {
  readonly now: Millis;
  /** As sitemaps state it now, by URL. */
  readonly lastModified: ReadonlyMap<string, Millis>;
  /** Pages that may still join the schedule. */
  readonly room: number;
}

/**
 * Stage: what the archive knows of a site's versions → the directories that this crawl takes for unchanged, within what it may
 * miss; and the known pages that it visits. A skip lets a known page keep its archived version: new URLs are visited wherever
 * they are.
 */
export async function inferDirectories(
  site: string,
  crawl: Crawl & { readonly spec: { readonly skipByRules: SkipRulesSpec } },
  options: InferOptions,
  ports: InferPorts,
): Promise<SiteInference> {
  const { catalog } = ports;
  const { skipByRules, seeds } = crawl.spec;
  const { length: hosts } = catalog.siteBounds().hostsOf(site);
  if (hosts > 1)
    return {
      inferred: [],
      virtual: [],
      discovered: [],
      notes: [`--skip-by-rules skips nothing on ${site}: ${severalHosts(hosts)}`],
    };
  const past = await sitePast(site, catalog, crawl);
  const { now, lastModified } = options;
  const isPinned = (url: string): boolean => ports.decisions.on(url, now).kept !== undefined;
  const { plan, isVisited } = planSite(past, { now, rules: skipByRules, seeds, lastModified, isPinned });
  if (plan.kind === 'none') {
    const why = noSkipWords(plan.why, skipByRules.missAtMost);
    return {
      inferred: [],
      virtual: [],
      discovered: [],
      notes: [`--skip-by-rules skips nothing on ${site}: ${why}`],
    };
  }
  const entries = await enteredPages(site, past.pages, now, ports);
  const urls = entries.map(({ url }) => url);
  const versions = await catalog.keptVersions(urls, crawl.startedAt);
  // Pages without a version to keep, here or elsewhere, are visited too.
  const { kept, rest } = divided(entries, plan.skips, ({ url }) => !isVisited(url) && versions.has(url));
  const elsewhere = divided(
    rest,
    plan.skips.filter(isCertain),
    ({ url }) => !isVisited(url) && past.heldBy.has(url),
  );
  const visited = elsewhere.rest;
  const virtual = plan.skips.flatMap((skip) =>
    virtualFrom(skip, site, elsewhere.kept.get(skip.directory) ?? [], past.heldBy),
  );
  const inferred = plan.skips.flatMap((skip) =>
    inferredFrom(skip, site, kept.get(skip.directory) ?? [], past.pages),
  );
  const told = inferred.map(({ urls, expectedMissed }) => ({ pages: urls.length, expectedMissed }));
  return {
    inferred,
    virtual,
    discovered: visited.map((entry, index) => ranked(entry, index, options.room, ports.order)),
    notes: [
      ...(inferred.length === 0 ? [] : [`${site}: ${planWords(told, plan.promisedMiss)}`]),
      ...virtualWords(site, virtual),
    ],
  };
}

/** Pages that, as far as we know, still exist, as entries of this crawl. */
async function enteredPages(
  site: string,
  pages: ReadonlyMap<string, Millis>,
  now: Millis,
  { catalog, ...ports }: InferPorts,
): Promise<readonly NewFrontierEntry[]> {
  const known = new Map<string, CrawledPage>();
  for await (const page of catalog.knownPages(site)) if (pages.has(page.url)) known.set(page.url, page);
  // Imported pages were never in a frontier.
  for (const url of pages.keys()) if (!known.has(url)) known.set(url, { url, depth: 0, extraHops: 0 });
  return knownEntries(known.values(), now, ports);
}

/** Separates the entries in directories that are left out, by directory, as far as they may be left out, from the rest. */
function divided(
  entries: readonly NewFrontierEntry[],
  skips: readonly PlannedSkip[],
  mayKeep: (entry: NewFrontierEntry) => boolean,
): { readonly kept: ReadonlyMap<string, readonly string[]>; readonly rest: readonly NewFrontierEntry[] } {
  const kept = new Map<string, string[]>(skips.map(({ directory }) => [directory, []]));
  const rest: NewFrontierEntry[] = [];
  for (const entry of entries) {
    const own = mayKeep(entry) ? kept.get(sitePath(entry.url).directory) : undefined;
    if (own) own.push(entry.url);
    else rest.push(entry);
  }
  return { kept, rest };
}

/** A rule that depends on its head may fail: pages the archive does not even hold are not left to that. */
const isCertain = ({ reason }: PlannedSkip): boolean => !('head' in reason);

function virtualFrom(
  { directory, reason, expectedMissed, pages }: PlannedSkip,
  site: string,
  urls: readonly string[],
  heldBy: ReadonlyMap<string, string>,
): VirtualDirectory[] {
  const archives = new Map<string, string[]>();
  for (const url of urls) {
    const archive = heldBy.get(url) ?? '';
    archives.set(archive, [...(archives.get(archive) ?? []), url]);
  }
  return [...archives].map(([archive, own]) => ({
    site,
    directory,
    reason: reason.kind,
    rule: skipWords(reason),
    expectedMissed: expectedMissed * Math.min(1, own.length / Math.max(1, pages)),
    heldBy: archive,
    urls: own.toSorted(),
  }));
}

function virtualWords(site: string, virtual: readonly VirtualDirectory[]): readonly string[] {
  const pages = virtual.reduce((sum, { urls }) => sum + urls.length, 0);
  const archives = [...new Set(virtual.map(({ heldBy }) => heldBy))].sort().join(', ');
  return pages === 0
    ? []
    : [
        `${site}: ${pages} pages that this archive does not hold are covered virtually: nothing is stored or proven of them ` +
          `here, their records are in the archive ${archives}`,
      ];
}

function inferredFrom(
  skip: PlannedSkip,
  site: string,
  urls: readonly string[],
  seen: ReadonlyMap<string, Millis>,
): InferredDirectory[] {
  // All of it is pinned, or outside the scope of this crawl.
  if (urls.length === 0) return [];
  const { directory, reason, confidence } = skip;
  const assumes = 'head' in reason ? { head: reason.head, alpha: reason.alpha } : undefined;
  return [
    {
      site,
      directory,
      reason: reason.kind,
      rule: skipWords(reason),
      ...(assumes && { assumes }),
      expectedMissed: skip.expectedMissed * Math.min(1, urls.length / Math.max(1, skip.pages)),
      confidence,
      // For the pages that are kept, which may be fewer than planned.
      lastSeen: urls.reduce((least, url) => Math.min(least, seen.get(url) ?? skip.lastSeen), Infinity),
      state: assumes ? 'held' : 'inferred',
      urls: urls.toSorted(),
    },
  ];
}

function ranked(entry: NewFrontierEntry, index: number, room: number, order: SiteOrder): NewFrontierEntry {
  const { url, depth, rate = 0 } = entry;
  const candidate = { url, depth, batch: 0, index, rate };
  const spare = order.choose !== undefined && index >= room;
  return {
    ...entry,
    rank: spare ? RANKS.reserve : order.rank(candidate),
    reason: order.reason(candidate),
  };
}

/**
 * Stage: directories held back until their heads were visited → which of them are taken for unchanged, and the pages of the
 * others, to be visited after all.
 */
export async function settleHeld(
  held: readonly InferredDirectory[],
  crawl: Crawl,
  { now, room }: Pick<InferOptions, 'now' | 'room'>,
  ports: InferPorts,
): Promise<SiteInference> {
  const inferred: InferredDirectory[] = [];
  const discovered: NewFrontierEntry[] = [];
  const notes: string[] = [];
  for (const site of new Set(held.map((one) => one.site))) {
    const past = await sitePast(site, ports.catalog, crawl);
    const heads = new HeadCheck(historyOf(past));
    for (const { url, digest } of past.since) heads.see(url, digest);
    const released = new Set<string>();
    const own = held.filter((one) => one.site === site);
    for (const one of own) {
      const { head = [], alpha = 0 } = one.assumes ?? {};
      const holds = head.every((directory) => heads.degreeOfChange(directory) >= alpha);
      inferred.push({ ...one, state: holds ? 'inferred' : 'visited' });
      if (!holds) for (const url of one.urls) released.add(url);
    }
    if (released.size === 0) continue;
    const entries = await enteredPages(site, past.pages, now, ports);
    const visited = entries.filter(({ url }) => released.has(url));
    discovered.push(...visited.map((entry, index) => ranked(entry, index, room, ports.order)));
    notes.push(
      `${site}: ${released.size} pages that a rule would have left out are visited after all, since the directories it names did not change`,
    );
  }
  return { inferred, virtual: [], discovered, notes };
}
