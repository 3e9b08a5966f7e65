import type { Crawl, CrawlTally, NewFrontierEntry } from '../model/crawl.ts';
import type { InferredDirectory, SkipRulesSpec, VirtualDirectory } from '../model/inference.ts';
import type { Millis } from '../model/time.ts';
import type { SitemapHint } from '../ports/page-reader.ts';
import {
  type InferOptions,
  type InferPorts,
  inferDirectories,
  type SiteInference,
  settleHeld,
} from '../stages/infer-directories.ts';
import { type SparePorts, settleMirrors, spareMirror } from '../stages/spare-mirror.ts';

const NOTHING_SPARED: SiteInference = { inferred: [], virtual: [], discovered: [], notes: [] };

export interface InferencesOptions extends InferPorts, SparePorts {
  readonly catalog: InferPorts['catalog'] & SparePorts['catalog'];
  readonly crawl: Crawl;
  /** What an earlier run of the crawl decided. */
  readonly stored: readonly InferredDirectory[];
  readonly virtual: readonly VirtualDirectory[];
  readonly tally: CrawlTally;
}

/**
 * What a crawl takes for unchanged: by rules, or because its site mirrors another. A site of its seeds goes through
 *
 *   open ──beginPlan──▶ planning ──plan──▶ planned
 *
 * before the first visit to a page of it, once its sitemaps were read. The plan is stored before it acts: a resumed crawl
 * has the same.
 */
export class Inferences {
  readonly #options: InferencesOptions;
  readonly #rules: SkipRulesSpec | undefined;
  readonly #open = new Set<string>();
  readonly #planning = new Set<string>();
  readonly #kept = new Set<string>();
  readonly #lastModified = new Map<string, Millis>();
  #held: readonly InferredDirectory[] = [];
  readonly #siteOf: (url: string) => string;

  constructor(options: InferencesOptions) {
    this.#options = options;
    const { crawl, stored, virtual, tally } = options;
    this.#rules = crawl.spec.skipByRules;
    this.#siteOf = options.catalog.siteBounds().siteOf;
    const mirrors = new Set(crawl.spec.mirrors?.map(({ mirror }) => mirror));
    if (!this.#rules && mirrors.size === 0) return;
    this.#take(stored, virtual);
    const planned = new Set([...stored, ...virtual].map(({ site }) => site));
    // Pages are visited after the plan alone, even where it left nothing out.
    for (const { site, pending: _, ...counts } of tally.sites)
      if (counts.captured + counts.unchanged + counts.redirects + counts.gone + counts.failed > 0)
        planned.add(site);
    for (const seed of crawl.spec.seeds) {
      const site = this.#siteOf(seed);
      if (site !== '' && !planned.has(site) && (this.#rules || mirrors.has(site))) this.#open.add(site);
    }
  }

  /** Whether the page keeps its archived version, or is left to another archive's. */
  keeps(url: string): boolean {
    return this.#kept.has(url);
  }

  awaitsPlan(url: string): boolean {
    return this.#open.size > 0 && this.#open.has(this.#siteOf(url));
  }

  isPlanning(url: string): boolean {
    return this.#planning.size > 0 && this.#planning.has(this.#siteOf(url));
  }

  /** What a sitemap says of its pages: heard until the plan is made. */
  hear(hints: ReadonlyMap<string, SitemapHint>): void {
    if (this.#open.size === 0) return;
    for (const [url, { lastModified }] of hints)
      if (lastModified !== undefined) this.#lastModified.set(url, lastModified);
  }

  beginPlan(url: string): void {
    const site = this.#siteOf(url);
    this.#open.delete(site);
    this.#planning.add(site);
  }

  /** `store` resolves when the plan is in the catalog. */
  async plan(
    url: string,
    now: Millis,
    room: number,
    store: (plan: SiteInference) => Promise<void>,
  ): Promise<void> {
    const site = this.#siteOf(url);
    const options = { now, lastModified: this.#lastModified, room };
    const plan = await this.#planOf(site, options);
    this.#take(plan.inferred, plan.virtual);
    await store(plan);
    this.#planning.delete(site);
  }

  /** That it mirrors another site says more than the rules of its own past. */
  async #planOf(site: string, options: InferOptions): Promise<SiteInference> {
    const { crawl } = this.#options;
    const mirror = crawl.spec.mirrors?.find((one) => one.mirror === site);
    const spared = mirror && (await spareMirror(mirror, crawl, options, this.#options));
    if (spared) return spared;
    const skipByRules = this.#rules;
    if (!skipByRules) return NOTHING_SPARED;
    const planned = { ...crawl, spec: { ...crawl.spec, skipByRules } };
    return await inferDirectories(site, planned, options, this.#options);
  }

  get hasHeld(): boolean {
    return this.#held.length > 0;
  }

  /** All but the directories that were held back is visited. */
  async settleHeld(now: Millis, room: number): Promise<SiteInference> {
    const held = this.#held;
    this.#held = [];
    const { crawl } = this.#options;
    const isMirror = ({ reason }: InferredDirectory): boolean => reason === 'mirror';
    const [mirrored, ruled] = [held.filter(isMirror), held.filter((one) => !isMirror(one))];
    const ofMirrors = await settleMirrors(mirrored, crawl, { now, room }, this.#options);
    const ofRules = await settleHeld(ruled, crawl, { now, room }, this.#options);
    const settled = {
      inferred: [...ofMirrors.inferred, ...ofRules.inferred],
      virtual: [],
      discovered: [...ofMirrors.discovered, ...ofRules.discovered],
      notes: [...ofMirrors.notes, ...ofRules.notes],
    };
    for (const { url } of settled.discovered) this.#kept.delete(url);
    return settled;
  }

  #take(inferred: readonly InferredDirectory[], virtual: readonly VirtualDirectory[]): void {
    for (const { urls } of virtual) for (const url of urls) this.#kept.add(url);
    for (const one of inferred) {
      if (one.state === 'visited') continue;
      for (const url of one.urls) this.#kept.add(url);
    }
    this.#held = [...this.#held, ...inferred.filter(({ state }) => state === 'held')];
  }
}

/** Entries that the crawl is not to visit, among those that a page names. */
export const withoutKept = (
  discovered: readonly NewFrontierEntry[],
  inferences: Pick<Inferences, 'keeps'>,
): readonly NewFrontierEntry[] =>
  discovered.filter(({ kind, isSeed, url }) => kind !== 'page' || isSeed || !inferences.keeps(url));
