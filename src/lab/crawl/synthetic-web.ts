/**
 * A web whose full truth is known: sites of the shape that SHARC 2009 simulates (a tree of fixed outdegree, change rates by a
 * power law; see sharpness/synthetic-site.ts), pages with bytes, each changing by a Poisson process of its own.
 */
import type { Millis } from '../../model/time.ts';
import type { SiteToCapture } from '../../science/sharpness/schedule.ts';
import { stream } from '../newspaper/random.ts';
import { syntheticSite } from '../sharpness/synthetic-site.ts';
import { ChangeProcess } from './change-process.ts';

export interface WebOptions {
  readonly sites: number;
  /** Per site. */
  readonly pages: number;
  readonly outdegree: number;
  /** Exponent of the rates' power law. */
  readonly skew: number;
  /** Changes per day of the hottest page of a site. */
  readonly hottest: number;
  /** Whether the hottest pages are on the top levels, as in the paper, or anywhere. */
  readonly hotPages: 'on-top' | 'anywhere';
  /** Mean bytes of a page; each page has 0.5 to 1.5 times as many. */
  readonly size: number;
  /** Mean milliseconds until an answer; likewise spread. */
  readonly latency: number;
  /** Answers carry an ETag, and a matching one is answered with 304. */
  readonly validators: boolean;
  /** When the change processes begin. */
  readonly start: Millis;
  readonly seed: number | string;
  /** Where each site is served; by default `http://site-1.example` and so on. */
  readonly origins?: readonly string[];
}

export const WEB: WebOptions = {
  sites: 1,
  pages: 1_024,
  outdegree: 8,
  skew: 1,
  hottest: 240,
  hotPages: 'on-top',
  size: 4_000,
  latency: 100,
  validators: true,
  start: Date.UTC(2026, 0, 1),
  seed: 1,
};

/** When a page changes. */
export interface SyntheticChanges {
  /** All changes up to a time, ascending. */
  until(time: Millis): readonly Millis[];
  /** Number of changes up to a time: the number of the version live then, from 0. */
  countAt(time: Millis): number;
}

export interface SyntheticPage {
  readonly url: string;
  /** Index in its site; 0 is the entry page. */
  readonly index: number;
  /** Absolute URLs. */
  readonly links: readonly string[];
  /** Changes per second. */
  readonly rate: number;
  readonly changes: SyntheticChanges;
  /** Milliseconds. */
  readonly latency: number;
  /** Whether it exists at a time; always, unless given. */
  readonly isThere?: (at: Millis) => boolean;
  /** The HTML of one version, as served at a time. */
  html(version: number, at: Millis): string;
}

export interface WebSite {
  readonly origin: string;
  readonly pages: readonly SyntheticPage[];
}

export interface SyntheticWeb {
  readonly sites: readonly WebSite[];
  readonly validators: boolean;
  page(url: string): SyntheticPage | undefined;
}

const DAY = 86_400;

export function syntheticWeb(options: WebOptions): SyntheticWeb {
  const sites = Array.from({ length: options.sites }, (_, number) => webSite(number, options));
  const pages = new Map(sites.flatMap((site) => site.pages.map((page) => [page.url, page] as const)));
  return { sites, validators: options.validators, page: (url) => pages.get(url) };
}

/** A site as the pure schedules see it: times and rates in seconds. */
export function siteToCapture({ pages }: WebSite, delay: number): SiteToCapture {
  const indexOf = new Map(pages.map(({ url, index }) => [url, index]));
  return {
    rates: Float64Array.from(pages, ({ rate }) => rate),
    delay: delay / 1000,
    seeds: [0],
    links: (page) => (pages[page]?.links ?? []).flatMap((url) => indexOf.get(url) ?? []),
  };
}

function webSite(number: number, options: WebOptions): WebSite {
  const { pages, hottest, hotPages, size, latency, seed } = options;
  const origin = options.origins?.[number] ?? `http://site-${number + 1}.example`;
  const { outdegree, skew } = options;
  const shape = syntheticSite({ pages, outdegree, skew, scale: hottest / DAY });
  const random = stream('web', seed, number);
  const byHeat = Array.from({ length: pages }, (_, k) => k);
  const heat = hotPages === 'on-top' ? byHeat : random.sample(byHeat, pages);
  const urlOf = (index: number): string =>
    `${origin}${index === 0 ? '/' : `/section-${index % 7}/${index}.html`}`;
  return {
    origin,
    pages: byHeat.map((index): SyntheticPage => {
      const rate = shape.rates[heat[index] as number] as number;
      // Each page links down the tree, and home.
      const links = [...(shape.links?.(index) ?? []), 0].map(urlOf);
      const around = (mean: number): number => Math.round(mean * (0.5 + random.next()));
      const [before, after] = frame(index, links, around(size));
      return {
        url: urlOf(index),
        index,
        links,
        rate,
        changes: new ChangeProcess(options.start, rate, [seed, number, index]),
        latency: around(latency),
        html: (version) => `${before}${version}${after}`,
      };
    }),
  };
}

/** The parts before and after the version in the HTML of a page. */
function frame(index: number, links: readonly string[], size: number): readonly [string, string] {
  const list = links.map((url) => `<li><a href="${url}">${url}</a></li>`).join('');
  const before = `<!doctype html><title>Page ${index}</title><h1>Page ${index}</h1><p>Version `;
  const after = `</p><ul>${list}</ul><p>`;
  const rest = size - before.length - after.length;
  return [before, `${after}${'Nothing new. '.repeat(Math.max(0, Math.round(rest / 13)))}</p>`];
}
