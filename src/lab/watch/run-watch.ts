/** The archive's own loop, under a clock that leaps, on a web whose truth is known; and what it captured of that web. */

import type { KeptWatch, WatchPorts } from '../../loop/watch/ports.ts';
import type { WatchSettings } from '../../loop/watch/watch.ts';
import { openWatch } from '../../loop/watch/watch-loop.ts';
import type { Millis } from '../../model/time.ts';
import type { SeenVisit, VisitKind, WatchedPage } from '../../model/watch.ts';
import { combine, type PageCompleteness } from '../../science/quality/completeness.ts';
import type { MeasuredCapture } from '../crawl/measure-capture.ts';
import { virtualClock } from '../crawl/virtual-clock.ts';
import type { TruePage, WatchedWeb } from './watched-web.ts';
import { type WatchCaptures, WholeCaptures } from './whole-captures.ts';

export interface WatchResult {
  readonly perPage: number;
  readonly pooled: number;
  readonly pages: readonly PageCompleteness[];
  /** Hours from a change to its capture, over captured changes. */
  readonly delay: { readonly median: number; readonly p95: number };
  readonly requests: Readonly<Record<VisitKind | 'capture', number>>;
  /** Of the pages that count, those known at the end. */
  readonly known: number;
  /** Finished captures of the site as a whole. */
  readonly captures: readonly MeasuredCapture[];
}

export async function runWatch(
  web: WatchedWeb,
  settings: WatchSettings,
  captures?: WatchCaptures,
): Promise<WatchResult> {
  const clock = virtualClock(web.start);
  const visitor = new Visitor(web);
  const stop = new AbortController();
  const wholes = captures && new WholeCaptures(web, settings, captures, clock);
  let kept: KeptWatch | undefined;
  const ports: WatchPorts = {
    clock,
    async *pages() {
      yield* clock.now() === web.start ? web.known() : visitor.relisted();
    },
    sites: async () => wholes?.sites(visitor.known) ?? [],
    visit: async (visits, told, signal) => {
      for (const { url, kind, cost } of visits) {
        if (signal.aborted) return;
        told(visitor.visit(url, kind, cost, clock.now()));
      }
    },
    capture: async (_planned, told, signal) =>
      await wholes?.capture(visitor, (url) => told(visitor.visit(url, 'refresh', 1, clock.now())), signal),
    heard: () => [],
    keep: async (watch) => {
      kept = watch;
    },
    kept: async () => kept,
  };
  const watch = await openWatch(ports, { relistEvery: 24 * 3_600_000, ...settings });
  void clock.sleep(web.end - web.start + 1).then(() => stop.abort());
  await watch.run(stop.signal);
  return { ...visitor.measured(), requests: watch.account().requests, captures: wholes?.made ?? [] };
}

interface Holding {
  /** Index of the version captured last; -1 for the one from before the start. */
  captured: number;
  live: number;
  got: number;
  visitedAt: Millis | undefined;
  /** From the visits: how often it had changed, over how long. */
  changes: number;
  watched: number;
}

/** What an archive assumes about a page seen only once: a change in thirty days, with the weight of a tenth of a change. */
const BELIEVED = { changes: 0.1, seconds: 0.1 * 30 * 86_400 } as const;

/** Visits see the live version; importance is against the version captured before (as in lab policies). */
class Visitor {
  readonly #web: WatchedWeb;
  readonly #holdings = new Map<string, Holding>();
  readonly #known = new Map<string, WatchedPage>();
  readonly #delays: number[] = [];

  constructor(web: WatchedWeb) {
    this.#web = web;
    for (const page of web.known()) this.#known.set(page.url, page);
  }

  /** Number of pages that are not sources. */
  get known(): number {
    let count = 0;
    for (const { tells, weight } of this.#known.values()) if (tells === undefined || weight > 0) count++;
    return count;
  }

  rateOf(url: string): number {
    const { changes = 0, watched = 0 } = this.#holdings.get(url) ?? {};
    return (changes + BELIEVED.changes) / (watched + BELIEVED.seconds);
  }

  relisted(): Iterable<WatchedPage> {
    const anew = new Map((this.#web.relisted?.() ?? []).map((page) => [page.url, page]));
    return [...this.#known.values()].map((page) => anew.get(page.url) ?? page);
  }

  visit(url: string, kind: VisitKind, cost: number, now: Millis): SeenVisit {
    const { pages, read, noted } = this.#web;
    const holding = this.#holdings.get(url) ?? {
      ...{ captured: -1, live: -1, got: 0, visitedAt: undefined },
      ...{ changes: 0, watched: 0 },
    };
    this.#holdings.set(url, holding);
    const page = pages.get(url);
    const since = holding.visitedAt ?? this.#known.get(url)?.lastVisit;
    const gone = page?.goneAt !== undefined && now / 1000 >= page.goneAt;
    const importance = page && !gone ? this.#capture(page, holding, now / 1000) : undefined;
    holding.visitedAt = now;
    const changed = importance !== undefined;
    if (since !== undefined) {
      holding.watched += (now - since) / 1000;
      if (changed) holding.changes++;
    }
    if (page && since !== undefined)
      noted?.({ url, from: since, to: now, changed, importance: importance ?? 0 });
    const said = read?.(url, now, since);
    const discovered = (said?.discovered ?? []).filter((one) => !this.#known.has(one.url));
    for (const one of discovered) this.#known.set(one.url, one);
    if (page && this.#known.get(url)?.lastVisit === undefined)
      this.#known.set(url, { ...(this.#known.get(url) as WatchedPage), lastVisit: now });
    return {
      url,
      kind,
      at: now,
      outcome: gone ? 'gone' : changed ? 'changed' : 'unchanged',
      importance: importance ?? 0,
      requests: cost,
      bytes: 0,
      signals: said?.signals ?? [],
      ...(discovered.length > 0 && { discovered }),
    };
  }

  /** @returns importance against the previous version, if it differs */
  #capture({ versions }: TruePage, holding: Holding, now: number): number | undefined {
    let at = holding.live;
    while (at + 1 < versions.length && (versions[at + 1]?.time as number) <= now) at++;
    holding.live = at;
    if (at === holding.captured) return undefined;
    let stays = 1;
    for (let index = holding.captured + 1; index <= at; index++)
      stays *= 1 - (versions[index]?.importance as number);
    holding.captured = at;
    holding.got += versions[at]?.importance as number;
    this.#delays.push((now - (versions[at]?.time as number)) / 3600);
    return 1 - stays;
  }

  measured(): Omit<WatchResult, 'requests' | 'captures'> {
    const truth = [...this.#web.pages.values()];
    const each = truth.map(({ url, versions }): PageCompleteness => {
      const appeared = versions.reduce((sum, { importance }) => sum + importance, 0);
      const captured = this.#holdings.get(url)?.got ?? 0;
      return { captured, appeared, completeness: appeared > 0 ? captured / appeared : undefined };
    });
    const { perPage, pooled } = combine(each, (index) => truth[index]?.weight ?? 1);
    const delays = this.#delays.sort((a, b) => a - b);
    const quantile = (share: number): number =>
      delays[Math.min(delays.length - 1, Math.floor(share * delays.length))] ?? 0;
    return {
      perPage: perPage ?? 0,
      pooled: pooled ?? 0,
      pages: each,
      delay: { median: quantile(0.5), p95: quantile(0.95) },
      known: truth.filter(({ url }) => this.#known.has(url)).length,
    };
  }
}
