/**
 * A site whose history is known, as the crawler meets it: its pages appear, change and go away at the times in the history, and
 * link to each other by their directories (see sharpness/capture-case.ts). Rates and hours are those learnt before the capture.
 */

import type { Millis } from '../../model/time.ts';
import { slotPlan } from '../../science/patterns/slots.ts';
import type { SiteRhythm } from '../../stages/site-rhythm.ts';
import { isAlive, type SiteEvents } from '../data/site-history.ts';
import { type CaptureCase, directoryLinks, directoryOf } from '../sharpness/capture-case.ts';
import { countUpTo } from './change-process.ts';
import type { SyntheticChanges, SyntheticPage, SyntheticWeb } from './synthetic-web.ts';

export interface HistoryWeb {
  readonly web: SyntheticWeb;
  readonly rhythm: SiteRhythm;
  /** Address of a page, by its index in the case. */
  urlOf(page: number): string;
}

/** Where the sites of the histories are: their hours are in its time. */
const ZONE = 'Europe/Berlin';

/** @param before Unix seconds: since when the site is crawled; what was there then and is gone answers 404 */
export function historyWeb(history: SiteEvents, one: CaptureCase, before: number): HistoryWeb {
  const origin = 'http://site.example';
  const paths = [...history.pages.keys()]
    .filter((path) => [before, one.start].some((time) => isAlive(history.pages.get(path) ?? [], time)))
    .sort();
  const urlOf = (path: string): string =>
    path === one.paths[0] ? `${origin}/` : `${origin}/${path.split('/').map(encodeURIComponent).join('/')}`;
  const linksAt = [before, one.start].map((time) => linksOf(history, paths, time));
  const rates = new Map(one.paths.map((path, page) => [path, one.rates[page] as number]));
  const meanRate = one.rates.reduce((sum, rate) => sum + rate, 0) / Math.max(1, one.rates.length);
  const pages = paths.map((path, index): SyntheticPage => {
    const events = history.pages.get(path) ?? [];
    const linksOfPage = (at: Millis): readonly string[] =>
      [...(linksAt[at < one.start * 1000 ? 0 : 1]?.(path) ?? []), one.paths[0] as string].map(urlOf);
    return {
      url: urlOf(path),
      index,
      links: linksOfPage(one.start * 1000),
      // A page that went away before the capture has no rate of its own in the case.
      rate: rates.get(path) ?? meanRate,
      changes: changesAt(events.map(({ time }) => time * 1000)),
      latency: 0,
      isThere: (at) => isAlive(events, at / 1000),
      html: (version, at) =>
        `<!doctype html><title>${index}</title><p>Version ${version}</p>${linksOfPage(at)
          .map((url) => `<a href="${url}">${url}</a>`)
          .join('\n')}`,
    };
  });
  const byUrl = new Map(pages.map((page) => [page.url, page]));
  const plan = slotPlan('daily', { zone: ZONE });
  const shapes = new Map(
    one.paths.map((path, page) => [urlOf(path), one.profiles[page]?.factors ?? new Float64Array(24).fill(1)]),
  );
  return {
    web: { sites: [{ origin, pages }], validators: false, page: (url) => byUrl.get(url) },
    rhythm: {
      of: (url) => {
        const shape = shapes.get(url);
        return shape && { plan, shape, confidence: 1 };
      },
    },
    urlOf: (page) => urlOf(one.paths[page] as string),
  };
}

function linksOf(
  history: SiteEvents,
  paths: readonly string[],
  time: number,
): (path: string) => readonly string[] {
  const there = paths.filter((path) => isAlive(history.pages.get(path) ?? [], time));
  const links = directoryLinks(there, there.map(directoryOf));
  const numbers = new Map(there.map((path, page) => [path, page]));
  return (path) => {
    const page = numbers.get(path);
    return page === undefined ? [] : links(page).map((target) => there[target] as string);
  };
}

/** Known times, ascending. */
function changesAt(times: readonly Millis[]): SyntheticChanges {
  const countAt = (time: Millis): number => countUpTo(times, time);
  return { countAt, until: (time) => times.slice(0, countAt(time)) };
}
